"""channels-scale: times with several numbers of units, work and span, of compiled and of graph programs."""

import html
import os
import re
import stat
import subprocess
import sys
import unittest

from observed import PROGRAM, ObservedTest

SCALE = os.environ["CHANNELS_SCALE"]
GRAPH = os.environ["GRAPH_PROGRAM"]
sys.path.insert(0, os.path.dirname(SCALE))
sys.dont_write_bytecode = True

import scaling  # noqa: E402
import units_runs  # noqa: E402


class Scales(ObservedTest):
    def scale(self, *arguments, status=0, **settings):
        done = subprocess.run([sys.executable, SCALE, "-o", self.path("page.html"), *map(str, arguments)],
                              env=self.environment(**settings), capture_output=True, text=True, timeout=250, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def page(self):
        with open(self.path("page.html"), encoding="utf-8") as file:
            return file.read()

    def script(self, text):
        path = self.path("program")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, stat.S_IRWXU)
        return path

    def test_measures_host_code(self):
        said = self.scale("--units", "1,2", "--runs", 1, PROGRAM, "host", 27).stdout
        self.assertEqual(re.findall(r"(?m)^ +(\d+)  ", said), ["1", "2"])
        # The start of the program is a part of both, and what else the machine does while a strand of the span runs.
        # fib(27) makes 832,039 calls, for which some ms are little; fib(4) makes 9.
        parallelism = float(re.search(r"parallelism ([\d.]+)", said)[1])
        self.assertLess(parallelism, 832039 / 2)
        smaller = self.document("host", 4, CUS=1, SPAN=1)["host_code"]
        self.assertGreater(parallelism, smaller["work_ns"] / smaller["span_ns"])
        text = self.page()
        self.assertEqual(text.count("<svg"), 2)
        self.assertIn(f"parallelism {parallelism:.1f}", text)
        self.assertIn("Every run printed the same.", text)
        for loads in ("<script", "url(", "@import", "src=", "href="):
            self.assertNotIn(loads, text)

    def test_measures_graphs_and_says_why_there_is_no_span(self):
        said = self.scale("--units", "2", "--runs", 1, GRAPH, "one", 15).stdout
        self.assertRegex(said, r"(?m)^work [\d.]+ .s")
        self.assertRegex(said, r"(?m)^span not measured: a run through channels")
        self.assertIn("span not measured", self.page())
        self.assertIn("span not measured", self.scale("--units", "1", "--runs", 1, PROGRAM, "fib", 12).stdout)

    def test_work_and_span_are_in_the_statistics_if_asked_for(self):
        j = self.document("host", 20, CUS=2, SPAN=1)["host_code"]
        self.assertGreater(j["work_ns"], j["span_ns"])
        self.assertEqual(j["workers"], 1)
        self.assertNotIn("span_ns", self.document("host", 20, CUS=2)["host_code"])

    def test_tells_programs_whose_output_changes(self):
        # It leaves the document of a run, as a program that counts its units would.
        text = self.script(f'{PROGRAM} host 15 >/dev/null\necho "$CHANNELS_CUS units"\n')
        error = self.scale("--units", "1,2", "--runs", 1, text, status=1).stderr
        self.assertIn("CHANNELS_CUS=2", error)
        self.assertIn("line 1 is '2 units' and was '1 units'", error)
        self.assertIn("--any-output", error)
        self.scale("--any-output", "--units", "1,2", "--runs", 1, "--no-span", text)
        self.assertIn("was not compared", self.page())

    def test_ends_runs_that_take_too_long(self):
        error = self.scale("--timeout", 0.3, self.script("exec sleep 60\n"), status=1).stderr
        self.assertIn("CHANNELS_CUS=1", error)
        self.assertIn("longer than 0.3 s", error)
        self.assertIn("--timeout", error)

    def test_refuses_what_it_cannot_measure_and_says_why(self):
        self.assertIn("left no statistics", self.scale("/bin/true", status=1).stderr)
        self.assertIn("there is no such program", self.scale("./nowhere", status=1).stderr)
        error = self.scale(self.script("echo wrong >&2; exit 3\n"), status=1).stderr
        self.assertIn("status 3", error)
        self.assertIn("wrong", error)
        self.assertIn("it sets settings::compute_units itself", self.scale("--units", "1,3", GRAPH, "runtimes", 12, status=1).stderr)
        self.assertIn("--units", self.scale("--units", "0", PROGRAM, status=2).stderr)

    def test_passes_settings_and_arguments_on(self):
        said = self.scale("--units", "1", "--runs", 1, PROGRAM, "host", 18, ORDER="channels").stdout
        self.assertIn(os.path.basename("page.html"), said)
        self.assertIn(f"{PROGRAM} host 18", html.unescape(self.page()))

    def test_explains_itself(self):
        self.assertIn("CHANNELS_CUS", self.scale("--help").stdout)
        self.assertRegex(self.scale("--version").stdout, r"^channels-scale \d+\.\d+\.\d+$")


class Sentences(unittest.TestCase):
    def said(self, times, work=None, span=None):
        measured = []
        for units, runs in times.items():
            one = units_runs.Measured(units)
            one.times = [t * 1e6 for t in runs]
            measured.append(one)
        return " ".join(scaling.Scaling(measured, units_runs.Span(work, span)).sentences())

    def test_say_only_what_the_times_carry(self):
        self.assertIn("Two units lost to one: 130 ms against 100 ms.", self.said({1: [99, 100, 101], 2: [125, 130, 131]}))
        self.assertNotIn("lost", self.said({1: [90, 100, 128], 2: [125, 130, 131]}))
        self.assertIn("Two units were 2.00 times as fast as one", self.said({1: [99, 100, 101], 2: [49, 50, 51]}))
        self.assertIn("No number of units was faster", self.said({1: [99, 100, 101], 2: [98, 99, 100]}))
        self.assertIn("parallelism is 1.5", self.said({1: [100], 4: [70]}, 150e6, 100e6))

    def test_promise_what_work_and_span_allow(self):
        one = units_runs.Measured(1)
        one.times = [100]
        s = scaling.Scaling([one], units_runs.Span(100, 10))
        self.assertAlmostEqual(s.greedy(10), 100 / (100 / 10 + 10))


if __name__ == "__main__":
    unittest.main()
