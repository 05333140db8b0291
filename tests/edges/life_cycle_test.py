#!/usr/bin/env python3
"""Programs that exit, fork, are interrupted or stopped in the middle of something end as their serial elision does.

life_cycle_test.py CILK2CHAN ROOT [REPETITIONS [TESTS]]
life_cycle_test.py --build CILK2CHAN ROOT FOLDER

CILK2CHAN may be a FOLDER in which the programs were built: they also run on a machine without a compiler.
"""

import collections
import itertools
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = sys.argv[1] == "--build"
TOOL, ROOT = sys.argv[1 + BUILD], sys.argv[2 + BUILD]
SOURCES = [os.path.join(ROOT, "tests", "edges", name) for name in ("life.cpp", "actions.cpp")]
FORMS = {"life": [], "serial": ["--serial"], "on_device": ["-w", "-O0", "--device=emulated", "--device-aggregator"]}
REPETITIONS = int(sys.argv[3]) if len(sys.argv) > 3 and not BUILD else 1

ENDS = ("exit", "_exit", "quick_exit", "abort", "interrupt", "terminate")
FORKS = ("fork", "exec", "go_on")
PLACES = ("main", "child", "stolen", "many", "thread", "atexit", "destructor")
# One worker, several, and children given wherever that is possible.
HOST = ({"CUS": 1}, {"CUS": 4}, {"CUS": 4, "GIVE": "always"}, {"CUS": 3, "GIVE": "random"})
CHANNELS = ({"ORDER": "channels", "CUS": 1}, {"ORDER": "channels", "CUS": 4})
# Calls of fib run there; all else stays on the host.
DEVICE = ({"DEVICE": "emulated", "CUS": 2}, {"DEVICE": "emulated", "ORDER": "channels", "CUS": 2},
          {"DEVICE": "emulated", "ORDER": "channels", "AGGREGATOR": "device", "CUS": 2}, {"DEVICE": "auto"})
# In seconds.
LONGEST_END = 0.1

ended = collections.namedtuple("ended", "status output errors seconds")


def build(folder):
    for name, form in FORMS.items():
        subprocess.run([TOOL, "-I", ROOT, *SOURCES, "-O1", "-march=x86-64-v2", *form,
                        "-o", os.path.join(folder, name)], check=True, stderr=subprocess.PIPE)


def run(program, what, where, early=None, **settings):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("CHANNELS_")}
    clean.update({f"CHANNELS_{k}": str(v) for k, v in settings.items()})
    if early:
        clean["ACT_EARLY"] = early
    done = subprocess.run([program, what, where], env=clean, capture_output=True, text=True, timeout=60, check=False)
    end = time.monotonic()
    acted = re.search(r"acts at (\S+)", done.stderr)
    return ended(done.returncode, done.stdout, done.stderr, end - float(acted[1]) if acted else 0)


class LifeCycle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        built = TOOL if os.path.isdir(TOOL) else cls.folder.name
        if built != TOOL:
            build(built)
        cls.program, cls.serial, cls.on_device = (os.path.join(built, name) for name in FORMS)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def compare(self, what, where, settings, early=None, longest=LONGEST_END):
        """It has to end as the serial elision; and in time, at one of some attempts."""
        wanted = run(self.serial, what, where, early)
        for attempt in range(1, 100):
            program = self.on_device if "DEVICE" in settings else self.program
            found = run(program, what, where, early, **settings)
            self.assertEqual((found.status, found.output), (wanted.status, wanted.output), found.errors)
            late = what in ENDS and found.seconds > longest
            if attempt >= REPETITIONS and not late:
                break
            self.assertLess(attempt, REPETITIONS + 5, f"the end takes {found.seconds:.3f} s")

    def every(self, things, places, settings):
        for what, where, chosen in itertools.product(things, places, settings):
            with self.subTest(what=what, where=where, **chosen):
                self.compare(what, where, chosen)

    def test_ends_from_anywhere_in_host_code(self):
        self.every(ENDS, PLACES, HOST)

    def test_ends_from_a_task_through_channels(self):
        self.every(ENDS, ("task",), CHANNELS)

    def test_ends_beside_runs_through_channels(self):
        self.every(ENDS, ("main", "thread", "atexit", "destructor"), CHANNELS)

    def test_ends_beside_runs_on_a_device(self):
        self.every(ENDS, ("main", "stolen", "thread", "atexit", "destructor"), DEVICE)

    def test_ends_before_main(self):
        for what, chosen in itertools.product(ENDS, HOST + CHANNELS + DEVICE):
            with self.subTest(what=what, **chosen):
                self.compare("nothing", "main", chosen, early=what)

    def test_ends_with_instruments(self):
        for what, where in itertools.product(ENDS, ("main", "stolen", "task")):
            chosen = {"CUS": 4, "TRACE": os.path.join(self.folder.name, "t"),
                      "STATS": "json:" + os.path.join(self.folder.name, "s")}
            chosen.update({"ORDER": "channels"} if where == "task" else {"GIVE": "always"})
            with self.subTest(what=what, where=where):
                self.compare(what, where, chosen, longest=1)  # it writes large files

    def test_forks_and_goes_on_where_nothing_else_runs(self):
        self.every(FORKS, ("main", "thread", "atexit", "destructor"), HOST + CHANNELS)
        for what, chosen in itertools.product(FORKS, HOST + CHANNELS):
            with self.subTest(what=what, early=True, **chosen):
                self.compare("nothing", "main", chosen, early=what)

    def test_forks_beside_runs_on_a_device(self):
        self.every(("fork", "exec"), ("main", "stolen", "thread", "atexit", "destructor"), DEVICE)

    def test_a_forked_process_uses_the_device_or_says_that_it_cannot(self):
        runs_are_on_the_host = DEVICE[:1] + DEVICE[3:]
        self.every(("go_on",), ("main", "thread", "atexit"), runs_are_on_the_host)
        for chosen in DEVICE[1:3]:
            with self.subTest(**chosen):
                found = run(self.on_device, "go_on", "main", **chosen)
                self.assertEqual(found.status, 0, found.errors)
                self.assertIn("forked process: status 1", found.output)
                self.assertRegex(found.errors, "(?m)^channels: .*fork")

    def test_forks_in_children_and_tasks(self):
        self.every(FORKS, ("child", "stolen", "many"), HOST)
        self.every(("fork", "exec"), ("task",), CHANNELS)

    def test_throws_through_spawns(self):
        self.every(("throw",), ("main", "child", "stolen", "many"), HOST)

    def test_stopped_for_longer_than_the_timeout_goes_on(self):
        for chosen in HOST[1:2] + CHANNELS:
            with self.subTest(**chosen):
                environment = dict(os.environ, **{f"CHANNELS_{k}": str(v) for k, v in chosen.items()})
                environment["CHANNELS_TIMEOUT"] = "600"
                with subprocess.Popen([self.program, "sleep", "task"], env=environment, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True) as running:
                    self.assertEqual(running.stdout.readline(), "fib(20) = 6765\n")
                    time.sleep(0.1)
                    running.send_signal(signal.SIGSTOP)
                    time.sleep(1.5)
                    running.send_signal(signal.SIGCONT)
                    output, errors = running.communicate(timeout=60)
                self.assertEqual(running.returncode, 0, errors)
                self.assertIn("task: 144\n", output)


if __name__ == "__main__":
    if BUILD:
        build(sys.argv[4])
    else:
        unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
