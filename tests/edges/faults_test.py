#!/usr/bin/env python3
"""One call of a run fails, the first, the second and so on until none is left: malloc, mmap, a thread, open, write, rename,
fsync. Each run ends with the right answer or a message, and harms no file.

faults_test.py CILK2CHAN FOLDER [every]
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

TOOL, HERE = sys.argv[1], sys.argv[2]
# There are thousands of mallocs: beyond the first ones every so many is enough, unless all are wanted.
EVERY = sys.argv[3:] == ["every"]
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
        cls.faults = cls.path("faults.so")
        subprocess.run(["cc", "-O1", "-w", "-shared", "-fPIC", os.path.join(HERE, "faults.c"), "-o", cls.faults, "-ldl"],
                       check=True)
        for name, source, options in (("small", "small.c", []), ("device", "small.c", ["--device=emulated"]),
                                      ("graph", "small_graph.cpp", [])):
            subprocess.run([TOOL, os.path.join(HERE, source), *options, "-o", cls.path(name)], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def fail_once(self, command, call, number, **settings):
        """The run of which that call fails, or None if there are not so many calls."""
        mark = self.path("mark")
        clean = {k: v for k, v in os.environ.items() if not k.startswith("CHANNELS_")}
        clean.update({f"CHANNELS_{k}": str(v) for k, v in settings.items()})
        clean.update(LD_PRELOAD=self.faults, FAULT_CALL=call, FAULT_AT=str(number), FAULT_MARK=mark,
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
            done = self.fail_once([self.path(PROGRAMS.get(kind, "small"))], call, number, **RUNS[kind], **more)
            if done is None:
                break
            self.check(done, f"{kind}: {call} {number}")

    def test_of_memory_and_threads(self):
        for kind in RUNS:
            for call in ("malloc", "mmap", "thread"):
                self.each_failure(kind, call)

    def test_of_what_is_opened_and_written(self):
        for kind in RUNS:
            for call in ("open", "write"):
                self.each_failure(kind, call)

    def test_where_there_are_no_threads_at_all_goes_on_alone(self):
        for kind, wanted in (("host code", 0), ("channels", 1), ("one worker", 1), ("graph", 1)):
            done = self.fail_once([self.path(PROGRAMS.get(kind, "small"))], "threads", 1, **RUNS[kind])
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
                    done = self.fail_once([self.path(PROGRAMS.get(kind, "small"))], call, number, **RUNS[kind],
                                          **settings, TRACE_EVENTS=16)
                    if done is None:
                        break
                    self.check(done, f"{kind} with files: {call} {number}")
                    with self.subTest(f"{kind}: files after {call} {number}"):
                        self.check_files(files)
                        self.assertEqual(sorted(os.listdir(folder)), sorted(INSTRUMENTS))

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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
