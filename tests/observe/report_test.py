"""channels-report: a page of real runs, every number of which comes from the files."""

import html.parser
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


if __name__ == "__main__":
    unittest.main()
