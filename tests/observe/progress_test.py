"""CHANNELS_PROGRESS: a line on a terminal, and nothing in a pipe."""

import re
import subprocess
import unittest

import on_terminal
from observed import PROGRAM, ObservedTest


class Progress(ObservedTest):
    def on_terminal(self, *arguments, **settings):
        """What the program writes to a terminal that is its stderr, and to its stdout."""
        written, printed, status = on_terminal.run([PROGRAM, *map(str, arguments)], env=self.environment(**settings),
                                                   stdout=subprocess.PIPE)
        self.assertEqual(status, 0)
        return written, printed.decode()

    def test_is_a_line_that_is_rewritten_and_taken_away(self):
        written, printed = self.on_terminal("slow", 70, CUS=1, PROGRESS=1)
        self.assertEqual(printed, "70\n")
        lines = written.split("\r")
        self.assertEqual(lines[0], "")
        self.assertEqual(lines[-1], "\x1b[K", "nothing is left of it")
        self.assertGreaterEqual(len(lines), 4)
        self.assertNotIn("\n", written)
        form = re.compile(
            r"slow: (\d+) tasks, \S+( [kMG])?/s, level (\d+), \S+ [KM]iB of 256.0 MiB, 0 yields, \d+\.\d s\x1b\[K"
        )
        shown = [form.fullmatch(line) for line in lines[1:-1]]
        self.assertTrue(all(shown), lines)
        tasks = [int(m[1]) for m in shown]
        self.assertEqual(tasks, sorted(set(tasks)), "each shows more than the one before")
        self.assertLessEqual(tasks[-1], 71)
        self.assertTrue(all(int(m[1]) <= int(m[3]) <= int(m[1]) + 1 for m in shown), "a chain: as deep as tasks")

    def test_does_not_wrap(self):
        written, _ = self.on_terminal("slow", 40, CUS=1, PROGRESS=1)
        self.assertTrue(all(len(line.replace("\x1b[K", "")) < 80 for line in written.split("\r")))

    def test_of_short_runs_and_unless_asked_for_is_nothing(self):
        self.assertEqual(self.on_terminal("fib", 10, CUS=1, PROGRESS=1)[0], "")
        self.assertEqual(self.on_terminal("slow", 40, CUS=1)[0], "")
        self.assertEqual(self.on_terminal("slow", 40, CUS=1, PROGRESS=0)[0], "")

    def test_in_a_pipe_is_nothing(self):
        done = self.run_program("slow", 40, CUS=1, PROGRESS=1)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout, "40\n")

    def test_is_refused_if_it_is_neither_0_nor_1(self):
        done = self.run_program("fib", 10, status=1, PROGRESS="yes")
        self.assertIn("CHANNELS_PROGRESS=yes", done.stderr)


if __name__ == "__main__":
    unittest.main()
