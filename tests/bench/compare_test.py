#!/usr/bin/env python3
"""scripts/bench: what it calls slower, faster and noise, on files made up here, and what it names its columns."""

import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import compare  # noqa: E402
import competitors  # noqa: E402


def around(median, spread, count=5, seed=1):
    """Times whose deviations from the median are evenly spread and in no order."""
    times = [median * (1 + spread * (2 * i / (count - 1) - 1)) for i in range(count)]
    random.Random(seed).shuffle(times)
    return times


def command(old, new):
    """(status, output) of scripts/bench on two results."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, times in (("old", old), ("new", new)):
            paths.append(pathlib.Path(folder) / f"{name}.json")
            paths[-1].write_text(json.dumps({"benchmarks": {key: {"real": value} for key, value in times.items()}}))
        done = subprocess.run([str(ROOT / "scripts" / "bench"), "--read", str(paths[1]), "--compare", str(paths[0])],
                              capture_output=True, text=True)
        return done.returncode, done.stdout


class CompareTest(unittest.TestCase):
    def test_what_is_ten_percent_slower_beyond_its_noise_is_slower(self):
        status, output = command({"fib": around(1e6, 0.01)}, {"fib": around(1.1e6, 0.01, seed=2)})
        self.assertEqual(status, 1)
        self.assertIn("slower: fib: 1 ms before, 1.1 ms now, 1.10 times", output)

    def test_what_is_ten_percent_faster_is_faster_and_no_failure(self):
        status, output = command({"fib": around(1.1e6, 0.01)}, {"fib": around(1e6, 0.01, seed=2)})
        self.assertEqual(status, 0)
        self.assertIn("faster: fib", output)

    def test_ten_percent_within_noise_are_neither(self):
        for old, new in ((1e6, 1.1e6), (1.1e6, 1e6)):
            status, output = command({"fib": around(old, 0.2)}, {"fib": around(new, 0.2, seed=2)})
            self.assertEqual(status, 0)
            self.assertIn("0 slower, 0 faster, 1 the same", output)

    def test_a_certain_change_below_five_percent_is_the_same(self):
        status, output = command({"fib": around(1e6, 0.001)}, {"fib": around(1.03e6, 0.001)})
        self.assertEqual(status, 0)
        self.assertIn("1 the same", output)

    def test_one_time_far_out_changes_nothing(self):
        slow_once = around(1e6, 0.01)
        slow_once[2] *= 10
        status, output = command({"fib": around(1e6, 0.01)}, {"fib": slow_once})
        self.assertEqual(status, 0, output)

    def test_three_repetitions_cannot_show_anything_and_it_says_so(self):
        status, output = command({"fib": around(1e6, 0.01, 3)}, {"fib": around(2e6, 0.01, 3)})
        self.assertEqual(status, 0)
        self.assertIn("too few repetitions to compare: 1 benchmarks; it takes 5 in each file", output)

    def test_the_worst_comes_first_and_what_is_gone_or_added_is_named(self):
        status, output = command({"a": around(1e6, 0.01), "b": around(1e6, 0.01), "old": around(1, 0.01)},
                                 {"a": around(1.2e6, 0.01), "b": around(3e6, 0.01), "new": around(1, 0.01)})
        self.assertEqual(status, 1)
        self.assertLess(output.index("slower: b"), output.index("slower: a"))
        self.assertIn("only before: old", output)
        self.assertIn("only now: new", output)

    def test_of_a_thousand_comparisons_of_the_same_few_are_called_slower(self):
        # The test alone would call one in a hundred slower; few of these have a median that moved by 5 %.
        rng = random.Random(7)
        old = {str(i): [rng.gauss(1e6, 3e4) for _ in range(5)] for i in range(1000)}
        new = {str(i): [rng.gauss(1e6, 3e4) for _ in range(5)] for i in range(1000)}
        found = compare.compare(old, new)
        self.assertLess(len(found["slower"]) + len(found["faster"]), 20)

    def test_many_repetitions_are_compared_as_few_are(self):
        # With many repetitions the test takes the sum of ranks as normally distributed.
        rng = random.Random(3)
        old = [rng.gauss(1, 0.05) for _ in range(9)]
        new = [rng.gauss(1.03, 0.05) for _ in range(9)]
        exact = compare.chance_of_higher(old, new)
        most, compare.MOST_DEALS = compare.MOST_DEALS, 0
        try:
            self.assertAlmostEqual(compare.chance_of_higher(old, new), exact, delta=0.01)
        finally:
            compare.MOST_DEALS = most


class NamesTest(unittest.TestCase):
    def test_are_plain_words_with_the_arguments_beside_them(self):
        for workload, benchmark, expected in (
                ("fib", "channels_tasks/threads:2", ("hand-written tasks in channels", "threads:2")),
                ("heat", "channels_tasks/threads:2", ("tasks in channels", "threads:2")),
                ("queens", "channels_depth_first/threads:1/cutoff:4",
                 ("hand-written tasks depth-first", "threads:1 cutoff:4")),
                ("heat", "channels_cilk/threads:1", ("compiled Cilk", "threads:1")),
                ("fib", "onetbb/spawn_one/threads:1", ("oneTBB", "spawn_one threads:1")),
                ("fib", "openmp/threads:1", ("OpenMP", "threads:1")),
                ("matmul", "serial", ("serial", "")),
                ("sort", "standard_sort", ("std::sort", "")),
                ("host_code", "serial_c_fib/more:0", ("serial, in C", "fib more:0")),
                ("host_code", "channels_fib/threads:1", ("compiled Cilk", "fib threads:1")),
                ("channel", "cycle<number>/at_once:64", ("cycle<number>", "at_once:64"))):
            with self.subTest(benchmark):
                self.assertEqual(competitors.split(workload, benchmark), expected)


if __name__ == "__main__":
    unittest.main()
