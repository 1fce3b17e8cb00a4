
use builtin;
use str;

set edit:completion:arg-completer[utf8] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'utf8'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'utf8'= {
            cand --format 'How to list them'
            cand --list-codecs 'List the codecs, with their other names'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand validate 'Find every ill-formed sequence'
            cand decode 'Say which characters some bytes are'
            cand encode 'Say which bytes some characters are'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'utf8;validate'= {
            cand -e 'Take the bytes of TEXT itself instead of a file'
            cand --text 'Take the bytes of TEXT itself instead of a file'
            cand -s 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative'
            cand --skip 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative'
            cand -n 'Take this many bytes at most, written as for --skip'
            cand --length 'Take this many bytes at most, written as for --skip'
            cand --files-from 'Read more file names from FILE, one a line (- for standard input); directories among them are skipped with a note, and - among them is a file of that name'
            cand -f 'The codec to read (utf-8 by default; --list-codecs has them all)'
            cand --from 'The codec to read (utf-8 by default; --list-codecs has them all)'
            cand --mmap 'Whether to map regular files into memory: auto (whatever is faster), always or never'
            cand --segments 'Into what findings an ill-formed sequence is cut'
            cand --format 'How findings are written'
            cand -m 'Stop reading a file after N findings, and say so'
            cand --max-errors 'Stop reading a file after N findings, and say so'
            cand --color 'Whether to use colours: auto (on a terminal, see ENVIRONMENT), always or never'
            cand --progress 'Whether to show the progress of long work on standard error: auto (on a terminal), always or never'
            cand -x 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (xxd -p and od -An have none)'
            cand --hex 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (xxd -p and od -An have none)'
            cand -0 'Names in lists, read (--files-from) and written (-l, -L, -c), end with NUL instead of a line break, and are written as they are'
            cand --null 'Names in lists, read (--files-from) and written (-l, -L, -c), end with NUL instead of a line break, and are written as they are'
            cand --list-codecs 'List the codecs, with their other names'
            cand -c 'Print only the number of findings of each file, as NAME:NUMBER if there are several; with --format json, only the summaries'
            cand --count 'Print only the number of findings of each file, as NAME:NUMBER if there are several; with --format json, only the summaries'
            cand -l 'Print only the names of files with findings'
            cand --files-with-errors 'Print only the names of files with findings'
            cand -L 'Print only the names of files without findings'
            cand --files-without-errors 'Print only the names of files without findings'
            cand --stats 'Add what was counted: bytes, lines, code points by length, the BOM, kinds'
            cand -q 'Print nothing but trouble, and stop at the first fault: inputs after it are not opened'
            cand --quiet 'Print nothing but trouble, and stop at the first fault: inputs after it are not opened'
            cand -v 'Say of good files, too, that they are, on standard error'
            cand --verbose 'Say of good files, too, that they are, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'utf8;decode'= {
            cand -e 'Take the bytes of TEXT itself instead of a file'
            cand --text 'Take the bytes of TEXT itself instead of a file'
            cand -s 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative'
            cand --skip 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative'
            cand -n 'Take this many bytes at most, written as for --skip'
            cand --length 'Take this many bytes at most, written as for --skip'
            cand --files-from 'Read more file names from FILE, one a line (- for standard input); directories among them are skipped with a note, and - among them is a file of that name'
            cand --mmap 'Whether to map regular files into memory: auto (whatever is faster), always or never'
            cand -t 'The codec to write (see DEFAULTS for when it need not be named)'
            cand --to 'The codec to write (see DEFAULTS for when it need not be named)'
            cand --on-error 'What becomes of what is ill-formed, or lacking in the codec to write: strict (the run ends), replace, replace-byte, ignore, backslashreplace, surrogateescape, optu or fallback=PAGE'
            cand --fallback 'Read each byte that is ill-formed in this single-byte code page: --on-error fallback=PAGE'
            cand --bom 'What becomes of a byte order mark, whatever the codecs say of it'
            cand -o 'Write to FILE, which is replaced once all went well, and otherwise left as it is'
            cand --output 'Write to FILE, which is replaced once all went well, and otherwise left as it is'
            cand --color 'Whether to use colours: auto (on a terminal, see ENVIRONMENT), always or never'
            cand --progress 'Whether to show the progress of long work on standard error: auto (on a terminal), always or never'
            cand -f 'The codec to read (--list-codecs has them all)'
            cand --from 'The codec to read (--list-codecs has them all)'
            cand -x 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (xxd -p and od -An have none)'
            cand --hex 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (xxd -p and od -An have none)'
            cand --list-codecs 'List the codecs, with their other names'
            cand --all 'In a notation, escape every character'
            cand --minimal 'In a notation, escape only what must be'
            cand -0 'The names in --files-from end with NUL instead of a line break'
            cand --null 'The names in --files-from end with NUL instead of a line break'
            cand -q 'Print no messages but of trouble: of a fault, only the exit status tells'
            cand --quiet 'Print no messages but of trouble: of a fault, only the exit status tells'
            cand -v 'Say what was done to each input, on standard error'
            cand --verbose 'Say what was done to each input, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'utf8;encode'= {
            cand -e 'Take the bytes of TEXT itself instead of a file'
            cand --text 'Take the bytes of TEXT itself instead of a file'
            cand -s 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative'
            cand --skip 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative'
            cand -n 'Take this many bytes at most, written as for --skip'
            cand --length 'Take this many bytes at most, written as for --skip'
            cand --files-from 'Read more file names from FILE, one a line (- for standard input); directories among them are skipped with a note, and - among them is a file of that name'
            cand --mmap 'Whether to map regular files into memory: auto (whatever is faster), always or never'
            cand -t 'The codec to write (see DEFAULTS for when it need not be named)'
            cand --to 'The codec to write (see DEFAULTS for when it need not be named)'
            cand --on-error 'What becomes of what is ill-formed, or lacking in the codec to write: strict (the run ends), replace, replace-byte, ignore, backslashreplace, surrogateescape, optu or fallback=PAGE'
            cand --fallback 'Read each byte that is ill-formed in this single-byte code page: --on-error fallback=PAGE'
            cand --bom 'What becomes of a byte order mark, whatever the codecs say of it'
            cand -o 'Write to FILE, which is replaced once all went well, and otherwise left as it is'
            cand --output 'Write to FILE, which is replaced once all went well, and otherwise left as it is'
            cand --color 'Whether to use colours: auto (on a terminal, see ENVIRONMENT), always or never'
            cand --progress 'Whether to show the progress of long work on standard error: auto (on a terminal), always or never'
            cand -f 'The codec to read (--list-codecs has them all)'
            cand --from 'The codec to read (--list-codecs has them all)'
            cand -x 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (xxd -p and od -An have none)'
            cand --hex 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (xxd -p and od -An have none)'
            cand --list-codecs 'List the codecs, with their other names'
            cand --all 'In a notation, escape every character'
            cand --minimal 'In a notation, escape only what must be'
            cand -0 'The names in --files-from end with NUL instead of a line break'
            cand --null 'The names in --files-from end with NUL instead of a line break'
            cand -q 'Print no messages but of trouble: of a fault, only the exit status tells'
            cand --quiet 'Print no messages but of trouble: of a fault, only the exit status tells'
            cand -v 'Say what was done to each input, on standard error'
            cand --verbose 'Say what was done to each input, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'utf8;help'= {
            cand validate 'Find every ill-formed sequence'
            cand decode 'Say which characters some bytes are'
            cand encode 'Say which bytes some characters are'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'utf8;help;validate'= {
        }
        &'utf8;help;decode'= {
        }
        &'utf8;help;encode'= {
        }
        &'utf8;help;help'= {
        }
    ]
    $completions[$command]
}
