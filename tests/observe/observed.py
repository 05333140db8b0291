"""Runs the observed program and reads what it leaves behind."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["OBSERVED_PROGRAM"]


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def tasks_of_fib(n):
    """Calls that fib(n) makes, itself one of them."""
    return 2 * fib(n + 1) - 1


class ObservedTest(unittest.TestCase):
    """Each test has a folder of its own."""

    program = PROGRAM

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def environment(self, **settings):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("CHANNELS_")}
        return dict(clean, **{f"CHANNELS_{k}": str(v) for k, v in settings.items()})

    def run_program(self, *arguments, status=0, **settings):
        done = subprocess.run(
            [self.program, *map(str, arguments)], env=self.environment(**settings), capture_output=True, text=True,
            timeout=120, check=False,
        )
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def document(self, *arguments, status=0, **settings):
        file = self.path("run.json")
        self.run_program(*arguments, status=status, STATS=f"json:{file}", **settings)
        return self.read(file)

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)
