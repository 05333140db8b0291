#!/usr/bin/env python3
"""One call of a run fails, the first, the second and so on until none is left: malloc, mmap, a thread, open, write, rename,
fsync. Each run ends with the right answer or a message, and harms no file.

faults_test.py CILK2CHAN FOLDER [every] [TESTS]
faults_test.py --build CILK2CHAN FOLDER PROGRAMS

CILK2CHAN may be a folder PROGRAMS in which the programs were built: all tests but the compiler's also run on a machine
without a compiler.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv[1] == "--build"
TOOL, HERE = sys.argv[1 + BUILD], sys.argv[2 + BUILD]
# There are thousands of mallocs: beyond the first ones every so many is enough, unless all are wanted.
EVERY = sys.argv[3:4] == ["every"]
FIRST, FACTOR = 24, 1.12

INSTRUMENTS = {"TRACE": "{}", "STATS": "json:{}", "GRAPH": "{}"}
RUNS = {
    "host code": {"CUS": 3, "GIVE": "always"},
    "channels": {"ORDER": "channels", "CUS": 3},
    "one worker": {"ORDER": "channels", "CUS": 1},
    "device": {"DEVICE": "emulated"},
    "device channels": {"DEVICE": "emulated", "ORDER": "channels", "CUS": 2},
    "graph": {"CUS": 3},
}
PROGRAMS = {"device": "device", "device channels": "device", "graph": "graph"}


def build(folder):
    subprocess.run(["cc", "-O1", "-w", "-shared", "-fPIC", os.path.join(HERE, "faults.c"),
                    "-o", os.path.join(folder, "faults.so"), "-ldl"], check=True)
    for name, source, options in (("small", "small.c", []), ("device", "small.c", ["-O0", "--device=emulated"]),
                                  ("graph", "small_graph.cpp", [])):
        subprocess.run([TOOL, os.path.join(HERE, source), "-march=x86-64-v2", *options,
                        "-o", os.path.join(folder, name)], check=True)


def numbers():
    """1, 2, 3 and so on, then in growing steps."""
    n = 0
    while True:
        n = n + 1 if EVERY or n < FIRST else int(n * FACTOR) + 1
        yield n


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.built = TOOL if os.path.isdir(TOOL) else cls.folder.name
        if cls.built != TOOL:
            build(cls.built)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def program(cls, kind):
        return os.path.join(cls.built, PROGRAMS.get(kind, "small"))

    def fail_once(self, command, call, number, **settings):
        """The run of which that call fails, or None if there are not so many calls."""
        mark = self.path("mark")
        clean = {k: v for k, v in os.environ.items() if not k.startswith("CHANNELS_")}
        clean.update({f"CHANNELS_{k}": str(v) for k, v in settings.items()})
        clean.update(LD_PRELOAD=os.path.join(self.built, "faults.so"), FAULT_CALL=call, FAULT_AT=str(number), FAULT_MARK=mark,
                     FAULT_PROGRAM=os.path.basename(command[0]))
        done = subprocess.run(command, env=clean, capture_output=True, text=True, timeout=60, check=False)
        if not os.path.exists(mark):
            self.assertEqual(done.returncode, 0, done.stderr)
            return None
        os.unlink(mark)
        return done

    def check(self, done, what):
        """The right answer, or a message and status 1; the program itself ends with 2 where its own call fails."""
        with self.subTest(what):
            if done.returncode == 0:
                self.assertEqual(done.stdout, "144 9900\n", done.stderr)
            elif done.returncode == -6:
                # Of the C library, when a thread first spawns.
                self.assertIn("Fatal glibc error: failed to register TLS destructor: out of memory", done.stderr)
            elif done.returncode == 1:
                self.assertRegex(done.stderr, "(?m)^channels: (.{20}|std::bad_alloc$)")
            else:
                self.assertEqual(done.returncode, 2, done.stderr)

    def each_failure(self, kind, call, **more):
        for number in numbers():
            done = self.fail_once([self.program(kind)], call, number, **RUNS[kind], **more)
            if done is None:
                break
            self.check(done, f"{kind}: {call} {number}")

    def each_call(self, kind):
        for call in ("malloc", "mmap", "thread", "open", "write"):
            self.each_failure(kind, call)

    def test_where_there_are_no_threads_at_all_goes_on_alone(self):
        for kind, wanted in (("host code", 0), ("channels", 1), ("one worker", 1), ("graph", 1)):
            done = self.fail_once([self.program(kind)], "threads", 1, **RUNS[kind])
            self.assertEqual(done.returncode, wanted, done.stderr)
            self.check(done, kind)
            if wanted:
                self.assertIn("the system has no thread for the aggregator", done.stderr)

    def check_files(self, files):
        """Each is whole, or as it was; nothing else is there."""
        for setting, file in files.items():
            with open(file, encoding="utf-8") as opened:
                text = opened.read()
            if text != "old" and setting == "GRAPH":
                self.assertTrue(text.startswith("digraph") and text.endswith("}\n"), text[-100:])
            elif text != "old":
                json.loads(text)

    def test_of_files(self):
        folder = self.path("files")
        os.mkdir(folder)
        files = {setting: os.path.join(folder, setting) for setting in INSTRUMENTS}
        settings = {setting: INSTRUMENTS[setting].format(file) for setting, file in files.items()}
        for kind in ("channels", "host code", "graph"):
            for call in ("open", "write", "rename", "fsync", "malloc"):
                for number in numbers():
                    for file in files.values():
                        with open(file, "w", encoding="utf-8") as opened:
                            opened.write("old")
                    done = self.fail_once([self.program(kind)], call, number, **RUNS[kind],
                                          **settings, TRACE_EVENTS=16)
                    if done is None:
                        break
                    self.check(done, f"{kind} with files: {call} {number}")
                    with self.subTest(f"{kind}: files after {call} {number}"):
                        self.check_files(files)
                        self.assertEqual(sorted(os.listdir(folder)), sorted(INSTRUMENTS))

    @unittest.skipIf(os.path.isdir(TOOL), "there is no compiler")
    def test_of_the_compiler(self):
        folder, temporary = self.path("compiled"), self.path("tmp")
        os.mkdir(folder)
        os.mkdir(temporary)
        os.environ["TMPDIR"] = temporary
        for call in ("rename", "fork", "write", "open"):
            for number in numbers():
                with open(os.path.join(folder, "small"), "w", encoding="utf-8") as older:
                    older.write("old")
                done = self.fail_once([TOOL, "--emit=source", os.path.join(HERE, "small.c"), "-o",
                                       os.path.join(folder, "small")], call, number)
                if done is None:
                    break
                with self.subTest(f"compiler: {call} {number}"):
                    if done.returncode == 0:
                        with open(os.path.join(folder, "small"), encoding="utf-8") as made:
                            self.assertIn("channels_cilk", made.read())
                    else:
                        self.assertEqual(done.returncode, 1, done.stderr)
                        self.assertIn("error: ", done.stderr)
                    self.assertEqual((os.listdir(folder), os.listdir(temporary)), (["small"], []))


for one in RUNS:
    setattr(Faults, f"test_of_{one.replace(' ', '_')}", lambda self, kind=one: self.each_call(kind))

if __name__ == "__main__":
    if BUILD:
        build(sys.argv[4])
    else:
        unittest.main(argv=sys.argv[:1] + sys.argv[3 + EVERY:])
