"""CHANNELS_STATS of programs on the graph API."""

import os
import re
import subprocess
import unittest

from observed import ObservedTest, fib

NODES_OF_TREE = lambda n: 2 * fib(n) - 1  # noqa: E731: elements that fib's graph consumes


class GraphStatistics(ObservedTest):
    program = os.environ["GRAPH_PROGRAM"]

    def test_are_one_document_of_all_runs(self):
        j = self.document("one", 15, CUS=2)
        self.assertEqual((j["program"], j["arguments"]), ("graph_program", ["one", "15"]))
        self.assertEqual((j["form"], j["order"], j["runs"]), ("interface", "channels", 1))
        self.assertEqual(j["batch_elements"], NODES_OF_TREE(15))
        self.assertEqual([n["name"] for n in j["nodes"]], ["split"])
        self.assertEqual(j["settings"]["CHANNELS_CUS"], 2)
        self.assertGreater(j["wall_ns"], j["run_ns"])
        self.assertNotIn("error", j)
        self.assertNotIn("runtimes", j)

    def test_add_up_runs_and_runtimes_of_the_same_settings(self):
        j = self.document("runs", 15, CUS=2)
        self.assertEqual(j["runs"], 3)
        self.assertEqual(j["batch_elements"], 3 * NODES_OF_TREE(15))
        self.assertNotIn("runtimes", j)

    def test_list_runtimes_of_different_settings(self):
        j = self.document("runtimes", 15)
        self.assertNotIn("runs", j)
        self.assertEqual([r["runs"] for r in j["runtimes"]], [1, 2])
        self.assertEqual([r["settings"]["CHANNELS_CUS"] for r in j["runtimes"]], [1, 2])
        self.assertEqual([r["batch_elements"] for r in j["runtimes"]], [NODES_OF_TREE(15), 2 * NODES_OF_TREE(15)])

    def test_are_a_table_at_the_end(self):
        done = self.run_program("runs", 15, CUS=2, STATS=1)
        self.assertEqual(done.stdout, f"{3 * fib(15)}\n")
        self.assertEqual(re.findall(r"^\w+", done.stderr)[0], "run")
        self.assertEqual(len(re.findall(r"(?m)^batches ", done.stderr)), 1)
        done = self.run_program("runtimes", 15, STATS=1)
        self.assertEqual(re.findall(r"(?m)^runtime +(\S+)$", done.stderr), ["CHANNELS_CUS=1", "CHANNELS_CUS=2"])
        self.assertEqual(len(re.findall(r"(?m)^batches ", done.stderr)), 2)

    def test_go_to_stderr_as_json(self):
        done = self.run_program("one", 12, STATS="json")
        self.assertIn(f'"batch_elements": {NODES_OF_TREE(12)}', done.stderr)

    def test_count_what_goes_from_place_to_place(self):
        j = self.document("places", 100)
        sent = {(link["here"], link["place"]): link["elements_sent"] for link in j["links"]}
        self.assertEqual(sent, {(0, 1): 100, (0, 2): 200, (1, 2): 100, (1, 0): 200, (2, 0): 100, (2, 1): 200})
        self.assertEqual(list(sent), sorted(sent))
        for link in j["links"]:
            self.assertEqual(link["elements_arrived"], sent[link["place"], link["here"]])
            self.assertGreaterEqual(link["bytes_sent"], 4 * link["elements_sent"])
            self.assertGreaterEqual(link["parcels_sent"], 1)
        self.assertIn("\nplace 0   to 1           100     elements in ", self.run_program("places", 100, STATS=1).stderr)
        self.assertNotIn("links", self.document("one", 12))

    def test_of_several_ranks_are_several_files(self):
        for variable in ("OMPI_COMM_WORLD_RANK", "PMI_RANK"):
            for rank, name in (("0", "ranks.json"), ("3", "ranks.3.json"), ("12", "ranks.12.json")):
                environment = self.environment(STATS=f"json:{self.path('ranks.json')}", TRACE=self.path("trace.json"))
                subprocess.run([self.program, "one", "12"], env={**environment, variable: rank}, check=True,
                               capture_output=True, timeout=60)
                self.assertEqual(self.read(self.path(name))["batch_elements"], NODES_OF_TREE(12))
                self.assertTrue(os.path.exists(self.path(name.replace("ranks", "trace"))))
                for file in os.listdir(self.folder):
                    os.remove(self.path(file))

    def test_have_the_message_of_a_run_that_failed(self):
        j = self.document("fails", 12)
        self.assertIn("split gives up", j["error"])
        self.assertEqual(j["runs"], 1)

    def test_are_not_there_unless_asked_for(self):
        self.assertEqual(self.run_program("one", 12).stderr, "")


if __name__ == "__main__":
    unittest.main()
