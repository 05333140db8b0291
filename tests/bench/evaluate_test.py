#!/usr/bin/env python3
"""scripts/evaluate: the whole of it on small sizes, and what it writes of made measurements.

evaluate_test.py    what needs nothing built
evaluate_test.py quick DIRECTORY    --quick, into that folder, with what build/release has"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "evaluate"))
import code_lines  # noqa: E402
import cuda_sections  # noqa: E402
import host_sections  # noqa: E402
import report  # noqa: E402
import tables  # noqa: E402
from runner import Failure  # noqa: E402

SCRIPT = ROOT / "scripts" / "evaluate"


def entry(name, time, **more):
    return {"run_type": "iteration", "run_name": name, "real_time": time, "time_unit": "s", **more}


class PageTest(unittest.TestCase):
    def test_only_what_is_between_the_markers_changes(self):
        page = report.into_page("# Results\n\nMine.\n", "host", "first\n")
        page = page + "\nMine, too.\n"
        again = report.into_page(page, "host", "second\n")
        self.assertEqual(again, page.replace("first\n", "second\n"))
        self.assertEqual(report.into_page(again, "host", "second\n"), again)

    def test_each_device_has_its_own_part(self):
        page = report.into_page(report.into_page("# Results\n", "host", "h\n"), "cuda", "c\n")
        self.assertIn("\nh\n", page)
        self.assertIn("\nc\n", report.into_page(page, "host", "other\n"))


class CodeLinesTest(unittest.TestCase):
    def test_comments_and_blank_lines_do_not_count(self):
        self.assertEqual(code_lines.lines_of("int f() {\n  // one\n\n  /* two\n     three */\n  return 1;  // four\n}\n"), 3)

    def test_every_source_that_is_named_has_its_functions(self):
        for program, row in code_lines.count().items():
            for competitor, lines in row.items():
                self.assertGreater(lines, 3, f"{program}, {competitor}")


class TablesTest(unittest.TestCase):
    def test_last_steps_are_columns(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "t.csv"
            tables.write("t", {"fib": {"1": {"ms": 1.5, "n": 2}, "2": {"ms": 3}}}, path)
            self.assertEqual(path.read_text(), "t,,ms,n\nfib,1,1.5,2\nfib,2,3,\n")


class CudaTest(unittest.TestCase):
    MEASURED = {"benchmarks": [entry("fib_units/132/real_time", 0.002, **{"tasks/s": 5e10, "lanes_active": 0.6}),
                               entry("fib_units/1/real_time", 0.1, **{"tasks/s": 1e9}),
                               entry("fib_units/1/real_time", 0.3, **{"tasks/s": 1e9}),
                               entry("fib_units/1/real_time", 0.2, **{"tasks/s": 1e9}),
                               {**entry("fib_units/1_median", 1), "run_type": "aggregate"}]}

    def test_reads_medians_of_what_the_benchmarks_print(self):
        read = cuda_sections.of_google_benchmark(json.dumps(self.MEASURED))
        self.assertEqual(read, {"fib_units/132": {"seconds": 0.002, "tasks/s": 5e10, "lanes_active": 0.6},
                                "fib_units/1": {"seconds": 0.2, "tasks/s": 1e9}})

    def test_a_wrong_answer_is_a_failure(self):
        wrong = {"benchmarks": [entry("fib", 1, error_occurred=True, error_message="wrong answer")]}
        with self.assertRaisesRegex(Failure, "fib: wrong answer"):
            cuda_sections.of_google_benchmark(json.dumps(wrong))

    def test_the_page_says_what_was_measured_and_what_is_not_there(self):
        page = report.page_of("cuda", {"sections": {
            "figure15": {"1": {"seconds": 0.2, "tasks/s": 1e9}, "132": {"seconds": 0.002, "tasks/s": 1e11}},
            "programs": {"fib": {"cuda": 0.1, "host": 0.3}}}})
        self.assertIn("| 132 | 2 | 100 | 100 |", page)
        self.assertIn("| fib | 100 | 300 | 3 |", page)
        self.assertIn("nothing beside figures 17 and 18", page)

    @unittest.skipIf(shutil.which("nvidia-smi"), "there is a GPU, or at least its driver")
    def test_without_a_gpu_it_says_so(self):
        done = subprocess.run([str(SCRIPT), "--device", "cuda", "--quick"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no NVIDIA GPU here", done.stderr)


def quick(folder):
    """All sections on small sizes, with every answer checked: JSON, CSV, plots and page are there."""
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([str(SCRIPT), "--quick", "--no-build", "--output", str(folder)], check=True)
    measured = json.loads((folder / "measurements" / "evaluation-host.json").read_text())["sections"]
    missing = [name for name in host_sections.SECTIONS if name not in measured]
    missing += [str(path) for path in (*(folder / "measurements" / f"host-{name}.csv" for name, rows in measured.items() if rows),
                                       *(folder / "figures" / f"{name}.svg" for name in ("figure15", "figure17", "figure18", "table5")),
                                       folder / "results.md") if not path.exists() or path.stat().st_size == 0]
    if missing:
        sys.exit(f"missing: {', '.join(missing)}")
    slowed = measured["table5"]["fib"]
    first, *_, last = slowed.values()
    if not last["units_waiting"] > 0:
        sys.exit("with the aggregator slowed, nobody waits for it")
    print(f"{len(measured)} sections, units wait {first['units_waiting']:.2f} and {last['units_waiting']:.2f} of their time")


if __name__ == "__main__":
    if sys.argv[1:2] == ["quick"]:
        quick(sys.argv[2])
    else:
        unittest.main()
