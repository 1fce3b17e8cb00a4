# What python3 makes of each job on its standard input: a line `FROM TO LENGTH`, and so many bytes.
# The answer to each is a line `LENGTH`, and so many bytes. A name may have a policy, as in
# `utf-8:ignore`; where it is `faults`, the answer is a line with the place and the length of each.
import codecs
import sys

found = []


def faults(error):
    found.append(b"%d %d\n" % (error.start, error.end - error.start))
    return "\ufffd" if isinstance(error, UnicodeDecodeError) else "?", error.end


codecs.register_error("faults", faults)


def side(name, usual):
    name, _, policy = name.partition(":")
    return name, policy or usual


while job := sys.stdin.buffer.readline().split():
    source, target, length = (word.decode() for word in job)
    found.clear()
    text = sys.stdin.buffer.read(int(length)).decode(*side(source, "replace"))
    answer = text.encode(*side(target, "ignore"))
    if ":faults" in source + target:
        answer = b"".join(found)
    sys.stdout.buffer.write(b"%d\n" % len(answer) + answer)
