#!/usr/bin/env bash
# Makes the Debian package of a build tree, installs it in a root that has this machine's packages but neither the
# project nor its build tree, compiles and runs programs there in each way that the package offers, and removes it:
# package.sh BUILD SOURCE VERSION. The root is an overlay in a mount namespace of its own. Exits with 77, which CTest
# reports as skipped, where there can be no such root.
set -euo pipefail

build=$(realpath -- "$1")
source=$(realpath -- "$2")
version=$3

skip() {
  echo "skipped: $1"
  exit 77
}
((EUID == 0)) || skip "only root can make the root in which the package is installed"
for tool in dpkg-deb dpkg-shlibdeps file pkg-config unshare; do
  command -v "$tool" >/dev/null || skip "there is no $tool; scripts/setup installs it"
done
# What is copied into the root and mounted there.
top=$(mktemp -d)
trap 'rm -rf -- "$top"' EXIT
mkdir "$top"/{carried,made,root}
mounted() {
  mount -t tmpfs none "$top/made" && mkdir "$top"/made/{upper,work} &&
    mount -t overlay overlay -o "lowerdir=/,upperdir=$top/made/upper,workdir=$top/made/work" "$top/root"
}
export -f mounted
export top source build version
unshare --mount bash -c mounted 2>"$top/why" || skip "a mount namespace or an overlay is not allowed: $(<"$top/why")"

# cpack builds nothing. It takes what is built and what is installed with it.
(cd "$build" && cpack -G DEB -B "$top/package") >"$top/said" 2>&1 || {
  cat "$top/said"
  exit 1
}
cp "$top"/package/*.deb "$source"/examples/{fib.c,fib_graph.cpp} "$source/examples/corpus/vectors.cpp" \
  "$source/examples/corpus/timing.h" "$top/carried"
[[ $(dpkg-deb --field "$top"/carried/*.deb Version) == "$version" ]] || {
  echo "the package does not have the version $version"
  exit 1
}
cat >"$top/carried/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES C CXX)
find_package(channels $version EXACT REQUIRED)
channels_add_cilk_executable(fib fib.c)
add_executable(fib_graph fib_graph.cpp)
target_link_libraries(fib_graph PRIVATE channels::channels)
EOF

unshare --mount bash -s <<'INSIDE'
set -euo pipefail
mounted
mkdir -p "$top/root/carried"
mount --bind "$top/carried" "$top/root/carried"
mount -t proc proc "$top/root/proc"
mount --bind /dev "$top/root/dev"
# Neither the sources nor what was built: only the package is there.
for hidden in "$source" "$build"; do
  [[ ! -d $top/root$hidden ]] || mount -t tmpfs none "$top/root$hidden"
done

chroot "$top/root" env -i PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin HOME=/ LC_ALL=C.UTF-8 version="$version" \
  bash -s <<'ROOT'
set -euo pipefail
cd /carried
fail() {
  echo "$1"
  exit 1
}
# says TEXT COMMAND...: the command succeeds and prints a line with that.
says() {
  local printed
  printed=$("${@:2}") || fail "failed: ${*:2}"
  grep -qF -- "$1" <<<"$printed" || fail "this prints no line with '$1': ${*:2}"$'\n'"$printed"
}
! command -v cilk2chan || fail "channels is on this machine already, outside of a package"

dpkg -i ./*.deb >/dev/null
dpkg -L channels >files.txt
says "$version" cilk2chan --version
says "$version" pkg-config --modversion channels

# By the compiler driver: C and C++, in each order.
cilk2chan fib.c -o fib
cilk2chan vectors.cpp -o vectors
says "fib(20) = 6765" ./fib 20
says "fib(20) = 6765" env CHANNELS_ORDER=channels CHANNELS_STATS=json:run.json ./fib 20
says mergesort ./vectors
channels-report run.json -o page.html
test -s page.html || fail "channels-report wrote no page"

# By pkg-config: graphs, and the serial program of Cilk.
# shellcheck disable=SC2046  # they are words
g++ -std=c++20 fib_graph.cpp $(pkg-config --cflags --libs channels) -o fib_graph
# shellcheck disable=SC2046
gcc fib.c $(pkg-config --cflags channels) -o serial
says 6765 ./fib_graph 20
says "fib(20) = 6765" ./serial 20

# By CMake.
cmake -S . -B cmake -DCMAKE_BUILD_TYPE=Release >said.txt && cmake --build cmake >>said.txt || fail "$(<said.txt)"
says "fib(20) = 6765" cmake/fib 20
says 6765 cmake/fib_graph 20

for command in cilk2chan channels-report channels-scale; do
  grep -q "/$command\.1" files.txt || fail "the package has no man page of $command"
  grep -q "/bash-completion/completions/$command\$" files.txt || fail "the package does not complete $command"
done
dpkg -r channels >/dev/null
while read -r file; do
  # Folders that other packages have too stay.
  [[ -d $file && $file != */channels* ]] || [[ ! -e $file && ! -L $file ]] || fail "dpkg -r leaves $file behind"
done <files.txt
ROOT
INSIDE
