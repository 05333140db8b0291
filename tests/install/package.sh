#!/usr/bin/env bash
# Makes the Debian package of a build tree, installs it in a root that has this machine's packages but neither the
# project nor its build tree, compiles and runs programs there, and removes it: package.sh BUILD SOURCE.
# The root is an overlay in a mount namespace of its own, so it needs to be run as root.
set -euo pipefail

build=$(realpath -- "$1")
source=$(realpath -- "$2")
work=$build/tests/package
rm -rf "$work"
mkdir -p "$work"

# cpack finds nothing that is not built: the benchmarks and tests are no part of it.
(cd "$build" && cpack -G DEB -B "$work" >"$work/cpack.txt") || {
  cat "$work/cpack.txt"
  exit 1
}
package=$(echo "$work"/*.deb)
dpkg-deb --info "$package"
programs=$work/programs
mkdir -p "$programs"
cp "$source/examples/fib.c" "$source/examples/fib_graph.cpp" "$programs"

export package programs source build
unshare --mount bash -s <<'INSIDE'
set -euo pipefail
top=$(mktemp -d)
mount -t tmpfs none "$top"
mkdir "$top"/{upper,work,root,carried}
cp "$package" "$programs"/* "$top/carried"
mount -t overlay overlay -o "lowerdir=/,upperdir=$top/upper,workdir=$top/work" "$top/root"
mkdir -p "$top/root/carried"
mount --bind "$top/carried" "$top/root/carried"
mount -t proc proc "$top/root/proc"
mount --bind /dev "$top/root/dev"
# Neither the sources nor what was built: only the package is there.
rm -rf "$top/root$build" "$top/root$source"

chroot "$top/root" bash -s <<'ROOT'
set -euo pipefail
cd /carried
dpkg -i ./*.deb >/dev/null
cilk2chan fib.c -o fib
[[ $(./fib 20) == "fib(20) = 6765" ]]
CHANNELS_ORDER=channels CHANNELS_STATS=json:run.json ./fib 20 | grep -qx 'fib(20) = 6765'
channels-report run.json -o page.html
g++ -std=c++20 fib_graph.cpp $(pkg-config --cflags --libs channels) -o fib_graph
./fib_graph 20 | grep 6765
test -f /usr/share/man/man1/cilk2chan.1.gz -o -f /usr/share/man/man1/cilk2chan.1
dpkg -r channels >/dev/null
if find /usr -path '*channels*' -not -path '*/carried/*' | grep .; then
  echo "these are left behind"
  exit 1
fi
ROOT
INSIDE
