# Completion of utf8 for fish. The candidates come from utf8 itself, file names from fish.

function __utf8_complete
    command --query utf8; or return
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    set -l current (commandline --current-token --cut-at-cursor)
    set -l candidates (UTF8_COMPLETE=(count $words) command utf8 $words "$current" 2>/dev/null)
    if set -q candidates[1]
        printf '%s\n' $candidates
    else
        set -l option (string match --regex -- '^--[^=]*=' $current)
        for path in (__fish_complete_path (string replace -- "$option" '' $current))
            echo "$option$path"
        end
    end
end

complete --command utf8 --no-files --keep-order --arguments '(__utf8_complete)'
