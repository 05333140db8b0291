#!/usr/bin/env bash
# What bash offers for the commands' words: completion.sh ROOT FOLDER_OF_CILK2CHAN
set -euo pipefail

PATH="$2:$1/tools/report:$PATH"
source "$1/tools/completions/channels.bash"

# offers EXPECTED WORD...: the last word is the one that is completed. EXPECTED is among what is offered.
offers() {
  local expected=$1
  shift
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _channels_complete "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" || true
  [[ " ${COMPREPLY[*]} " == *" $expected "* ]] || {
    echo "$*: $expected is not among what is offered: ${COMPREPLY[*]}"
    exit 1
  }
}

offers --explain cilk2chan --exp
offers --emit= cilk2chan --em
offers --no-tasks cilk2chan --no
offers tasks cilk2chan --emit = ta
offers pooled cilk2chan --stacks =
offers --title channels-report --ti
offers --any-output channels-scale --a
cd "$1"
offers README.md channels-report READ
