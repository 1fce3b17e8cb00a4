# Completion of utf8 for bash. The candidates come from utf8 itself, file names from bash.

_utf8() {
    # Bash splits words at = and other characters; utf8 wants them as they are typed.
    local -a words=()
    local i last current=
    for ((i = 0; i <= COMP_CWORD; i++)); do
        last=$((${#words[@]} - 1))
        if ((i > 1)) && [[ ${COMP_WORDS[i]} == = || ${COMP_WORDS[i - 1]} == = ]]; then
            words[last]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
        fi
    done
    last=$((${#words[@]} - 1))
    [[ ${COMP_WORDS[COMP_CWORD]} == = ]] || current=${COMP_WORDS[COMP_CWORD]}
    local typed=${words[last]%"$current"} line

    COMPREPLY=()
    while IFS=$'\t' read -r line _; do
        COMPREPLY+=("${line#"$typed"}")
    done < <(UTF8_COMPLETE=$last command utf8 "${words[@]}" 2>/dev/null)
}

complete -o default -F _utf8 utf8
