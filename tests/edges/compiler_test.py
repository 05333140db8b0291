#!/usr/bin/env python3
"""cilk2chan writes over no input, leaves nothing behind, and says what it cannot write.

compiler_test.py CILK2CHAN
"""

import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

TOOL = sys.argv[1]
SOURCE = """#include <cilk/cilk.h>
#include <stdio.h>
long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}
int main(void) { printf("%ld\\n", fib(10)); return 0; }
"""


class Compiler(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.temporary = os.path.join(self.folder, "tmp")
        os.mkdir(self.temporary)
        self.put("fib.c", SOURCE)

    def path(self, name):
        return os.path.join(self.folder, name)

    def put(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def run_tool(self, *arguments, status=0, **options):
        done = subprocess.run([TOOL, *arguments], cwd=self.folder, env=dict(os.environ, TMPDIR=self.temporary),
                              capture_output=True, text=True, timeout=300, check=False, **options)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(os.listdir(self.temporary), [])
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith(".")])
        return done

    def test_refuses_an_output_that_is_an_input(self):
        os.link(self.path("fib.c"), self.path("same.c"))
        os.symlink("fib.c", self.path("link.c"))
        self.put("forced.h", "")
        for name in ("fib.c", "./fib.c", "same.c", "link.c", "forced.h"):
            for options in ([], ["-c"], ["--serial"], ["--tasks"], ["--emit=source"]):
                done = self.run_tool(*options, "-include", "forced.h", "fib.c", "-o", name, status=1)
                self.assertIn(f"'{name}', which -o would write, is the input", done.stderr)
        done = self.run_tool("-c", "-MMD", "-MF", "fib.c", "fib.c", status=1)
        self.assertIn("'fib.c', which -MF would write, is the input", done.stderr)
        self.put("fib.o", "an object")
        done = self.run_tool("-c", "fib.c", "fib.o", status=1)
        self.assertIn("'fib.o', which -c would write, is the input", done.stderr)
        self.assertEqual((self.text("fib.c"), self.text("fib.o")), (SOURCE, "an object"))

    def test_leaves_folders_and_devices_as_they_are(self):
        os.mkdir(self.path("empty"))
        done = self.run_tool("fib.c", "-o", "empty", status=1)
        self.assertIn("'empty', which -o would write, is a folder", done.stderr)
        self.assertTrue(os.path.isdir(self.path("empty")))
        null = self.path("null")
        try:
            os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
            open(null, "wb").close()
        except OSError:
            return  # only root makes devices, and not everywhere
        self.run_tool("--emit=source", "fib.c", "-o", "null")
        self.run_tool("-c", "fib.c", "-o", "null")
        self.assertTrue(stat.S_ISCHR(os.stat(null).st_mode))

    def test_replaces_an_output_whole(self):
        self.put("fib", "older")
        os.symlink("fib", self.path("link"))
        self.run_tool("fib.c", "-o", "link")
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertEqual(subprocess.run([self.path("fib")], capture_output=True, text=True, check=True).stdout, "55\n")

    def test_says_what_there_is_no_room_for(self):
        # A limit in the place of a full disk.
        def limit(size):
            def set_limit():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            return set_limit

        done = self.run_tool("fib.c", "-o", "fib", status=1, preexec_fn=limit(100))
        self.assertRegex(done.stderr, "cannot write the temporary file '.*': File too large; set TMPDIR")
        done = self.run_tool("--emit=source", "fib.c", "-o", "out.c", status=1, preexec_fn=limit(100))
        self.assertIn("cannot write 'out.c': File too large", done.stderr)
        done = self.run_tool("--emit=source", "fib.c", "-o", "/dev/full", status=1)
        self.assertIn("cannot write '/dev/full': No space left on device", done.stderr)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([TOOL, "--emit=source", self.path("fib.c")], stdout=full, stderr=subprocess.PIPE,
                                  text=True, check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "cilk2chan: error: cannot write the output: No space left on device\n"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["fib.c", "tmp"])

    def test_says_that_there_is_no_folder_for_temporary_files(self):
        done = subprocess.run([TOOL, self.path("fib.c"), "-o", self.path("fib")], capture_output=True, text=True,
                              env=dict(os.environ, TMPDIR=self.path("none")), check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"temporary files in '{self.path('none')}': No such file or directory; set TMPDIR", done.stderr)

    def test_compiles_files_in_folders_of_any_name(self):
        for name in ("a\nb", 'a" \\b'):
            os.mkdir(self.path(name))
            self.put(f"{name}/fib.c", SOURCE)
            self.run_tool(f"./{name}/fib.c", "-o", f"./{name}/fib")
            done = subprocess.run([self.path(f"{name}/fib")], env=dict(os.environ, CHANNELS_ORDER="channels"),
                                  capture_output=True, text=True, check=True)
            self.assertEqual((done.stdout, done.stderr), ("55\n", ""))

    def test_interrupted_leaves_nothing(self):
        self.put("fib", "older")
        for number in (signal.SIGINT, signal.SIGTERM):
            for moment in (0.02, 0.3, 0.9):
                with subprocess.Popen([TOOL, "fib.c", "-o", "fib"], cwd=self.folder, stderr=subprocess.DEVNULL,
                                      env=dict(os.environ, TMPDIR=self.temporary)) as running:
                    time.sleep(moment)
                    running.send_signal(number)
                    status = running.wait(timeout=60)
                if status == 0:
                    continue  # it was done
                self.assertEqual(status, -number)
                self.assertEqual(sorted(os.listdir(self.folder)), ["fib", "fib.c", "tmp"])
                self.assertEqual(os.listdir(self.temporary), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
