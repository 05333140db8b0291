# Completes options and files of cilk2chan, channels-report and channels-scale. The options are those that the command's
# own --help lists, so they are never out of date.

# The values of an option of cilk2chan that has a fixed set of them.
_channels_values() {
  case $1 in
    --emit) echo source tasks graph executable ;;
    --stacks) echo summing lane-private pooled ;;
    --net) echo mpi ;;
    --device) echo host cuda hip emulated ;;
  esac
}

# Bash splits --emit=source at the equals sign.
_channels_complete() {
  local command=$1 word=$2 before=$3 words=
  if [[ $word == "=" ]]; then
    words=$(_channels_values "$before")
    word=
  elif [[ $before == "=" ]]; then
    words=$(_channels_values "${COMP_WORDS[COMP_CWORD - 2]}")
  elif [[ $word == -* ]]; then
    words=$("$command" --help 2>/dev/null | grep -oE -- '(^|[ ,[])--?[a-zA-Z][a-zA-Z0-9-]*=?' | tr -d ' ,[' | sort -u)
  fi
  if [[ -z $words ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  # A value follows at once.
  [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}

complete -F _channels_complete cilk2chan channels-report channels-scale
