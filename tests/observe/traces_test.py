"""CHANNELS_TRACE: the Trace Event Format."""

import collections
import unittest

from observed import ObservedTest


class Traces(ObservedTest):
    def traced(self, *arguments, status=0, **settings):
        """The trace's events by phase, and the document of the same run."""
        file = self.path("run.trace")
        document = self.document(*arguments, status=status, TRACE=file, **settings)
        self.trace = self.read(file)
        events = collections.defaultdict(list)
        for e in self.trace["traceEvents"]:
            events[e["ph"]].append(e)
        self.names = {
            (e["pid"], e["tid"]): e["args"]["name"] for e in events["M"] if e["name"] == "thread_name"
        }
        return events, document

    def on(self, events, track):
        return [e for e in events if self.names.get((e["pid"], e["tid"]), "").startswith(track)]

    def check_nesting(self, slices):
        """On a track, two slices are apart or one is inside the other."""
        by_track = collections.defaultdict(list)
        for e in slices:
            self.assertGreaterEqual(e["dur"], 0)
            self.assertGreaterEqual(e["ts"], 0)
            by_track[e["pid"], e["tid"]].append((round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000)))
        for track in by_track.values():
            open_ends = []
            for start, end in sorted(track, key=lambda s: (s[0], -s[1])):
                while open_ends and open_ends[-1] <= start:
                    open_ends.pop()
                if open_ends:
                    self.assertLessEqual(end, open_ends[-1])
                open_ends.append(end)

    def test_have_each_batch_on_its_unit(self):
        events, j = self.traced("fib", 18, CUS=2)
        batches = self.on(events["X"], "compute unit")
        self.assertEqual(len(batches), j["batches"])
        for node in j["nodes"]:
            mine = [b["args"] for b in batches if b["name"] == node["name"]]
            self.assertEqual(len(mine), node["batches"])
            self.assertEqual(sum(b["elements"] for b in mine), node["elements"])
            self.assertEqual(sum(b["wavefronts"] for b in mine), node["wavefronts"])
        for i, unit in enumerate(j["units"]):
            mine = self.on(events["X"], f"compute unit {i}")
            self.assertEqual(len(mine), unit["batches"])
            self.assertAlmostEqual(sum(b["dur"] for b in mine) * 1000, unit["busy_ns"],
                                   delta=10 * len(mine) + unit["busy_ns"] / 100)
        self.assertTrue(all(0 <= b["args"]["lanes_active_%"] <= 100 for b in batches))
        self.assertEqual(max(b["args"]["level"] for b in batches), 17)
        self.check_nesting(events["X"])

    def test_have_the_aggregators_phases(self):
        events, j = self.traced("fib", 18, CUS=1)
        time = collections.Counter()
        for e in self.on(events["X"], "aggregator"):
            time[e["name"]] += e["dur"] * 1000
        for phase, ns in j["aggregator_ns"].items():
            self.assertAlmostEqual(time[phase], ns, delta=ns / 50 + 20_000, msg=phase)
        self.assertAlmostEqual(time["run fib"], j["run_ns"], delta=j["run_ns"] / 50 + 100_000)

    def test_have_yields_retries_and_restarts(self):
        events, j = self.traced("tree", 3, CUS=2, FORCE_YIELD=0.4)
        for what, field in (("yield: ", "yields"), ("retry: ", "retries"), ("restart: ", "restarts")):
            found = sum(e["args"]["count"] for e in events["i"] if e["name"].startswith(what))
            self.assertEqual(found, j[field], field)
        self.assertGreater(j["yields"], 0)
        self.assertTrue(any(e["name"] == "tree.cont, restarted" for e in events["X"]))

    def test_have_what_channels_hold_and_nothing_at_the_end(self):
        events, j = self.traced("fib", 18, CUS=1)
        last, most = {}, collections.Counter()
        for e in events["C"]:
            last[e["name"]] = e["args"]["elements"]
            stack = e["name"].split(",")[0]
            most[stack] = max(most[stack], e["args"]["elements"])
        self.assertIn("fib, level 03", last)
        self.assertEqual(set(last.values()), {0})
        for channel in j["channels"]:
            self.assertGreater(most[channel["name"]], 0)
            self.assertLessEqual(most[channel["name"]], channel["most_live"])

    def test_of_deep_runs_have_a_counter_for_what_is_deeper(self):
        events, _ = self.traced("slow", 70, CUS=1)
        names = {e["name"] for e in events["C"]}
        self.assertIn("slow, level 64 and deeper", names)
        self.assertNotIn("slow, level 65", names)

    def test_keep_the_newest_and_say_how_many_were_dropped(self):
        events, j = self.traced("fib", 18, CUS=1, TRACE_EVENTS=16, BATCH=64)
        kept = self.on(events["X"], "compute unit")
        self.assertEqual(len(kept), 16)
        dropped = self.trace["otherData"]["dropped"]["channels on host, compute unit 0"]
        self.assertEqual(dropped + len(kept), j["batches"])
        self.assertEqual(self.trace["otherData"]["events_kept_for_each_track"], 16)
        notes = [e for e in events["i"] if e["name"] == f"{dropped} earlier events dropped"]
        self.assertEqual(len(notes), 1)
        self.assertEqual(notes[0]["ts"], min(e["ts"] for e in kept))
        self.assertEqual(kept[-1]["args"]["level"], 0, "the last thing that ran")

    def test_go_on_from_run_to_run(self):
        events, j = self.traced("fibs", 12, CUS=1)
        self.assertEqual(len([e for e in events["X"] if e["name"] == "run fib"]), 2)
        self.assertEqual(len(self.on(events["X"], "compute unit")), j["batches"])

    def test_have_what_host_code_gives_and_takes(self):
        events, j = self.traced("host", 18, CUS=2, GIVE="always")
        host = j["host_code"]
        slices = collections.Counter(e["name"] for e in events["X"])
        self.assertEqual(slices["stolen child"], host["stolen"])
        self.assertEqual(slices["child taken back"], host["taken_back"])
        self.assertEqual(slices["join waits"], host["joins_waited"])
        given = [e for e in events["i"] if e["name"] == "gives a child"]
        self.assertEqual(len(given), host["given"])
        self.check_nesting(events["X"])

    def test_are_there_of_a_run_that_failed(self):
        events, j = self.traced("fib", 20, status=1, LEVELS=5)
        self.assertEqual(len(self.on(events["X"], "compute unit")), j["batches"])

    def test_of_a_file_that_cannot_be_written_end_the_program_before_it_runs(self):
        for what in ("fib", "host"):
            done = self.run_program(what, 10, status=1, TRACE="/nowhere/at.all", CUS=2)
            self.assertIn("CHANNELS_TRACE=/nowhere/at.all", done.stderr)


if __name__ == "__main__":
    unittest.main()
