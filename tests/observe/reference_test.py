"""The pages of docs/reference that are made from the code. With --update, writes them."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from observed import ObservedTest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "reference"
PAGES = ("settings", "statistics")


def printed(page):
    return subprocess.run([os.environ["REFERENCE_PAGES"], page], capture_output=True, text=True, check=True).stdout


def fields_of(value, prefix=""):
    """The names of all fields of a document: `a`, `a.b` of an object, `b` of an object in a list."""
    for name, inner in value.items():
        if isinstance(inner, dict) and prefix + name != "settings":
            yield from fields_of(inner, f"{name}.")
            continue
        yield prefix + name
        for entry in inner if isinstance(inner, list) else []:
            if isinstance(entry, dict):
                yield from fields_of(entry)


class ReferencePages(ObservedTest):
    maxDiff = None

    def test_say_what_the_code_says(self):
        for page in PAGES:
            with self.subTest(page):
                self.assertEqual((FOLDER / f"{page}.md").read_text(encoding="utf-8"), printed(page),
                                 "scripts/reference writes the page")

    def test_have_every_field_of_a_document(self):
        page = printed("statistics")
        for arguments in (("fib", 12), ("both", 12)):
            for field in fields_of(self.document(*arguments, CUS=2)):
                self.assertRegex(page, rf"`{re.escape(field)}`", field)

    def test_have_every_setting_of_a_document(self):
        table = printed("settings").split("Any other variable")[0]
        named = re.findall(r"^\| `(CHANNELS_\w+)`", table, re.MULTILINE)
        not_in_documents = ["CHANNELS_STATS", "CHANNELS_HELP"]
        self.assertEqual([n for n in named if n not in not_in_documents], [*self.document("fib", 12)["settings"]])


def update():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for page in PAGES:
        (FOLDER / f"{page}.md").write_text(printed(page), encoding="utf-8")
        print(f"docs/reference/{page}.md")


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        update()
    else:
        unittest.main()
