#!/usr/bin/env bash
# The public headers under each other version of g++ and Clang that this machine has, and the library under the oldest
# of both: no errors and no warnings. compilers.sh ROOT ALL_HEADERS FLAGS...: ALL_HEADERS is a source that includes
# them. Only the syntax is looked at: of the library as one source, and if that has errors, since files may use a name
# twice, of each file. Exits with 77, which CTest reports as skipped, where
# there is no other version.
set -euo pipefail

root=$1
headers=$2
shift 2
whole=$(mktemp --suffix .cpp)
trap 'rm -f -- "$whole"' EXIT
find "$root/runtime" -name '*.cpp' -not -path '*/heap/*' -not -path '*/races/*' -printf '#include "%p"\n' | sort >"$whole"
flags=(-std=c++20 -fsyntax-only -I "$root/include" -I "$root" "$@")
# The compilers of the build, of which no more has to be shown.
builds=" g++-12 clang++-19 "

failed=0
found=0
for family in g++ clang++; do
  oldest=
  for version in {11..30}; do
    compiler=$family-$version
    if [[ $builds == *" $compiler "* ]] || ! command -v "$compiler" >/dev/null; then continue; fi
    found=1
    echo "$compiler: the headers"
    "$compiler" "${flags[@]}" "$headers" || failed=1
    [[ -z $oldest ]] || continue
    oldest=$compiler
    echo "$compiler: the library"
    "$compiler" "${flags[@]}" -DFMT_HEADER_ONLY=1 "$whole" 2>/dev/null ||
      find "$root/runtime" -name '*.cpp' -not -path '*/races/*' -print0 |
      xargs -0 -P 2 -n 4 "$compiler" "${flags[@]}" -DFMT_HEADER_ONLY=1 || failed=1
  done
done
if ((!found)); then
  echo "skipped: there are no other versions of g++ and Clang here; scripts/setup installs g++-11"
  exit 77
fi
exit "$failed"
