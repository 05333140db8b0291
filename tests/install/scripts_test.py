#!/usr/bin/env python3
"""scripts/run and scripts/setup, in a copy, with a cmake and a compiler that only say what they were asked for."""

import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))

CMAKE = """#!/bin/bash
case $1 in
  -S)
    mkdir -p "$ROOT/build/release" && touch "$ROOT/build/release/build.ninja"
    echo configured ;;
  --build)
    [[ ! -f $ROOT/fails ]] || { echo "a compiler's error"; exit 1; }
    if [[ -t 1 ]]; then echo "[1/2] counts"; else echo "lines"; fi
    folder=$ROOT/build/release
    mkdir -p "$folder/runtime" "$folder/compiler/cilk2chan" && touch "$folder/runtime/libchannels.a"
    printf '#!/bin/bash\\nprintf "#!/bin/bash\\necho ran \\\\$*\\n" >"$3" && chmod +x "$3"\\n' >"$folder/compiler/cilk2chan/cilk2chan"
    chmod +x "$folder/compiler/cilk2chan/cilk2chan" ;;
esac
"""


class ScriptTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copytree(ROOT / "scripts", self.folder / "scripts")
        (self.folder / "bin").mkdir()
        (self.folder / "program.c").touch()

    def tool(self, name, text):
        file = self.folder / "bin" / name
        file.write_text(text)
        file.chmod(0o755)

    def command(self, name, *arguments, only_bin=False):
        path = str(self.folder / "bin") + ("" if only_bin else ":" + os.environ["PATH"])
        return [["/bin/bash", str(self.folder / "scripts" / name), *arguments],
                {"PATH": path, "ROOT": str(self.folder), "TERM": "dumb"}]

    def run_script(self, *command, **options):
        arguments, environment = self.command(*command, **options)
        return subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=60, check=False)

    def on_terminal(self, *command):
        """What the command shows on a terminal."""
        arguments, environment = self.command(*command)
        outer, inner = pty.openpty()
        with subprocess.Popen(arguments, env=environment, stdout=inner, stderr=inner, stdin=inner) as running:
            os.close(inner)
            shown = b""
            try:
                while part := os.read(outer, 4096):
                    shown += part
            except OSError:  # the end of a terminal
                pass
            running.wait(60)
        os.close(outer)
        return shown.decode()


class Run(ScriptTest):
    def setUp(self):
        super().setUp()
        self.tool("cmake", CMAKE)
        # Everything is installed.
        self.tool("dpkg-query", '#!/bin/bash\nprintf "%s installed\\n" "${@:4}"\n')
        self.tool("apt-get", "#!/bin/bash\nexit 1\n")

    def test_shows_how_far_the_first_build_is_on_a_terminal(self):
        shown = self.on_terminal("run", str(self.folder / "program.c"), "7")
        self.assertIn("[1/2] counts", shown)
        self.assertIn("ran 7", shown)
        self.assertNotIn("[1/2] counts", self.on_terminal("run", str(self.folder / "program.c"), "8"))

    def test_prints_only_what_the_program_prints(self):
        first = self.run_script("run", str(self.folder / "program.c"), "7")
        self.assertEqual((first.returncode, first.stdout), (0, "ran 7\n"), first.stderr)
        self.assertEqual(first.stderr, "The first build takes a few minutes.\n")
        again = self.run_script("run", str(self.folder / "program.c"), "8")
        self.assertEqual((again.returncode, again.stdout, again.stderr), (0, "ran 8\n", ""))

    def test_shows_why_a_build_failed(self):
        (self.folder / "fails").touch()
        done = self.run_script("run", str(self.folder / "program.c"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("a compiler's error", done.stderr)
        self.assertIn("a compiler's error", self.on_terminal("run", str(self.folder / "program.c")))

    def test_installs_what_is_missing_and_says_so(self):
        self.tool("dpkg-query", '#!/bin/bash\nprintf "%s installed\\n" "${@:5}"\n')
        self.tool("apt-get", f'#!/bin/bash\necho "$*" >>{self.folder}/asked\n')
        done = self.run_script("run", str(self.folder / "program.c"), "7")
        if os.geteuid() == 0:
            self.assertEqual(done.stdout, "ran 7\n", done.stderr)
            self.assertIn("Installing git\n", done.stderr)
            self.assertRegex((self.folder / "asked").read_text(), "install .* git\n")
        else:
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "sudo apt-get install .* git\n")


class Setup(ScriptTest):
    def test_without_apt_names_the_packages_elsewhere_once_and_lets_cmake_look(self):
        for name in ("dirname", "realpath", "cat"):
            (self.folder / "bin" / name).symlink_to(shutil.which(name))
        for arguments in (["--run"], []):
            done = self.run_script("setup", *arguments, only_bin=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stderr, "Fedora: sudo dnf install .*clang19-devel")
            self.assertRegex(done.stderr, "Arch: +sudo pacman -S --needed .*clang19")
            self.assertEqual("gtest" in done.stderr, not arguments)
        (self.folder / "build" / "release").mkdir(parents=True)
        (self.folder / "build" / "release" / "build.ninja").touch()
        done = self.run_script("setup", "--run", only_bin=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
