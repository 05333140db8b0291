#!/usr/bin/env bash
# The public headers under each other version of g++ and Clang that this machine has, and the library under the oldest
# of both: no errors and no warnings. compilers.sh ROOT ALL_HEADERS FLAGS...: ALL_HEADERS is a source that includes
# them. Only the syntax is looked at, of each of the library's folders as one source. Exits with 77,
# which CTest reports as skipped, where there is no other version.
set -euo pipefail

root=$1
headers=$2
shift 2
sources=$(mktemp -d)
trap 'rm -rf -- "$sources"' EXIT
for folder in "$root"/runtime/*/; do
  name=$(basename "$folder")
  # Files that are no part of the library.
  [[ ! $name =~ ^(heap|races|net_mpi)$ ]] || continue
  find "$folder" -name '*.cpp' -printf '#include "%p"\n' | sort >"$sources/$name.cpp"
done
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
    find "$sources" -name '*.cpp' -print0 |
      xargs -0 -P 2 -n 1 "$compiler" "${flags[@]}" -DFMT_HEADER_ONLY=1 || failed=1
  done
done
if ((!found)); then
  echo "skipped: there are no other versions of g++ and Clang here; scripts/setup installs g++-11"
  exit 77
fi
exit "$failed"
