#!/bin/sh
# Checks channel.pml in one configuration, exhaustively, and says whether it came out as it should:
#
#   check.sh holds|terminates|caught|caught-looping <model> <definitions>...
#
# holds       no assertion fails and nobody waits for ever, in any schedule
# terminates  the same, and no schedule goes on without end
# caught      the definitions name a MUTANT, and spin finds an error in it: of the first kind, or
#             (looping) a schedule without end
set -eu
expected=$1
model=$(realpath "$2")
shift 2

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

spin -a "$@" "$model"
case $expected in
  terminates | caught-looping) kind=-DNP search=-l ;;
  *) kind=-DSAFETY search= ;;
esac
case $expected in
  caught*) optimize=-O0 ;;  # found at once: compiling takes longer
  *) optimize=-O2 ;;
esac
gcc $optimize -w $kind -DMEMLIM=4000 -o pan pan.c
# -n: no list of what this configuration does not reach. A search that was cut short proves nothing:
# it counts as neither outcome.
./pan -n -m100000 $search >result 2>&1 || true
grep -E '^pan:|errors:|states, stored|max search depth' result || true
if grep -qE 'max search depth too small|out of memory|Search not completed.*memory' result; then
  outcome=unfinished
elif grep -q 'errors: 0' result; then
  outcome=correct
elif grep -q 'errors: 1' result; then
  outcome=wrong
else
  cat result
  outcome=unfinished
fi

case $expected-$outcome in
  holds-correct | terminates-correct | caught-wrong | caught-looping-wrong) ;;
  *) echo "expected: $expected; the model is $outcome" && exit 1 ;;
esac
