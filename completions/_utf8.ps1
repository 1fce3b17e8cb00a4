
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'utf8' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'utf8'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'utf8' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to list them')
            [CompletionResult]::new('--list-codecs', '--list-codecs', [CompletionResultType]::ParameterName, 'List the codecs, with their other names')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Find every ill-formed sequence')
            [CompletionResult]::new('decode', 'decode', [CompletionResultType]::ParameterValue, 'Say which characters some bytes are')
            [CompletionResult]::new('encode', 'encode', [CompletionResultType]::ParameterValue, 'Say which bytes some characters are')
            [CompletionResult]::new('dump-bits', 'dump-bits', [CompletionResultType]::ParameterValue, 'Show what is in each byte')
            [CompletionResult]::new('dump', 'dump', [CompletionResultType]::ParameterValue, 'Show what is in each byte')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'utf8;validate' {
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Take the bytes of TEXT itself instead of a file')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Take the bytes of TEXT itself instead of a file')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative')
            [CompletionResult]::new('--skip', '--skip', [CompletionResultType]::ParameterName, 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Take this many bytes at most, written as for --skip')
            [CompletionResult]::new('--length', '--length', [CompletionResultType]::ParameterName, 'Take this many bytes at most, written as for --skip')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read more file names from FILE, one a line (- for standard input); directories among them are skipped with a note, and - among them is a file of that name')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The codec to read (utf-8 by default; --list-codecs has them all)')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The codec to read (utf-8 by default; --list-codecs has them all)')
            [CompletionResult]::new('--mmap', '--mmap', [CompletionResultType]::ParameterName, 'Whether to map regular files into memory: auto (whatever is faster), always or never')
            [CompletionResult]::new('--segments', '--segments', [CompletionResultType]::ParameterName, 'Into what findings an ill-formed sequence is cut')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How findings are written')
            [CompletionResult]::new('-m', '-m', [CompletionResultType]::ParameterName, 'Stop reading a file after N findings, and say so')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Stop reading a file after N findings, and say so')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether to use colours: auto (on a terminal, see ENVIRONMENT), always or never')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'Whether to show the progress of long work on standard error: auto (on a terminal), always or never')
            [CompletionResult]::new('-x', '-x', [CompletionResultType]::ParameterName, 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (as xxd -p and od -An -v -tx1 print)')
            [CompletionResult]::new('--hex', '--hex', [CompletionResultType]::ParameterName, 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (as xxd -p and od -An -v -tx1 print)')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Names in lists, read (--files-from) and written (-l, -L, -c), end with NUL instead of a line break, and are written as they are')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Names in lists, read (--files-from) and written (-l, -L, -c), end with NUL instead of a line break, and are written as they are')
            [CompletionResult]::new('--list-codecs', '--list-codecs', [CompletionResultType]::ParameterName, 'List the codecs, with their other names')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Print only the number of findings of each file, as NAME:NUMBER if there are several; with --format json, only the summaries')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Print only the number of findings of each file, as NAME:NUMBER if there are several; with --format json, only the summaries')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Print only the names of files with findings')
            [CompletionResult]::new('--files-with-errors', '--files-with-errors', [CompletionResultType]::ParameterName, 'Print only the names of files with findings')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Print only the names of files without findings')
            [CompletionResult]::new('--files-without-errors', '--files-without-errors', [CompletionResultType]::ParameterName, 'Print only the names of files without findings')
            [CompletionResult]::new('--stats', '--stats', [CompletionResultType]::ParameterName, 'Add what was counted: bytes, lines, code points by length, the BOM, kinds')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but trouble, and stop at the first fault: inputs after it are not opened')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but trouble, and stop at the first fault: inputs after it are not opened')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say of good files, too, that they are, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say of good files, too, that they are, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utf8;decode' {
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Take the bytes of TEXT itself instead of a file')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Take the bytes of TEXT itself instead of a file')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative')
            [CompletionResult]::new('--skip', '--skip', [CompletionResultType]::ParameterName, 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Take this many bytes at most, written as for --skip')
            [CompletionResult]::new('--length', '--length', [CompletionResultType]::ParameterName, 'Take this many bytes at most, written as for --skip')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read more file names from FILE, one a line (- for standard input); directories among them are skipped with a note, and - among them is a file of that name')
            [CompletionResult]::new('--mmap', '--mmap', [CompletionResultType]::ParameterName, 'Whether to map regular files into memory: auto (whatever is faster), always or never')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'The codec to write (see DEFAULTS for when it need not be named)')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'The codec to write (see DEFAULTS for when it need not be named)')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What becomes of what is ill-formed, or lacking in the codec to write: strict (the run ends), replace, replace-byte, ignore, backslashreplace, surrogateescape, optu or fallback=PAGE')
            [CompletionResult]::new('--fallback', '--fallback', [CompletionResultType]::ParameterName, 'Read each byte that is ill-formed in this single-byte code page: --on-error fallback=PAGE')
            [CompletionResult]::new('--bom', '--bom', [CompletionResultType]::ParameterName, 'What becomes of a byte order mark, whatever the codecs say of it')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE, which is replaced once all went well, and otherwise left as it is')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to FILE, which is replaced once all went well, and otherwise left as it is')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether to use colours: auto (on a terminal, see ENVIRONMENT), always or never')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'Whether to show the progress of long work on standard error: auto (on a terminal), always or never')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The codec to read (--list-codecs has them all)')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The codec to read (--list-codecs has them all)')
            [CompletionResult]::new('-x', '-x', [CompletionResultType]::ParameterName, 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (as xxd -p and od -An -v -tx1 print)')
            [CompletionResult]::new('--hex', '--hex', [CompletionResultType]::ParameterName, 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (as xxd -p and od -An -v -tx1 print)')
            [CompletionResult]::new('--list-codecs', '--list-codecs', [CompletionResultType]::ParameterName, 'List the codecs, with their other names')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'In a notation, escape every character')
            [CompletionResult]::new('--minimal', '--minimal', [CompletionResultType]::ParameterName, 'In a notation, escape only what must be')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'The names in --files-from end with NUL instead of a line break')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'The names in --files-from end with NUL instead of a line break')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no messages but of trouble: of a fault, only the exit status tells')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no messages but of trouble: of a fault, only the exit status tells')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what was done to each input, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what was done to each input, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utf8;encode' {
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Take the bytes of TEXT itself instead of a file')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Take the bytes of TEXT itself instead of a file')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative')
            [CompletionResult]::new('--skip', '--skip', [CompletionResultType]::ParameterName, 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Take this many bytes at most, written as for --skip')
            [CompletionResult]::new('--length', '--length', [CompletionResultType]::ParameterName, 'Take this many bytes at most, written as for --skip')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read more file names from FILE, one a line (- for standard input); directories among them are skipped with a note, and - among them is a file of that name')
            [CompletionResult]::new('--mmap', '--mmap', [CompletionResultType]::ParameterName, 'Whether to map regular files into memory: auto (whatever is faster), always or never')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'The codec to write (see DEFAULTS for when it need not be named)')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'The codec to write (see DEFAULTS for when it need not be named)')
            [CompletionResult]::new('--on-error', '--on-error', [CompletionResultType]::ParameterName, 'What becomes of what is ill-formed, or lacking in the codec to write: strict (the run ends), replace, replace-byte, ignore, backslashreplace, surrogateescape, optu or fallback=PAGE')
            [CompletionResult]::new('--fallback', '--fallback', [CompletionResultType]::ParameterName, 'Read each byte that is ill-formed in this single-byte code page: --on-error fallback=PAGE')
            [CompletionResult]::new('--bom', '--bom', [CompletionResultType]::ParameterName, 'What becomes of a byte order mark, whatever the codecs say of it')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE, which is replaced once all went well, and otherwise left as it is')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to FILE, which is replaced once all went well, and otherwise left as it is')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether to use colours: auto (on a terminal, see ENVIRONMENT), always or never')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'Whether to show the progress of long work on standard error: auto (on a terminal), always or never')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The codec to read (--list-codecs has them all)')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The codec to read (--list-codecs has them all)')
            [CompletionResult]::new('-x', '-x', [CompletionResultType]::ParameterName, 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (as xxd -p and od -An -v -tx1 print)')
            [CompletionResult]::new('--hex', '--hex', [CompletionResultType]::ParameterName, 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (as xxd -p and od -An -v -tx1 print)')
            [CompletionResult]::new('--list-codecs', '--list-codecs', [CompletionResultType]::ParameterName, 'List the codecs, with their other names')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'In a notation, escape every character')
            [CompletionResult]::new('--minimal', '--minimal', [CompletionResultType]::ParameterName, 'In a notation, escape only what must be')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'The names in --files-from end with NUL instead of a line break')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'The names in --files-from end with NUL instead of a line break')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no messages but of trouble: of a fault, only the exit status tells')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no messages but of trouble: of a fault, only the exit status tells')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what was done to each input, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what was done to each input, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utf8;dump-bits' {
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Take the bytes of TEXT itself instead of a file')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Take the bytes of TEXT itself instead of a file')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative')
            [CompletionResult]::new('--skip', '--skip', [CompletionResultType]::ParameterName, 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read more file names from FILE, one a line (- for standard input); directories among them are skipped with a note, and - among them is a file of that name')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The codec to read (utf-8 by default; --list-codecs has them all)')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The codec to read (utf-8 by default; --list-codecs has them all)')
            [CompletionResult]::new('--mmap', '--mmap', [CompletionResultType]::ParameterName, 'Whether to map regular files into memory: auto (whatever is faster), always or never')
            [CompletionResult]::new('--layout', '--layout', [CompletionResultType]::ParameterName, 'What a row is: a sequence by default; so many bytes if any of -c, -g, --base and --squeeze is given')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to write it')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'How many bytes a row has: 6 in bits, 16 in any other base by default; with --plain, 0 for all in one line')
            [CompletionResult]::new('--columns', '--columns', [CompletionResultType]::ParameterName, 'How many bytes a row has: 6 in bits, 16 in any other base by default; with --plain, 0 for all in one line')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'How many bytes stand together, 1 by default; 0 for all of a row')
            [CompletionResult]::new('--group', '--group', [CompletionResultType]::ParameterName, 'How many bytes stand together, 1 by default; 0 for all of a row')
            [CompletionResult]::new('--base', '--base', [CompletionResultType]::ParameterName, 'How bytes are written in rows of them: bits with --layout bytes, otherwise hex by default')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Show so many rows around them, too; with --format json and html, so many sequences')
            [CompletionResult]::new('--patch', '--patch', [CompletionResultType]::ParameterName, 'Put the bytes of a dump into FILE, at their offsets: all of them, or none')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE, which is replaced once all went well, and otherwise left as it is')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to FILE, which is replaced once all went well, and otherwise left as it is')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether to use colours: auto (on a terminal, see ENVIRONMENT), always or never')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'Whether to show the progress of long work on standard error: auto (on a terminal), always or never')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Take this many bytes at most, written as for --skip; -l is the same, as in xxd')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Take this many bytes at most, written as for --skip; -l is the same, as in xxd')
            [CompletionResult]::new('--length', '--length', [CompletionResultType]::ParameterName, 'Take this many bytes at most, written as for --skip; -l is the same, as in xxd')
            [CompletionResult]::new('-x', '-x', [CompletionResultType]::ParameterName, 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (as xxd -p and od -An -v -tx1 print)')
            [CompletionResult]::new('--hex', '--hex', [CompletionResultType]::ParameterName, 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (as xxd -p and od -An -v -tx1 print)')
            [CompletionResult]::new('--list-codecs', '--list-codecs', [CompletionResultType]::ParameterName, 'List the codecs, with their other names')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Write nothing but digits, 30 bytes a line unless --columns says otherwise')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Write nothing but digits, 30 bytes a line unless --columns says otherwise')
            [CompletionResult]::new('-u', '-u', [CompletionResultType]::ParameterName, 'Write hexadecimal digits in upper case')
            [CompletionResult]::new('--upper', '--upper', [CompletionResultType]::ParameterName, 'Write hexadecimal digits in upper case')
            [CompletionResult]::new('--squeeze', '--squeeze', [CompletionResultType]::ParameterName, 'Write * for rows that repeat the one before')
            [CompletionResult]::new('--names', '--names', [CompletionResultType]::ParameterName, 'Show the names of characters, which is the default')
            [CompletionResult]::new('--no-names', '--no-names', [CompletionResultType]::ParameterName, 'Do not show the names of characters')
            [CompletionResult]::new('--no-fold', '--no-fold', [CompletionResultType]::ParameterName, 'Give each character of printable ASCII a row of its own, with its bits')
            [CompletionResult]::new('--only-ill-formed', '--only-ill-formed', [CompletionResultType]::ParameterName, 'Show only the rows of what is ill-formed')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Read a dump and write the bytes that it shows: one of these, edited or not, or what xxd, hexdump -C and od -A x -t x1 print')
            [CompletionResult]::new('--reverse', '--reverse', [CompletionResultType]::ParameterName, 'Read a dump and write the bytes that it shows: one of these, edited or not, or what xxd, hexdump -C and od -A x -t x1 print')
            [CompletionResult]::new('--legend', '--legend', [CompletionResultType]::ParameterName, 'Say what the colours and marks mean, and what each byte value can be in UTF-8')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'The names in --files-from end with NUL instead of a line break')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'The names in --files-from end with NUL instead of a line break')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what was shown of each input, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what was shown of each input, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utf8;dump' {
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Take the bytes of TEXT itself instead of a file')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Take the bytes of TEXT itself instead of a file')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative')
            [CompletionResult]::new('--skip', '--skip', [CompletionResultType]::ParameterName, 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read more file names from FILE, one a line (- for standard input); directories among them are skipped with a note, and - among them is a file of that name')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The codec to read (utf-8 by default; --list-codecs has them all)')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The codec to read (utf-8 by default; --list-codecs has them all)')
            [CompletionResult]::new('--mmap', '--mmap', [CompletionResultType]::ParameterName, 'Whether to map regular files into memory: auto (whatever is faster), always or never')
            [CompletionResult]::new('--layout', '--layout', [CompletionResultType]::ParameterName, 'What a row is: a sequence by default; so many bytes if any of -c, -g, --base and --squeeze is given')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to write it')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'How many bytes a row has: 6 in bits, 16 in any other base by default; with --plain, 0 for all in one line')
            [CompletionResult]::new('--columns', '--columns', [CompletionResultType]::ParameterName, 'How many bytes a row has: 6 in bits, 16 in any other base by default; with --plain, 0 for all in one line')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'How many bytes stand together, 1 by default; 0 for all of a row')
            [CompletionResult]::new('--group', '--group', [CompletionResultType]::ParameterName, 'How many bytes stand together, 1 by default; 0 for all of a row')
            [CompletionResult]::new('--base', '--base', [CompletionResultType]::ParameterName, 'How bytes are written in rows of them: bits with --layout bytes, otherwise hex by default')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Show so many rows around them, too; with --format json and html, so many sequences')
            [CompletionResult]::new('--patch', '--patch', [CompletionResultType]::ParameterName, 'Put the bytes of a dump into FILE, at their offsets: all of them, or none')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE, which is replaced once all went well, and otherwise left as it is')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to FILE, which is replaced once all went well, and otherwise left as it is')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether to use colours: auto (on a terminal, see ENVIRONMENT), always or never')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'Whether to show the progress of long work on standard error: auto (on a terminal), always or never')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Take this many bytes at most, written as for --skip; -l is the same, as in xxd')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Take this many bytes at most, written as for --skip; -l is the same, as in xxd')
            [CompletionResult]::new('--length', '--length', [CompletionResultType]::ParameterName, 'Take this many bytes at most, written as for --skip; -l is the same, as in xxd')
            [CompletionResult]::new('-x', '-x', [CompletionResultType]::ParameterName, 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (as xxd -p and od -An -v -tx1 print)')
            [CompletionResult]::new('--hex', '--hex', [CompletionResultType]::ParameterName, 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes, but no offsets and no text column (as xxd -p and od -An -v -tx1 print)')
            [CompletionResult]::new('--list-codecs', '--list-codecs', [CompletionResultType]::ParameterName, 'List the codecs, with their other names')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Write nothing but digits, 30 bytes a line unless --columns says otherwise')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Write nothing but digits, 30 bytes a line unless --columns says otherwise')
            [CompletionResult]::new('-u', '-u', [CompletionResultType]::ParameterName, 'Write hexadecimal digits in upper case')
            [CompletionResult]::new('--upper', '--upper', [CompletionResultType]::ParameterName, 'Write hexadecimal digits in upper case')
            [CompletionResult]::new('--squeeze', '--squeeze', [CompletionResultType]::ParameterName, 'Write * for rows that repeat the one before')
            [CompletionResult]::new('--names', '--names', [CompletionResultType]::ParameterName, 'Show the names of characters, which is the default')
            [CompletionResult]::new('--no-names', '--no-names', [CompletionResultType]::ParameterName, 'Do not show the names of characters')
            [CompletionResult]::new('--no-fold', '--no-fold', [CompletionResultType]::ParameterName, 'Give each character of printable ASCII a row of its own, with its bits')
            [CompletionResult]::new('--only-ill-formed', '--only-ill-formed', [CompletionResultType]::ParameterName, 'Show only the rows of what is ill-formed')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Read a dump and write the bytes that it shows: one of these, edited or not, or what xxd, hexdump -C and od -A x -t x1 print')
            [CompletionResult]::new('--reverse', '--reverse', [CompletionResultType]::ParameterName, 'Read a dump and write the bytes that it shows: one of these, edited or not, or what xxd, hexdump -C and od -A x -t x1 print')
            [CompletionResult]::new('--legend', '--legend', [CompletionResultType]::ParameterName, 'Say what the colours and marks mean, and what each byte value can be in UTF-8')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'The names in --files-from end with NUL instead of a line break')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'The names in --files-from end with NUL instead of a line break')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say what was shown of each input, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say what was shown of each input, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'utf8;help' {
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Find every ill-formed sequence')
            [CompletionResult]::new('decode', 'decode', [CompletionResultType]::ParameterValue, 'Say which characters some bytes are')
            [CompletionResult]::new('encode', 'encode', [CompletionResultType]::ParameterValue, 'Say which bytes some characters are')
            [CompletionResult]::new('dump-bits', 'dump-bits', [CompletionResultType]::ParameterValue, 'Show what is in each byte')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'utf8;help;validate' {
            break
        }
        'utf8;help;decode' {
            break
        }
        'utf8;help;encode' {
            break
        }
        'utf8;help;dump-bits' {
            break
        }
        'utf8;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
