# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_utf8_global_optspecs
    string join \n list-codecs format= h/help V/version
end

function __fish_utf8_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_utf8_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_utf8_using_subcommand
    set -l cmd (__fish_utf8_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c utf8 -n "__fish_utf8_needs_command" -l format -d 'How to list them' -r -f -a "text\t'for people'
json\t'JSON Lines: an object for each codec'"
complete -c utf8 -n "__fish_utf8_needs_command" -l list-codecs -d 'List the codecs, with their other names'
complete -c utf8 -n "__fish_utf8_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utf8 -n "__fish_utf8_needs_command" -s V -l version -d 'Print version'
complete -c utf8 -n "__fish_utf8_needs_command" -f -a "validate" -d 'Find every ill-formed sequence'
complete -c utf8 -n "__fish_utf8_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s e -l text -d 'Take the bytes of TEXT itself instead of a file' -r
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s s -l skip -d 'Start at OFFSET: decimal or 0xHEX, with k, M or G for KiB, MiB, GiB; from the end if negative' -r
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s n -l length -d 'Examine this many bytes at most, written as for --skip' -r
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -l files-from -d 'Read more file names from FILE, one a line (- for standard input); directories among them are skipped with a note, and - among them is a file of that name' -r -F
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s f -l from -d 'The codec to read (utf-8 by default; --list-codecs has them all)' -r -f -a "utf-8\t'UTF-8 (RFC 3629, Unicode, ISO 10646); a BOM is text'
utf-8-bom\t'UTF-8 behind a BOM, which is no text; it may be missing'
utf-8n\t'UTF-8 without BOM; one that is there all the same is no text'
rfc2279\t'UTF-8 as of RFC 2279: 31 bits, up to six bytes, surrogates admitted'
cesu-8\t'CESU-8 (UTR #26): each UTF-16 unit in one to three bytes'
mutf-8\t'Modified UTF-8 (Java): CESU-8 with U+0000 as C0 80 and lone surrogates'
wtf-8\t'WTF-8: UTF-8 that admits lone surrogates, but no pair'
generalized-utf-8\t'UTF-8 that admits surrogates, alone and in pairs'
utf-8-surrogateescape\t'PEP 383: any other byte is U+DC00 + byte: every input is well formed'
optu-8\t'MirBSD OPTU-8: any other byte is U+EF00 + byte: every input is well formed'
utf8mb3\t'MySQL\'s utf8mb3: UTF-8 of three bytes at most'
utf-1\t'UTF-1 (ISO-IR-178): 31 bits, C0 and C1 controls as single bytes'
fss-utf-1992\t'FSS-UTF as first proposed in 1992: 31 bits, no overlong forms'
ucs-2le\t'UCS-2, little-endian: no surrogates; a BOM is text'
ucs-2be\t'UCS-2, big-endian: no surrogates; a BOM is text'
ucs-2\t'UCS-2, big-endian unless a BOM tells (WHATWG: UTF-16LE)'
utf-16le\t'UTF-16, little-endian (RFC 2781); a BOM is text'
utf-16be\t'UTF-16, big-endian (RFC 2781); a BOM is text'
utf-16\t'UTF-16 with a BOM, big-endian without (WHATWG: little-endian)'
wtf-16le\t'Units of 16 bits, little-endian: UTF-16 that admits lone surrogates'
wtf-16be\t'Units of 16 bits, big-endian: UTF-16 that admits lone surrogates'
utf-32le\t'UTF-32, little-endian; a BOM is text'
utf-32be\t'UTF-32, big-endian; a BOM is text'
utf-32\t'UTF-32 with a BOM, big-endian without'
ucs-4le\t'UCS-4, little-endian: 31 bits, surrogates admitted; a BOM is text'
ucs-4be\t'UCS-4, big-endian: 31 bits, surrogates admitted; a BOM is text'
us-ascii\t'ASCII: 00..7F and nothing else'
iso-8859-1\t'Latin-1: U+0000..00FF (WHATWG takes this name for windows-1252)'
iso-8859-2\t'Latin-2: Central Europe'
iso-8859-3\t'Latin-3: Southern Europe, Esperanto'
iso-8859-4\t'Latin-4: Northern Europe'
iso-8859-5\t'Latin/Cyrillic'
iso-8859-6\t'Latin/Arabic'
iso-8859-7\t'Latin/Greek, with the euro sign of 2003'
iso-8859-8\t'Latin/Hebrew, in either order'
iso-8859-9\t'Latin-5: Turkish (WHATWG takes this name for windows-1254)'
iso-8859-10\t'Latin-6: Nordic'
iso-8859-11\t'Latin/Thai (WHATWG takes this name for windows-874)'
iso-8859-13\t'Latin-7: Baltic'
iso-8859-14\t'Latin-8: Celtic'
iso-8859-15\t'Latin-9: Latin-1 with the euro sign and seven letters'
iso-8859-16\t'Latin-10: South-Eastern Europe'
windows-874\t'Windows: Thai'
windows-1250\t'Windows: Central Europe; every input is well formed'
windows-1251\t'Windows: Cyrillic; every input is well formed'
windows-1252\t'Windows: Western Europe; every input is well formed'
windows-1253\t'Windows: Greek'
windows-1254\t'Windows: Turkish; every input is well formed'
windows-1255\t'Windows: Hebrew'
windows-1256\t'Windows: Arabic; every input is well formed'
windows-1257\t'Windows: Baltic'
windows-1258\t'Windows: Vietnamese; every input is well formed'
koi8-r\t'KOI8-R: Russian'
koi8-u\t'KOI8-U: Ukrainian, with the Belarusian letter as WHATWG has it'
macintosh\t'Mac OS Roman'
x-mac-cyrillic\t'Mac OS Cyrillic, with the Ukrainian letters'
tis-620\t'TIS-620: Thai, without the controls of ISO-8859-11'
ibm-874\t'IBM: Thai; not windows-874'
ibm437\t'DOS: United States'
ibm737\t'DOS: Greek'
ibm775\t'DOS: Baltic'
ibm850\t'DOS: Western Europe'
ibm852\t'DOS: Central Europe'
ibm855\t'DOS: Cyrillic'
ibm857\t'DOS: Turkish'
ibm858\t'DOS: Western Europe, with the euro sign'
ibm860\t'DOS: Portuguese'
ibm861\t'DOS: Icelandic'
ibm862\t'DOS: Hebrew'
ibm863\t'DOS: French Canada'
ibm864\t'DOS: Arabic, letters by their shapes'
ibm865\t'DOS: Nordic'
ibm866\t'DOS: Russian'
ibm869\t'DOS: Modern Greek'
ibm037\t'EBCDIC: United States; 25 is the line feed'
ibm037-lf\t'EBCDIC: United States; 15 is the line feed, 25 U+0085'
ibm1047\t'EBCDIC: Open Systems; 25 is the line feed'
ibm1047-lf\t'EBCDIC: Open Systems; 15 is the line feed, 25 U+0085'
gbk\t'GBK: simplified Chinese; four-byte forms of GB 18030 are read'
gb18030\t'GB 18030-2022: Chinese, and nearly all of Unicode'
big5\t'Big5: traditional Chinese; the Hong Kong supplement is read'
euc-jp\t'EUC-JP: Japanese; JIS X 0212 is read'
shift_jis\t'Shift_JIS as Windows has it: Japanese'
euc-kr\t'EUC-KR as Windows has it, with all Hangul syllables: Korean'"
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -l mmap -d 'Whether to map regular files into memory: auto (whatever is faster), always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -l segments -d 'Into what findings an ill-formed sequence is cut' -r -f -a "sequence\t'a whole overlong, surrogate or too large form, or the rest of a truncated one, is one finding'
maximal\t'maximal subparts: one finding where a browser shows one U+FFFD'
byte\t'single bytes'"
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -l format -d 'How findings are written' -r -f -a "text\t'a line for each finding'
full\t'the same, with its row of a hexdump'
json\t'JSON Lines: an object for each finding, and one for each input'
tsv\t'OFFSET LENGTH KIND LINE COLUMN BYTES NAME, separated by tabs'"
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s m -l max-errors -d 'Stop reading a file after N findings, and say so' -r
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -l color -d 'Whether to use colours: auto (on a terminal, see ENVIRONMENT), always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -l progress -d 'Whether to show the progress of long work on standard error: auto (on a terminal), always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s x -l hex -d 'Read the input as hex digits, two for each byte; blanks, commas, line breaks, 0x, \\x and % may stand between bytes, but no offsets and no text column (xxd -p and od -An have none)'
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s 0 -l null -d 'Names in lists, read (--files-from) and written (-l, -L, -c), end with NUL instead of a line break, and are written as they are'
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -l list-codecs -d 'List the codecs, with their other names'
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s c -l count -d 'Print only the number of findings of each file, as NAME:NUMBER if there are several; with --format json, only the summaries'
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s l -l files-with-errors -d 'Print only the names of files with findings'
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s L -l files-without-errors -d 'Print only the names of files without findings'
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -l stats -d 'Add what was counted: bytes, lines, code points by length, the BOM, kinds'
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s q -l quiet -d 'Print nothing but trouble, and stop at the first fault: inputs after it are not opened'
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s v -l verbose -d 'Say of good files, too, that they are, on standard error'
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c utf8 -n "__fish_utf8_using_subcommand validate" -s V -l version -d 'Print version'
complete -c utf8 -n "__fish_utf8_using_subcommand help; and not __fish_seen_subcommand_from validate help" -f -a "validate" -d 'Find every ill-formed sequence'
complete -c utf8 -n "__fish_utf8_using_subcommand help; and not __fish_seen_subcommand_from validate help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
