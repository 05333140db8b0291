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
import net_sections  # noqa: E402
import report  # noqa: E402
import tables  # noqa: E402
from runner import Failure, Runner  # noqa: E402

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
        page = report.evaluation_of("cuda", {"sections": {
            "figure15": {"fib:44": {"1": {"seconds": 0.2}, "132": {"seconds": 0.002}},
                         "queens:16": {"1": {"seconds": 0.66}, "132": {"seconds": 0.01}}},
            "programs": {"fib": {"cuda": 0.1, "host": 0.3}}}})
        self.assertIn("| SMs | fib(44), ms | efficiency, % | queens(16), ms | efficiency, % |", page)
        self.assertIn("| 132 | 2 | 75.8 | 10 | 50.0 |", page)
        self.assertIn("| fib | 100 | 300 | 3 |", page)
        self.assertIn("and policies and predicates have not been measured yet", " ".join(page.split()))

    def through_channels(self, **more):
        return {"seconds": 0.01, "nodes": 2, "width": 1024, "tasks": 10, "wavefronts": 3, "ns/wavefront": 70, "waiting": 0.25,
                "aggregator": 0.125, "yields/1000": 1, "retries/1000": 2, "lanes_active": 0.5, **more}

    def test_the_page_has_what_went_through_channels(self):
        row = self.through_channels()
        sections = {
            "table3": {"fib": {**row, "registers": {"enter": 40, "resume": 32, "persistent": 64}}},
            "figure15-channels": {"fib": {"1": {**row, "seconds": 0.04}, "132": row}},
            "figure17": {"reservation": {layout: {by: {"seconds": time} for by, time in (("lane", 8e-3), ("wave", 2e-3), ("group", 1e-3))}
                                         for layout in ("packed", "padded")},
                         "fields": {"one_of_8_fields": {"by_record": {"items_per_second": 1e9}, "by_field": {"items_per_second": 4e9}}}},
            "figure18": {"fib": {"1024": row, "4096": row}},
            "table4-fib": {"fib_tasks/40": {"seconds": 0.004}},
            "table5-slowed": {"fib": {"1": row, "16": row, "on the device": row}},
            "figure18-done-groups": {"fib": {"64": {**row, "seconds": 0.02}, "1024": row}},
            "kept": {"fib_tasks/26": {"seconds": 0.0001}, "fib_tasks_that_wait/26": {"seconds": 0.0004},
                     "queens_by_two/rows:13": {"seconds": 0.001}},
            "watched": {"device": {"untraced": {"seconds": 0.007, "ratios": [1, 1, 1]},
                                   "statistics": {"seconds": 0.0069, "ratios": [0.98, 0.99, 1.0]},
                                   "traced": {"seconds": 0.0071, "ratios": [1.0, 1.01, 1.04]}}},
            "scheduling": {"fib": {"policy": {"deepest": {**row, "seconds": 0.03, "batches": 7}},
                                   "policy_on_device": {"deepest": {**row, "seconds": 0.05, "batches": 6}},
                                   "predicate": {"always": {**row, "batches": 8}, "wavefront": {**row, "batches": 9}}}}}
        page = report.evaluation_of("cuda", {"sections": sections})
        for line in ("| Fibonacci | 2 / 2 | 1,024 / 32,768 | 10 | 3 / 2,192 | 70 ns / 7,046 cycles | 40, 32, 64 / 16s/8d/2c, 3s/4d/1c |",
                     "| Fibonacci | 40 | 10 |", "| a wavefront together | 2 | 0.25 | 2 | 0.25 |", "| one of 8 fields | 1,000 | 4,000 |",
                     "| Fibonacci | 3 | 3 |", "| Fibonacci | 25.0 | 25.0 | 25.0 |",
                     "| Fibonacci | 20 | 10 |", "| lane-private | 0.4 | 4 |", "| on the device | statistics | 7 | 6.9 | -1.0 | -2.0 | +0.0 |",
                     "| on the device | traced | 7 | 7.1 | +1.0 | +0.0 | +4.0 |",
                     "| ms, by policy, aggregator on the host | deepest |", "| Fibonacci | 30 |",
                     "| ms, by policy, aggregator on the device | deepest |", "| Fibonacci | 50 |", "| Fibonacci | 8 | 9 |"):
            self.assertIn(line, page)
        self.assertNotIn("not been measured", page)

    def test_results_have_what_a_user_would_choose_instead(self):
        sections = {"table4-fib": {"fib_tasks/40": {"seconds": 0.004, "tasks/s": 8e10, "MB": 17}, "fib_serial_on_cpu/40": {"seconds": 0.2}},
                    "table4-sort": {"sort_tasks/100000000/32768/65536": {"seconds": 0.008}}}
        of = {"commit": "abc", "date": "2026-11-24", "machine": "one GPU"}
        part = report.results_of("cuda", {"sections": sections, "provenance": {"table4-fib": of, "figure15": of}})
        self.assertIn("| fib(40) | 4 | 80 G | 17 | recursion on one core | 200 | 50 |", part)
        self.assertIn("| the same sort, merges cut in halves as in Cilk's sort | 8 |  |  |  |  |  |", part)
        self.assertIn("- one GPU, commit abc, 2026-11-24: table4-fib.", part)

    def test_no_paragraph_of_a_page_is_wide(self):
        page = report.evaluation_of("cuda", {"sections": {"figure15": {"fib:44": {"1": {"seconds": 0.2}}}}})
        self.assertLessEqual(max(len(line) for line in page.splitlines() if not line.startswith("|")), 100)

    def test_rows_of_workloads_are_read_from_the_benchmarks_names(self):
        class FakeRunner:
            quick = True

            def command(self, command, environment, limit):
                measured = [entry("width/w:0/width:1024/real_time", 2, **{"yields/1000": 3}),
                            entry("width/w:3/width:4096/real_time", 1)]
                return json.dumps({"benchmarks": measured})

        self.assertEqual(cuda_sections.figure18(FakeRunner()), {"fib": {"1024": {"seconds": 2, "yields/1000": 3}},
                                                                "strassen": {"4096": {"seconds": 1}}})

    def test_problems_and_units_of_scaling_are_read_from_the_benchmarks_names(self):
        class FakeRunner:
            quick = True

            def command(self, command, environment, limit):
                return json.dumps({"benchmarks": [entry("fib_units/fib:44/units:1/real_time", 2),
                                                  entry("queens_units/queens:16/units:132/real_time", 1)]})

        self.assertEqual(cuda_sections.figure15(FakeRunner()), {"fib:44": {"1": {"seconds": 2}}, "queens:16": {"132": {"seconds": 1}}})

    def test_policies_and_predicates_are_read_from_the_benchmarks_names(self):
        class FakeRunner:
            quick = True

            def command(self, command, environment, limit):
                kind = next(part for part in map(str, command) if part.startswith("--benchmark_filter=^"))[20:].split("/")[0]
                return json.dumps({"benchmarks": [entry(f"{kind}/w:{w}/first/real_time", w + 1) for w in range(4)]})

        rows = cuda_sections.scheduling(FakeRunner())
        self.assertEqual(rows["queens"], {kind: {"first": {"seconds": 2}} for kind in ("policy", "policy_on_device", "predicate")})

    def test_a_process_that_takes_too_long_is_a_failure(self):
        runner = Runner(True, None, None, None)
        with self.assertRaisesRegex(Failure, "sleep 60 has not ended after 0.1 s"):
            runner.command(["sleep", 60], limit=0.1)

    @unittest.skipIf(shutil.which("nvidia-smi"), "there is a GPU, or at least its driver")
    def test_without_a_gpu_it_says_so(self):
        done = subprocess.run([str(SCRIPT), "--device", "cuda", "--quick"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no NVIDIA GPU here", done.stderr)


class NetTest(unittest.TestCase):
    class FakeRunner:
        quick = True

        def __init__(self, printed):
            self.printed = printed

        def command(self, command, environment=None, limit=0):
            return self.printed

    def test_reads_what_the_programs_print(self):
        printed = "2 places, 4.0 M updates in 0.1781 s: 22.46 M/s; serially 0.1198 s\nright\n"
        self.assertEqual(net_sections.run(self.FakeRunner(printed), "gups", 2, "threads"), {"seconds": 0.1781, "serially": 0.1198})

    def test_a_wrong_answer_and_another_number_of_places_are_failures(self):
        wrong = "2 places, 4.0 M updates in 0.1781 s: 22.46 M/s; serially 0.1198 s\nwrong\n"
        with self.assertRaisesRegex(Failure, "gups at 2 places"):
            net_sections.run(self.FakeRunner(wrong), "gups", 2, "threads")
        with self.assertRaisesRegex(Failure, "gups at 4 places"):
            net_sections.run(self.FakeRunner(wrong.replace("wrong", "right")), "gups", 4, "threads")

    def test_the_page_has_gravels_figures_beside_ours(self):
        page = report.evaluation_of("net", {"sections": {
            "scaling": {"gups": {"threads 1": 0.2, "mpi 2": 0.1, "serially": 0.05}},
            "remote": {"gups": {"remote_share": 0.5, "parcel_bytes": 30000, "elements_in_parcel": 100}}}})
        self.assertIn("| gups | 50 | 200 (0.25) | 100 (0.50) |", page)
        self.assertIn("| gups | 50.0 / 87.5 | 100 | 30,000 / 65,440 |", page)
        self.assertLessEqual(max(len(line) for line in page.splitlines() if not line.startswith("|")), 100)


def quick_net(folder):
    """The same at several places."""
    subprocess.run([str(SCRIPT), "--net", "--quick", "--no-build", "--output", str(folder)], check=True)
    measured = json.loads((folder / "measurements" / "evaluation-net.json").read_text())["sections"]
    if list(measured) != list(net_sections.SECTIONS):
        sys.exit(f"only {', '.join(measured)} were measured at several places")
    remote = measured["remote"]["gups"]["remote_share"]
    if not 0.7 < remote < 0.8:
        sys.exit(f"of four places each sends three quarters to others, and not {remote}")


def quick(folder):
    """All sections on small sizes, with every answer checked: JSON, CSV, plots and page are there."""
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([str(SCRIPT), "--quick", "--no-build", "--output", str(folder)], check=True)
    measured = json.loads((folder / "measurements" / "evaluation-host.json").read_text())["sections"]
    missing = [name for name in host_sections.SECTIONS if name not in measured]
    missing += [str(path) for path in (*(folder / "measurements" / f"host-{name}.csv" for name, rows in measured.items() if rows),
                                       *(folder / "figures" / f"{name}.svg" for name in ("figure15", "figure17", "figure18", "table5")),
                                       folder / "evaluation" / "host.md", folder / "results.md") if not path.exists() or path.stat().st_size == 0]
    if missing:
        sys.exit(f"missing: {', '.join(missing)}")
    if shutil.which("mpirun"):
        quick_net(folder)
    page = " ".join((folder / "evaluation" / "host.md").read_text().split())
    claims = [claim for claim in ("As in the paper", "is the paper's", "No other policy was faster", "starve the device") if claim in page]
    if claims:
        sys.exit(f"the page of a quick run concludes: {', '.join(claims)}")
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
