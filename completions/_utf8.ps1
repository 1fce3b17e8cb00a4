
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
            break
        }
        'utf8;validate' {
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Take the bytes of TEXT itself instead of a file')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Take the bytes of TEXT itself instead of a file')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative')
            [CompletionResult]::new('--skip', '--skip', [CompletionResultType]::ParameterName, 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Examine this many bytes at most, written as for --skip')
            [CompletionResult]::new('--length', '--length', [CompletionResultType]::ParameterName, 'Examine this many bytes at most, written as for --skip')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read more file names from FILE, one a line (- for standard input); directories among them are skipped with a note')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'The codec to read (utf-8 by default; --list-codecs has them all)')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The codec to read (utf-8 by default; --list-codecs has them all)')
            [CompletionResult]::new('--mmap', '--mmap', [CompletionResultType]::ParameterName, 'Whether to map regular files into memory; auto finds out what is faster')
            [CompletionResult]::new('--segments', '--segments', [CompletionResultType]::ParameterName, 'Into what findings an ill-formed sequence is cut')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How findings are written')
            [CompletionResult]::new('-m', '-m', [CompletionResultType]::ParameterName, 'Stop reading a file after N findings, and say so')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Stop reading a file after N findings, and say so')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Whether to use colours (auto: on a terminal, unless NO_COLOR is set; CLICOLOR_FORCE forces)')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'Whether to show the progress of long work on standard error (auto: on a terminal)')
            [CompletionResult]::new('-x', '-x', [CompletionResultType]::ParameterName, 'Read the input as hex digits: two are a byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes')
            [CompletionResult]::new('--hex', '--hex', [CompletionResultType]::ParameterName, 'Read the input as hex digits: two are a byte; blanks, commas, line breaks, 0x, \x and % may stand between bytes')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Names in lists, read and written, end with NUL instead of a line break')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Names in lists, read and written, end with NUL instead of a line break')
            [CompletionResult]::new('--list-codecs', '--list-codecs', [CompletionResultType]::ParameterName, 'List the codecs, with their other names')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Print only the number of findings of each file; with --format json, only the summaries')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Print only the number of findings of each file; with --format json, only the summaries')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Print only the names of files with findings')
            [CompletionResult]::new('--files-with-errors', '--files-with-errors', [CompletionResultType]::ParameterName, 'Print only the names of files with findings')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Print only the names of files without findings')
            [CompletionResult]::new('--files-without-errors', '--files-without-errors', [CompletionResultType]::ParameterName, 'Print only the names of files without findings')
            [CompletionResult]::new('--stats', '--stats', [CompletionResultType]::ParameterName, 'Add what was counted: bytes, lines, code points by length, the BOM, kinds')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no findings and no messages but of trouble, and stop at the first fault')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no findings and no messages but of trouble, and stop at the first fault')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say of good files that they are')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say of good files that they are')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
