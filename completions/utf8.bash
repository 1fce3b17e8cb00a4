_utf8() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="utf8"
                ;;
            utf8,decode)
                cmd="utf8__subcmd__decode"
                ;;
            utf8,detect)
                cmd="utf8__subcmd__detect"
                ;;
            utf8,dump)
                cmd="utf8__subcmd__dump__subcmd__bits"
                ;;
            utf8,dump-bits)
                cmd="utf8__subcmd__dump__subcmd__bits"
                ;;
            utf8,encode)
                cmd="utf8__subcmd__encode"
                ;;
            utf8,help)
                cmd="utf8__subcmd__help"
                ;;
            utf8,repair)
                cmd="utf8__subcmd__repair"
                ;;
            utf8,validate)
                cmd="utf8__subcmd__validate"
                ;;
            utf8__subcmd__help,decode)
                cmd="utf8__subcmd__help__subcmd__decode"
                ;;
            utf8__subcmd__help,detect)
                cmd="utf8__subcmd__help__subcmd__detect"
                ;;
            utf8__subcmd__help,dump-bits)
                cmd="utf8__subcmd__help__subcmd__dump__subcmd__bits"
                ;;
            utf8__subcmd__help,encode)
                cmd="utf8__subcmd__help__subcmd__encode"
                ;;
            utf8__subcmd__help,help)
                cmd="utf8__subcmd__help__subcmd__help"
                ;;
            utf8__subcmd__help,repair)
                cmd="utf8__subcmd__help__subcmd__repair"
                ;;
            utf8__subcmd__help,validate)
                cmd="utf8__subcmd__help__subcmd__validate"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        utf8)
            opts="-h -V --list-codecs --format --help --version validate decode encode dump-bits dump repair detect help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__decode)
            opts="-e -x -s -n -0 -o -i -q -v -f -t -h -V --list-codecs --text --hex --skip --length --files-from --null --mmap --on-error --fallback --bom --all --minimal --output --in-place --backup --quiet --verbose --color --progress --from --to --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --text)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --skip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --length)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -n)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --mmap)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "strict replace replace-byte ignore backslashreplace surrogateescape optu" -- "${cur}"))
                    return 0
                    ;;
                --fallback)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --bom)
                    COMPREPLY=($(compgen -W "keep remove add" -- "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --backup)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --progress)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                --to)
                    COMPREPLY=($(compgen -W "utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -W "utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__detect)
            opts="-e -x -s -n -0 -f -q -v -h -V --list-codecs --text --hex --skip --length --files-from --null --mmap --format --candidates --expect --sample --regions --color --progress --from --quiet --verbose --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --text)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --skip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --length)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -n)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --mmap)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "plain long json mime" -- "${cur}"))
                    return 0
                    ;;
                --candidates)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --expect)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --sample)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --progress)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__dump__subcmd__bits)
            opts="-f -e -x -s -0 -p -c -g -u -r -o -q -v -l -n -h -V --from --list-codecs --text --hex --skip --files-from --null --mmap --layout --format --plain --columns --group --base --upper --squeeze --names --no-names --no-fold --only-ill-formed --context --reverse --patch --legend --output --quiet --verbose --color --progress --length --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --from)
                    COMPREPLY=($(compgen -W "utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                --text)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --skip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --mmap)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --layout)
                    COMPREPLY=($(compgen -W "sequence bytes" -- "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "text json html" -- "${cur}"))
                    return 0
                    ;;
                --columns)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -c)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --group)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --base)
                    COMPREPLY=($(compgen -W "bits hex octal decimal" -- "${cur}"))
                    return 0
                    ;;
                --context)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --patch)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --progress)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --length)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -n)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -l)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__encode)
            opts="-e -x -s -n -0 -t -o -i -q -v -f -h -V --list-codecs --text --hex --skip --length --files-from --null --mmap --to --on-error --fallback --bom --all --minimal --output --in-place --backup --quiet --verbose --color --progress --from --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --text)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --skip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --length)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -n)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --mmap)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --to)
                    COMPREPLY=($(compgen -W "utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -W "utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "strict replace replace-byte ignore backslashreplace surrogateescape optu" -- "${cur}"))
                    return 0
                    ;;
                --fallback)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --bom)
                    COMPREPLY=($(compgen -W "keep remove add" -- "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --backup)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --progress)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__help)
            opts="validate decode encode dump-bits repair detect help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__help__subcmd__decode)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__help__subcmd__detect)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__help__subcmd__dump__subcmd__bits)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__help__subcmd__encode)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__help__subcmd__help)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__help__subcmd__repair)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__help__subcmd__validate)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__repair)
            opts="-f -e -x -s -n -0 -o -i -q -v -h -V --from --list-codecs --text --hex --skip --length --files-from --null --mmap --shorten-overlong --join-surrogates --undo-mojibake --bom --on-error --fallback --newlines --normalize --net-unicode --truncate --truncate-lines --graphemes --output --in-place --backup --binary --format --explain --stats --check --diff --quiet --color --progress --verbose --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --from)
                    COMPREPLY=($(compgen -W "utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                --text)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --skip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --length)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -n)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --mmap)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --undo-mojibake)
                    COMPREPLY=($(compgen -W "iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm865 ibm866 ibm869" -- "${cur}"))
                    return 0
                    ;;
                --bom)
                    COMPREPLY=($(compgen -W "keep remove add" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "strict replace replace-byte ignore backslashreplace surrogateescape optu" -- "${cur}"))
                    return 0
                    ;;
                --fallback)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --newlines)
                    COMPREPLY=($(compgen -W "keep lf crlf" -- "${cur}"))
                    return 0
                    ;;
                --normalize)
                    COMPREPLY=($(compgen -W "none nfc nfd nfkc nfkd" -- "${cur}"))
                    return 0
                    ;;
                --truncate)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --truncate-lines)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --backup)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --progress)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        utf8__subcmd__validate)
            opts="-f -e -x -s -n -0 -m -c -l -L -q -v -h -V --from --list-codecs --text --hex --skip --length --files-from --null --mmap --segments --format --max-errors --max-shown --count --files-with-errors --files-without-errors --stats --color --progress --quiet --verbose --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --from)
                    COMPREPLY=($(compgen -W "utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "utf-8 utf-8-bom utf-8n rfc2279 cesu-8 mutf-8 mutf-8-lax wtf-8 generalized-utf-8 utf-8-surrogateescape optu-8 utf8mb3 utf-1 fss-utf-1992 utf-7 utf-7-imap ucs-2le ucs-2be ucs-2 utf-16le utf-16be utf-16 wtf-16le wtf-16be utf-32le utf-32be utf-32 ucs-4le ucs-4be us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u macintosh x-mac-cyrillic x-user-defined tis-620 ibm-874 ibm437 ibm737 ibm775 ibm850 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm862 ibm863 ibm864 ibm865 ibm866 ibm869 ibm037 ibm037-lf ibm1047 ibm1047-lf gbk gb18030 big5 big5-hkscs euc-jp shift_jis iso-2022-jp euc-kr code-points rust json c python html percent" -- "${cur}"))
                    return 0
                    ;;
                --text)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --skip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -s)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --length)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -n)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --mmap)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --segments)
                    COMPREPLY=($(compgen -W "sequence maximal byte" -- "${cur}"))
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "text full json tsv" -- "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -m)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-shown)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --progress)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _utf8 -o nosort -o bashdefault -o default utf8
else
    complete -F _utf8 -o bashdefault -o default utf8
fi
