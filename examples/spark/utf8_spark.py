"""Checks, converts, repairs or detects text files with `utf8` on Apache Spark.

    python3 utf8_spark.py validate INPUT OUTPUT [-- OPTIONS OF utf8]

INPUT is a file or a directory: a local path, hdfs://, s3:// or another URI of pyarrow.fs.
README.md describes OUTPUT.
"""

import argparse
import contextlib
import itertools
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import traceback
import uuid
from collections import namedtuple

import pyarrow
from pyarrow import fs
from pyspark import SparkFiles
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

BLOCK = 1 << 20
# Bytes around a range that decide about it: utf8-scale(7). --newlines needs the most.
CONTEXT = 1 << 17
# The largest file in bytes that is copied to the disk of a task. Others are streamed.
SMALL = 64 << 20
# The most files of a batch, so that a task is not all starts of processes.
MOST_FILES = 2000
# Lines of a report in a batch of rows.
ROWS = 4096
# Codecs whose first bytes tell how the rest is read.
TOLD_BY_BOM = {"utf-16", "utf-32", "ucs-2", "ucs-4"}
# File systems whose files appear when they are complete, and cannot be renamed at once.
OBJECT_STORES = {"s3", "gcs", "abfs"}

SCHEMA = pyarrow.schema([("path", pyarrow.string()), ("start", pyarrow.int64()),
                         ("status", pyarrow.int32()), ("row", pyarrow.string())])
REPORT = "path string, start long, status int, row string"

Piece = namedtuple("Piece", "path start length size stamp")


class Failure(Exception):
    """A reason why the job cannot go on, for its user."""


# The driver: pieces and batches


def list_files(uri):
    """Returns the file system, and path, size and time of change of each file."""
    system, path = file_system(uri)
    info = system.get_file_info(path)
    if info.type == fs.FileType.NotFound:
        raise Failure(f"{uri}: no such file or directory")
    if info.type == fs.FileType.File:
        found = [info]
    else:
        found = system.get_file_info(fs.FileSelector(path, recursive=True))
    try:
        files = [(f.path, f.size, str(f.mtime_ns)) for f in found if f.type == fs.FileType.File]
    except UnicodeDecodeError as error:
        raise Failure(f"{uri}: the name of a file is not UTF-8, which pyarrow.fs needs: {error.object!r}")
    return path, sorted(files, key=lambda file: file[0].encode("utf-8", "surrogateescape"))


def file_system(uri):
    if "://" in uri:
        return fs.FileSystem.from_uri(uri)
    return fs.LocalFileSystem(), os.path.abspath(uri)


def may_be_cut(tool, codec):
    """Returns whether ranges of text in this codec may begin at any byte."""
    listed = subprocess.run([tool, f"--list-codecs={codec}", "--format", "json"], capture_output=True)
    if listed.returncode != 0:
        raise Failure(listed.stderr.decode().strip())
    if json.loads(listed.stdout)["name"] in TOLD_BY_BOM:
        return False
    ranges = [tool, "validate", "--ranges", "1M", "--of", "2M", "--stdin-filename", "-", "-f", codec]
    return subprocess.run(ranges, capture_output=True).returncode == 0


def cut(files, size):
    """Yields the ranges of files; a size of None keeps them whole."""
    for path, length, stamp in files:
        step = size or max(length, 1)
        for start in range(0, max(length, 1), step):
            yield Piece(path, start, min(step, length - start), length, stamp)


def batches(pieces, size):
    """Groups pieces, so that each group has about this size in bytes."""
    batch, total = [], 0
    for piece in pieces:
        if batch and (total + piece.length > size or len(batch) == MOST_FILES):
            yield batch
            batch, total = [], 0
        batch.append(piece)
        total += piece.length
    if batch:
        yield batch


# The tasks: one process of the tool for a range, or for many small files


@contextlib.contextmanager
def tool_of(shipped):
    """Gives the tool that came with the job, or that of PATH, where it may be executed."""
    path = SparkFiles.get("utf8") if shipped else shutil.which("utf8")
    if path is None:
        raise Failure("no utf8 on PATH; ship it: spark-submit --files utf8")
    if runs(path):
        yield path
        return
    # --files drops the permission, and work folders may be mounted without execution.
    for place in (None, "/dev/shm", os.getcwd()):
        with contextlib.suppress(OSError), tempfile.TemporaryDirectory(dir=place) as folder:
            copy = os.path.join(folder, "utf8")
            shutil.copyfile(path, copy)
            os.chmod(copy, stat.S_IRWXU)
            if runs(copy):
                yield copy
                return
    raise Failure(f"{path}: may not be executed, nor a copy")


def runs(path):
    try:
        return subprocess.run([path, "-V"], capture_output=True).returncode == 0
    except OSError:
        return False


def feed(system, piece, first, last, stdin):
    """Writes the bytes of a file from first to last to a process."""
    with contextlib.suppress(BrokenPipeError), stdin:  # the tool may have seen enough
        with system.open_input_file(piece.path) as source:
            source.seek(first)
            while first < last:
                block = source.read(min(BLOCK, last - first))
                if not block:
                    raise OSError("ends early: changed since it was listed")
                stdin.write(block)
                first += len(block)
    check_unchanged(system, piece)


def check_unchanged(system, piece):
    info = system.get_file_info(piece.path)
    if (info.size, str(info.mtime_ns)) != (piece.size, piece.stamp):
        raise OSError("changed since it was listed")


def run_range(tool, system, piece, command, consume):
    """Runs the tool over a range. Returns its status, its message and the result of `consume`."""
    first = max(0, piece.start - CONTEXT)
    last = min(piece.size, piece.start + piece.length + CONTEXT)
    place = ["--stdin-filename", piece.path]
    if piece.length < piece.size:
        place += ["--at", first, "--of", piece.size, "-s", piece.start, "-n", piece.length]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([tool, *command, *map(str, place)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=errors)
        failure, result = feed_and_consume(system, piece, first, last, process, consume)
        errors.seek(0)
        message = failure or errors.read(2000).decode(errors="replace").strip()
    failed = failure or process.returncode < 0
    return 2 if failed else process.returncode, message, result


def feed_and_consume(system, piece, first, last, process, consume):
    """Feeds a process in a thread, and reads its output. Returns why the bytes could not be read."""
    failures = []

    def feed_or_kill():
        try:
            feed(system, piece, first, last, process.stdin)
        except Exception as error:  # the file vanished, or the store does not answer
            failures.append(str(error) or repr(error))
            process.kill()

    feeder = threading.Thread(target=feed_or_kill)
    feeder.start()
    try:
        result = consume(process.stdout)
    except BaseException:
        process.kill()
        raise
    finally:
        feeder.join()
        process.stdout.close()
        process.wait()
    return next(iter(failures), None), result


def lines_of(stream):
    """Returns the lines that are complete."""
    return [line[:-1].decode() for line in stream if line.endswith(b"\n")]


def trouble(piece, message):
    row = {"type": "trouble", "version": 1, "path": piece.path, "message": message}
    return piece.path, piece.start, 2, json.dumps(row)


def report_range(tool, system, piece, command):
    """Yields the rows of the report of a range."""
    status, message, lines = run_range(tool, system, piece, command, lines_of)
    # Without its summary, a report is that of a dead worker.
    if status == 2 or not (lines and ends_report(json.loads(lines[-1]))):
        yield trouble(piece, message or f"utf8 ended with status {status}")
        return
    for line in lines:
        yield piece.path, piece.start, status, line


def ends_report(row):
    return row["type"] in ("summary", "encoding")


def report_files(tool, system, pieces, command):
    """Yields the rows of the reports of small files, from one process."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as errors:
        missing = {}
        for number, piece in enumerate(pieces):
            try:
                copy_file(system, piece, os.path.join(folder, str(number)))
                missing[str(number)] = piece
            except OSError as error:
                yield trouble(piece, str(error))
        with open(os.path.join(folder, "names"), "w+") as names:
            names.write("".join(f"{number}\n" for number in missing))
            names.seek(0)
            process = subprocess.Popen([tool, *command, "--files-from", "-"], cwd=folder, stdin=names,
                                       stdout=subprocess.PIPE, stderr=errors)
        with process:
            for number, rows in by_file(process.stdout):
                piece = missing.pop(number)
                yield from report_file(piece, rows)
        errors.seek(0)
        message = errors.read(2000).decode(errors="replace").strip()
        for piece in missing.values():
            yield trouble(piece, message or f"utf8 ended with status {process.returncode}")


def copy_file(system, piece, target):
    # Files that are compressed by their names are read as they are.
    with system.open_input_stream(piece.path, compression=None) as source, open(target, "wb") as copy:
        shutil.copyfileobj(source, copy, BLOCK)
    check_unchanged(system, piece)


def by_file(stream):
    """Yields the name of each file that is reported as a whole, and its objects."""
    name, rows = None, []
    for line in stream:
        if not line.endswith(b"\n"):
            return  # the process died
        row = json.loads(line)
        if "path" in row:
            name, rows = row["path"], []
        rows.append(row)
        if ends_report(row):
            yield name, rows


def report_file(piece, rows):
    """Yields the rows of a file, with its own name and time."""
    status = 1 if rows[-1].get("findings") else 0
    for row in rows:
        row.pop("command", None)
        if "path" in row:
            row["path"] = piece.path
        if "stamp" in row:
            row["stamp"] = piece.stamp
        yield piece.path, piece.start, status, json.dumps(row, separators=(",", ":"), ensure_ascii=False)


def write_part(tool, system, piece, command, target_system, folder, name):
    """Writes the converted bytes of a range to a file of its own, and yields a row about it."""
    target = f"{folder}/parts/{name}/{piece.start:020}"
    with tempfile.TemporaryFile() as converted:
        status, message, _ = run_range(tool, system, piece, command,
                                       lambda stream: shutil.copyfileobj(stream, converted, BLOCK))
        size = converted.tell()
        converted.seek(0)
        if status == 0:
            store(converted, target_system, f"{folder}/_unfinished", target)
    part = target if status == 0 else None
    row = {"type": "part", "path": piece.path, "part": part, "size": size, "message": message}
    yield piece.path, piece.start, status, json.dumps(row)


def store(source, system, unfinished, target):
    """Writes a file that has its name only when it is complete, so that a task may run twice."""
    is_object = system.type_name in OBJECT_STORES
    path = target if is_object else f"{unfinished}/{uuid.uuid4()}"
    system.create_dir(os.path.dirname(target), recursive=True)
    system.create_dir(os.path.dirname(path), recursive=True)
    try:
        with system.open_output_stream(path, compression=None) as output:
            shutil.copyfileobj(source, output, BLOCK)
        if path != target:
            system.move(path, target)
    except BaseException:
        if path != target:
            with contextlib.suppress(OSError):
                system.delete_file(path)
        raise


def work(job, pieces):
    """Yields the rows of a batch."""
    system, _ = file_system(job.input)
    is_small = lambda piece: piece.length == piece.size <= SMALL
    with tool_of(job.shipped) as tool:
        if job.command in ("convert", "repair"):
            target_system, folder = file_system(job.output)
            for piece in pieces:
                name = os.path.relpath(piece.path, job.root)
                name = os.path.basename(piece.path) if name == "." else name
                try:
                    yield from write_part(tool, system, piece, job.arguments, target_system, folder, name)
                except OSError as error:
                    yield trouble(piece, str(error))
            return
        for piece in itertools.filterfalse(is_small, pieces):
            yield from report_range(tool, system, piece, job.arguments)
        if small := list(filter(is_small, pieces)):
            yield from report_files(tool, system, small, job.arguments)


def arrow_rows(job):
    """Returns a function for mapInArrow."""

    def run(tables):
        groups = [group for table in tables for group in table.column("pieces").to_pylist()]
        rows = (row for group in groups for row in work(job, [Piece(*piece) for piece in json.loads(group)]))
        while some := list(itertools.islice(rows, ROWS)):
            columns = map(pyarrow.array, zip(*some), SCHEMA.types)
            yield pyarrow.RecordBatch.from_arrays(list(columns), schema=SCHEMA)

    return run


# The results

SUMS = ("size", "line_ends", "open_bytes", "open_chars")


def locate(report):
    """Returns the findings with lines and columns of the whole file."""
    field = lambda name, kind: F.get_json_object("row", f"$.{name}").cast(kind)
    kind = F.get_json_object("row", "$.type")
    ranges = report.where(kind == "summary").select(
        "path", "start", *[field(name, "long").alias(name) for name in SUMS])
    before = Window.partitionBy("path").orderBy("start")
    # Ranges without a line end continue the last line of those before them.
    runs = ranges.withColumn("run", F.sum((F.col("line_ends") > 0).cast("long")).over(before))
    open_line = Window.partitionBy("path", "run").orderBy("start")
    runs = runs.withColumn("bytes", F.sum("open_bytes").over(open_line))
    runs = runs.withColumn("chars", F.sum("open_chars").over(open_line))
    runs = runs.withColumn("lines", F.sum("line_ends").over(before) - F.col("line_ends"))
    # Behind a range that failed, lines are unknown.
    runs = runs.withColumn("is_known", F.sum("size").over(before) - F.col("size") == F.col("start"))
    carried = runs.select(
        "path", "start", F.when(F.col("is_known"), F.col("lines")).alias("lines"),
        F.coalesce(F.lag("bytes").over(before), F.lit(0)).alias("open_bytes"),
        F.coalesce(F.lag("chars").over(before), F.lit(0)).alias("open_chars"))
    found = report.where(kind == "finding").select(
        "path", "start", field("offset", "long").alias("offset"),
        F.get_json_object("row", "$.kind").alias("kind"), F.get_json_object("row", "$.hex").alias("hex"),
        *[field(name, "long").alias(name) for name in ("line", "column_bytes", "column_chars")])
    first = lambda name: F.when(F.col("line") == 1, F.col(name)).otherwise(0)
    known = lambda column: F.when(F.col("lines").isNotNull() | (F.col("line") > 1), column)
    return found.join(carried, ["path", "start"]).select(
        "path", "offset", "kind", "hex", (F.col("line") + F.col("lines")).alias("line"),
        known(F.col("column_bytes") + first("open_bytes")).alias("column_bytes"),
        known(F.col("column_chars") + first("open_chars")).alias("column_chars"))


def merge(tool, report, form, system, target):
    """Writes the report of the whole. Returns the status of the tool."""
    with tempfile.TemporaryFile() as merged:
        run = subprocess.Popen([tool, "validate", "--merge", "--format", form, "-"],
                               stdin=subprocess.PIPE, stdout=merged)
        with contextlib.suppress(BrokenPipeError), run.stdin:  # its message is on standard error
            for line in report.select("row").toLocalIterator():
                run.stdin.write(line.row.encode() + b"\n")
        status = run.wait()
        merged.seek(0)
        with system.open_output_stream(target, compression=None) as output:
            shutil.copyfileobj(merged, output, BLOCK)
    return status


COMMANDS = {"validate": ["validate", "--partial"], "convert": ["decode"], "repair": ["repair"],
            "detect": ["detect", "--format", "json"]}

Job = namedtuple("Job", "command arguments input root output shipped")


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected a number, 1 or greater")
    return number


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("input")
    parser.add_argument("output", help="a new directory or prefix")
    parser.add_argument("-f", "--from", dest="codec", default="utf-8", help="encoding of the input")
    parser.add_argument("--range", type=positive, default=256 << 20, help="bytes of a range")
    parser.add_argument("--batch", type=positive, default=64 << 20, help="bytes of a batch of small files")
    parser.add_argument("--list", type=positive, default=100_000, help="most findings that a range lists")
    parser.add_argument("--format", default="json", help="format of the merged report: json, sarif ...")
    parser.epilog = "Options of utf8 stand after --: convert IN OUT -f gbk -- -t utf-8 --on-error replace"
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    args = parser.parse_args(sys.argv[1:at])
    args.options = sys.argv[at + 1:]
    return args


def main():
    args = arguments()
    builder = SparkSession.builder.appName(f"utf8 {args.command}")
    spark = builder.config("spark.sql.parquet.compression.codec", "zstd").getOrCreate()
    try:
        sys.exit(run_job(spark, args))
    except Failure as failure:
        print(f"utf8_spark: {failure}", file=sys.stderr)
    except Exception:
        traceback.print_exc()
    sys.exit(2)


def run_job(spark, args):
    """Runs the job. Returns the exit status: the worst of the tool's."""
    system, target = file_system(args.output)
    if system.get_file_info(target).type != fs.FileType.NotFound:
        raise Failure(f"{args.output}: exists; name a new directory")
    shipped = os.path.exists(SparkFiles.get("utf8"))
    root, files = list_files(args.input)
    with tool_of(shipped) as tool:
        check_format(tool, args.format)
        cuts = args.command != "detect" and may_be_cut(tool, args.codec)
        groups = list(batches(cut(files, args.range if cuts else None), args.batch))
        job = Job(args.command, tool_arguments(args), args.input, root, args.output, shipped)
        # One batch a partition.
        tasks = [(json.dumps(group),) for group in groups]
        tasks = spark.sparkContext.parallelize(tasks, max(len(groups), 1))
        rows = spark.createDataFrame(tasks, "pieces string").mapInArrow(arrow_rows(job), REPORT)
        folder = args.output if "://" in args.output else f"file://{target}"
        rows.write.parquet(f"{folder}/rows")
        rows = spark.read.parquet(f"{folder}/rows")
        if args.command != "validate":
            return rows.agg(F.max("status")).first()[0] or 0
        locate(rows).write.parquet(f"{folder}/findings")
        return merge(tool, rows, args.format, system, f"{target}/report.{args.format}")


def check_format(tool, form):
    tried = subprocess.run([tool, "validate", "--merge", "--format", form, os.devnull], capture_output=True)
    if b"--format" in tried.stderr:
        raise Failure(tried.stderr.decode().strip())


def tool_arguments(args):
    command = COMMANDS[args.command] + args.options
    if args.command != "detect":
        command += ["-f", args.codec]
    if args.command == "validate":
        command += ["--list", str(args.list)]
    return command


if __name__ == "__main__":
    main()
