"""channels-report: a page of real runs, every number of which comes from the files."""

import html.parser
import json
import os
import re
import subprocess
import sys
import unittest

from observed import ObservedTest

REPORT = os.environ["CHANNELS_REPORT"]


class Page(html.parser.HTMLParser):
    """Takes a page apart: its figures, the rest of its text, and what it would load."""

    VOID = {"meta", "link", "img", "br", "hr", "input"}
    # Text that comes from the files as it is, and what is no text.
    AS_IT_IS = {"code", "title", "h1", "style"}

    def __init__(self, text):
        super().__init__()
        self.stack, self.figures, self.text, self.loads = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.loads += [v for k, v in attributes.items() if k in ("src", "href", "srcset", "action")]
        if tag not in self.VOID:
            self.stack.append((tag, attributes))

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        while self.stack.pop()[0] != tag:
            pass

    def handle_data(self, data):
        tag, attributes = self.stack[-1] if self.stack else ("", {})
        classes = attributes.get("class", "").split()
        if "figure" in classes:
            self.figures.append((int(attributes["data-run"]), attributes["data-from"], attributes["data-form"], data))
        elif tag not in self.AS_IT_IS and not {"run", "label"} & set(classes):
            self.text.append(data)


class Fields(dict):
    """The fields of a document as names, for Python itself to compute with."""

    def __getattr__(self, name):
        return of(self[name])


def of(value):
    return Fields(value) if isinstance(value, dict) else [of(v) for v in value] if isinstance(value, list) else value


def expected(document, expression):
    values = lambda c, f=None: list(c.values()) if isinstance(c, dict) else [e[f] for e in c]  # noqa: E731
    names = {k: of(v) for k, v in document.items()}
    names.update(total=lambda *a: sum(values(*a)), most=lambda *a: max(values(*a)), least=lambda *a: min(values(*a)))
    return eval(expression, {"__builtins__": {}}, names)  # noqa: S307: our own expressions


UNITS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30,
         "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "%": 0.01}


class Reports(ObservedTest):
    def report(self, *files, status=0):
        page = self.path("page.html")
        done = subprocess.run([sys.executable, REPORT, *files, "-o", page], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        if status != 0:
            return done.stderr
        with open(page, encoding="utf-8") as file:
            return file.read()

    def make(self, name, *arguments, status=0, **settings):
        file = self.path(name + ".json")
        self.run_program(*arguments, status=status, STATS=f"json:{file}", **settings)
        return file

    def test_has_only_numbers_that_come_from_the_files(self):
        files = [
            self.make("first", "fib", 18, CUS=2),
            self.make("narrow", "fib", 18, CUS=1, CAPACITY=16, BATCH=64),
            self.make("yielding", "tree", 3, CUS=2, FORCE_YIELD=0.4),
            self.make("host", "host", 18, CUS=2, GIVE="always"),
            self.make("failed", "fib", 20, status=1, LEVELS=5),
        ]
        documents = [self.read(f) for f in files]
        page = Page(self.report(*files))
        self.assertGreater(len(page.figures), 300)
        self.assertEqual({f[0] for f in page.figures}, {0, 1, 2, 3, 4})
        for run, expression, form, text in page.figures:
            value = expected(documents[run], expression)
            if form == "number":
                self.assertEqual(text, f"{value:,}", expression)
                continue
            if form in ("plain", "setting", "whole"):
                number = re.fullmatch(r"(\d+)([KMG]?)", text)
                if number is None:
                    self.assertEqual(text, str(value), expression)
                    continue
                unit = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}[number[2]]
                self.assertEqual(int(number[1]) * unit, int(value), expression)
                continue
            parts = re.fullmatch(r"([0-9.e-]+) ?([^\d/]*)(/s)?", text)
            shown = float(parts[1]) * UNITS[parts[2]]
            # Three digits, or one tenth of a percent.
            self.assertAlmostEqual(shown, value, delta=max(abs(value) * 0.0051, 0.00051 if form == "percent" else 0),
                                   msg=f"{expression}: {text}")
        # What is not a figure has no number: but dates, and what the program said when it failed.
        known = [d["written"].replace("T", " ").replace("Z", "") for d in documents] + [
            d.get("device_name", "") for d in documents]
        error = documents[4]["error"].splitlines()[0]
        for text in page.text:
            for allowed in [error, *filter(None, known)]:
                text = text.replace(allowed, "")
            self.assertNotRegex(text, r"\d", text)

    def test_shows_who_sent_how_much_to_whom(self):
        self.program = os.environ["GRAPH_PROGRAM"]
        page = Page(self.report(self.make("places", "places", 100)))
        shown = {f[1]: f[3] for f in page.figures}
        self.assertEqual([shown[f"links[{i}].elements_sent"] for i in range(6)], ["100", "200", "200", "100", "100", "200"])
        self.assertEqual(shown['links[0].elements_sent / total(links, "elements_sent")'], "11.1 %")

    def test_needs_no_network(self):
        text = self.report(self.make("one", "fib", 15))
        self.assertEqual(Page(text).loads, [])
        self.assertNotIn("url(", text)
        self.assertNotIn("<script", text)
        self.assertNotIn("@import", text)

    def test_says_what_limited_a_run_and_what_to_try(self):
        def said(name, *arguments, **settings):
            text = self.report(self.make(name, *arguments, **settings))
            items = re.search(r"What limited it(.*?)</section>", text, re.S)[1]
            return re.sub(r"<[^>]*>", "", items)

        self.assertIn("leave it out", said("forced", "tree", 3, CUS=2, FORCE_YIELD=0.4))
        self.assertIn("try CHANNELS_MEMORY=256K", said("memory", "fib", 20, CUS=2, MEMORY="64K"))
        self.assertIn("CHANNELS_CAPACITY=64", said("capacity", "fib", 20, CUS=2, CAPACITY=16))
        self.assertIn("CHANNELS_READINESS=levelized", said("counted", "fib", 20, CUS=2, READINESS="counted"))
        self.assertIn("The run failed", said("failed", "fib", 20, status=1, LEVELS=5))

    def document_of(self, name, **fields):
        """A file of a run through channels, of this program, with these fields changed."""
        with open(self.made, encoding="utf-8") as file:
            document = json.load(file)
        document["settings"].update(fields.pop("settings", {}))
        with open(self.path(f"{name}.json"), "w", encoding="utf-8") as file:
            json.dump({**document, **fields}, file)
        return self.path(f"{name}.json")

    def first_sight(self, *files):
        items = re.search(r"At first sight(.*?)</section>", self.report(*files), re.S)
        return re.sub(r"<[^>]*>", "", items[1]) if items else ""

    def test_says_the_obvious_first(self):
        self.made = self.make("made", "fib", 12, CUS=2)
        units = [{"batches": 14, "elements": 14, "busy_ns": 1}, {"batches": 5986, "elements": 9, "busy_ns": 2}]
        lazy = self.document_of("lazy", units=units, batches=6000)
        self.assertIn("lazy: one unit ran 14 of 6,000 batches.", self.first_sight(lazy))
        even = self.document_of("even", units=[units[1], units[1]], batches=11972)
        self.assertNotIn("one unit", self.first_sight(even))

        def of(name, cus, ms):
            return self.document_of(name, wall_ns=int(ms * 1e6), settings={"CHANNELS_CUS": cus}, units=[units[1]])

        one, two, near = of("one", 1, 100), of("two", 2, 130), of("near", 2, 104)
        said = self.first_sight(one, two)
        self.assertIn("2 units lost to 1 unit: 130 ms against 100 ms.", said)
        self.assertIn("one: was the fastest: 100 ms; the next took 130 ms.", said)
        self.assertEqual(self.first_sight(one, near), "", "a difference that may be noise")
        other = self.document_of("other", wall_ns=10**9, arguments=["fib", "40"], units=[units[1]])
        self.assertEqual(self.first_sight(one, other), "", "another problem")

    def test_gives_no_advice_that_the_program_cannot_follow(self):
        self.made = self.make("made", "fib", 12, CUS=2)

        def said(name, **fields):
            text = self.report(self.document_of(name, **fields))
            return re.sub(r"<[^>]*>", "", re.search(r"What limited it(.*?)</section>", text, re.S)[1])

        idle = {"units_waiting": 0.9, "cut_by_room": 0, "aggregator_ns": {"lent": 0, "idle": 10, "collect": 0}}
        self.assertIn("CHANNELS_ORDER=depth-first", said("compiled", **idle))
        graph = said("graph", form="interface", continuations=0, **idle)
        self.assertIn("A larger problem", graph)
        for setting in ("CHANNELS_ORDER", "CHANNELS_READINESS"):
            self.assertNotIn(setting, graph)
        self.assertNotIn("CHANNELS_CUS", said("single", compute_units=1, **idle))
        narrow = said("gpu", device="cuda", lanes_active=0.1)
        self.assertNotIn("CHANNELS_WIDTH", narrow)
        self.assertNotIn("dispatch_when", narrow)
        self.assertNotIn("CHANNELS_MEMORY=0", said("given", retries=10**6, settings={"CHANNELS_MEMORY": 0}))

    def test_has_a_column_for_each_of_different_runtimes(self):
        self.program = os.environ["GRAPH_PROGRAM"]
        text = self.report(self.make("both", "runtimes", 12))
        for name in ("both, runtime 1", "both, runtime 2"):
            self.assertIn(name, text)
        self.assertIn("CHANNELS_CUS=", text)

    def test_names_documents_that_there_are(self):
        footer = re.search(r"<footer>(.*?)</footer>", self.report(self.make("one", "fib", 12)), re.S)[1]
        root = os.path.join(os.path.dirname(REPORT), "..", "..")
        named = re.findall(r"docs/[\w./#-]+", footer)
        self.assertGreater(len(named), 1)
        for path in named:
            file, _, heading = path.partition("#")
            with open(os.path.join(root, file), encoding="utf-8") as opened:
                headings = [line.strip("# \n").lower().replace(" ", "-") for line in opened if line.startswith("#")]
            self.assertTrue(not heading or heading in headings, path)

    def test_shows_settings_beside_names_in_their_units(self):
        text = self.report(self.make("a", "fib", 12, CUS=1, MEMORY="64M"), self.make("b", "fib", 12, CUS=1, MEMORY="8M"))
        plain = re.sub(r"<[^>]*>", "", text)
        self.assertIn("a CHANNELS_MEMORY=64M", plain)
        self.assertIn("b CHANNELS_MEMORY=8M", plain)
        self.assertNotIn("67108864", plain)

    def test_knows_which_settings_are_bytes(self):
        sys.path.insert(0, os.path.dirname(REPORT))
        import figures
        page = os.path.join(os.path.dirname(REPORT), "..", "..", "docs", "reference", "settings.md")
        with open(page, encoding="utf-8") as file:
            rows = re.findall(r"^\| `(\w+)` \| (?:most )?bytes ", file.read(), re.MULTILINE)
        self.assertEqual(figures.BYTES, set(rows))

    def test_shows_settings_that_differ_apart(self):
        text = self.report(self.make("a", "fib", 12, CUS=1, BATCH=64), self.make("b", "fib", 12, CUS=1, BATCH=32))
        different = re.search(r"<h3>Different</h3>(.*?)</table>", text, re.S)[1]
        self.assertEqual(re.findall(r"<code>(\w+)</code>", different), ["CHANNELS_BATCH"])

    def test_escapes_what_programs_are_called(self):
        file = self.make("<i>x", "fib", 12)
        self.assertNotIn("<i>x", self.report(file))

    def test_refuses_what_is_no_document_and_names_the_file(self):
        for name, content in (("no.json", "{"), ("other.json", "[1]"), ("old.json", '{"tasks": 1}')):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(content)
            self.assertIn(name, self.report(self.path(name), status=1))
        self.assertIn("missing.json", self.report(self.path("missing.json"), status=1))

    def test_explains_itself(self):
        done = subprocess.run([sys.executable, REPORT, "--help"], capture_output=True, text=True, check=True)
        self.assertIn("CHANNELS_STATS=json:", done.stdout)
        done = subprocess.run([sys.executable, REPORT, "--version"], capture_output=True, text=True, check=True)
        self.assertRegex(done.stdout, r"^channels-report \d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
