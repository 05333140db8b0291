"""CHANNELS_STATS=json: and CHANNELS_GRAPH."""

import os
import re
import time
import subprocess
import unittest

from observed import PROGRAM, ObservedTest, fib, tasks_of_fib


class Documents(ObservedTest):
    def test_count_what_the_program_did_and_say_with_which_settings(self):
        j = self.document("fib", 18, CUS=2, CAPACITY=256, MEMORY="8M")
        self.assertEqual((j["schema"], j["form"], j["order"]), (1, "compiled", "depth-first"))
        self.assertEqual(j["program"], os.path.basename(PROGRAM))
        self.assertEqual(j["arguments"], ["fib", "18"])
        self.assertRegex(j["written"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(j["device"], "host")
        self.assertEqual(j["settings"]["CHANNELS_CAPACITY"], 256)
        self.assertEqual(j["settings"]["CHANNELS_MEMORY"], 8 << 20)
        self.assertEqual(j["settings"]["CHANNELS_BATCH"], 8192, "a default")
        self.assertEqual(j["compute_units"], 2)
        self.assertEqual(j["runs"], 1)
        self.assertEqual(j["tasks"], tasks_of_fib(18))
        self.assertEqual(j["continuations"], (tasks_of_fib(18) - 1) // 2)
        self.assertGreater(j["wall_ns"], j["run_ns"])
        self.assertLessEqual(j["memory_high_water"], j["memory_limit"])
        self.assertNotIn("error", j)

    def test_have_figures_by_node_unit_and_size_that_add_up(self):
        for rule in ("levelized", "counted"):
            j = self.document("tree", 3, CUS=2, FORCE_YIELD=0.4, READINESS=rule)
            total = lambda of, field: sum(entry[field] for entry in j[of])  # noqa: E731
            self.assertGreater(j["yields"], 0)
            self.assertEqual([n["name"] for n in j["nodes"]], ["tree", "tree.cont"])
            self.assertEqual(len(j["units"]), 2)
            for of in ("nodes", "units", "batch_sizes"):
                self.assertEqual(total(of, "batches"), j["batches"], of)
            for field in ("retries", "yields", "restarts", "wavefronts"):
                self.assertEqual(total("nodes", field), j[field], field)
            self.assertEqual(total("nodes", "elements"), total("units", "elements"))
            self.assertEqual(sum(u["busy_ns"] for u in j["units"]), j["busy_ns"])
            self.assertAlmostEqual(total("nodes", "busy_ns"), j["busy_ns"], delta=4)
            self.assertLessEqual(sum(j["aggregator_ns"].values()), j["run_ns"])
            waiting = 1 - j["busy_ns"] / (j["compute_units"] * j["run_ns"])
            self.assertAlmostEqual(j["units_waiting"], max(0, waiting), places=6)

    def test_put_batches_into_the_sizes_that_they_have(self):
        j = self.document("fib", 15, CUS=1, BATCH=1)
        self.assertEqual(j["batch_sizes"], [{"up_to": 1, "batches": j["batches"]}])
        j = self.document("fib", 18, CUS=1, BATCH=6)
        self.assertEqual([s["up_to"] for s in j["batch_sizes"]], [1, 2, 4, 8])

    def test_add_runs_up(self):
        j = self.document("fibs", 16, CUS=1)
        self.assertEqual(j["runs"], 2)
        self.assertEqual(j["tasks"], tasks_of_fib(16) + tasks_of_fib(15))
        self.assertEqual(sum(n["elements"] for n in j["nodes"]), j["batch_elements"])

    def test_are_one_of_host_code_and_channels_together(self):
        j = self.document("both", 16, CUS=2, GIVE="always")
        self.assertEqual(j["tasks"], tasks_of_fib(16))
        host = j["host_code"]
        self.assertEqual(host["given"], host["taken_back"] + host["stolen"])
        self.assertGreater(host["given"], 0)
        self.assertNotIn("tasks", self.document("host", 16, CUS=2))

    def test_go_to_stderr_and_to_a_file_without_json_in_its_name(self):
        done = self.run_program("fib", 10, STATS="json")
        self.assertIn(f'"tasks": {tasks_of_fib(10)}', done.stderr)
        self.run_program("fib", 10, STATS=self.path("counts"))
        self.assertEqual(self.read(self.path("counts"))["tasks"], tasks_of_fib(10))

    def test_tell_of_a_run_that_failed(self):
        j = self.document("fib", 20, status=1, LEVELS=5)
        self.assertIn("CHANNELS_LEVELS", j["error"])
        self.assertEqual(j["runs"], 1)
        self.assertGreater(j["tasks"], 0)

    def test_of_a_file_that_cannot_be_written_say_so(self):
        for what in ("fib", "host"):
            for setting, value in (("STATS", "json:/nowhere/at.all"), ("TRACE", "/nowhere/at.all"),
                                   ("GRAPH", "/nowhere/at.all")):
                done = self.run_program(what, 10, status=1, **{setting: value})
                self.assertIn(f"CHANNELS_{setting}={value}: cannot write that file: No such file or directory",
                              done.stderr)
                self.assertEqual(done.stdout, "")

    def test_are_not_asked_for_by_values_that_say_nothing(self):
        for value in ("json:", "2", "yes"):
            done = self.run_program("fib", 10, status=1, STATS=value)
            self.assertIn(f"CHANNELS_STATS={value}: expected", done.stderr)
        self.assertEqual(self.run_program("fib", 10, STATS="0").stderr, "")

    def test_are_missed_by_a_name_that_is_no_setting(self):
        done = self.run_program("fib", 10, status=1, STAT="1")
        self.assertIn("CHANNELS_STAT=1: there is no setting of that name; the nearest is CHANNELS_STATS",
                      done.stderr)


class Graphs(ObservedTest):
    def test_have_what_went_through_them(self):
        file = self.path("fib.dot")
        j = self.document("fib", 16, CUS=1, GRAPH=file)
        with open(file, encoding="utf-8") as opened:
            dot = opened.read()
        for node in j["nodes"]:
            self.assertIn(f"{node['elements']} elements in {node['batches']} batches", dot)
        for channel in j["channels"]:
            self.assertIn(f"{channel['elements']} reserved in all", dot)
            self.assertIn(f"{channel['most_live']} at most in one of {channel['largest_capacity']}", dot)
        self.assertFalse(os.path.exists(file + ".next"))

    def test_have_what_channels_hold_while_the_run_goes_on(self):
        file = self.path("slow.dot")
        running = subprocess.Popen([PROGRAM, "slow", "100"], env=self.environment(CUS=1, GRAPH=file),
                                   stdout=subprocess.DEVNULL)
        self.addCleanup(running.wait)
        live = ""
        while running.poll() is None and not live:
            time.sleep(0.05)
            if os.path.exists(file):
                with open(file, encoding="utf-8") as opened:
                    live = opened.read()
        self.assertTrue(re.search(r"\d+ levels\\n\d+ live, \d+ ready", live), live)
        self.assertEqual(running.wait(), 0)
        with open(file, encoding="utf-8") as opened:
            self.assertIn("101 elements in", opened.read())


if __name__ == "__main__":
    unittest.main()
