"""Compiles a generated program in both ways, runs it with random settings, and says how the two differ."""

import json
import os
import random
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUN_SECONDS, COMPILE_SECONDS = 30, 300
SETTING_NAMED = re.compile(r"CHANNELS_(MEMORY|LEVELS|CAPACITY|BATCH|DONE_GROUP|WIDTH|HEAP|DEVICE_STACK|AGGREGATOR)")


@dataclass
class Ended:
    status: object  # an exit status, or "timeout"
    output: str
    errors: str

    @staticmethod
    def of(command, seconds, settings=None):
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith("CHANNELS_") or k in ("CHANNELS_CACHE", "CHANNELS_CXX")}
        environment.update(settings or {})
        with subprocess.Popen([str(part) for part in command], env=environment, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                output, errors = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                output, errors = process.communicate()
                return Ended("timeout", output, errors)
        return Ended(process.returncode, output, errors)


@dataclass
class Difference:
    kind: str  # compiler, output, status, timeout, file, generator
    what: str
    settings: dict = field(default_factory=dict)
    wanted: str = ""
    found: str = ""
    first: int = 0  # the program in the batch that differs

    def same_kind(self, other):
        if other is None or self.kind != other.kind:
            return False
        return self.kind not in ("compiler",) or first_error(self.what) == first_error(other.what)


def first_error(text):
    """The first error's message, without the program's own names and numbers."""
    for line in text.splitlines():
        if "error:" in line or "Assertion" in line:
            return re.sub(r"'[^']*'|\d+", "", line.split("error:")[-1])
    return text[:80]


@dataclass
class Toolchain:
    compiler: Path
    include: Path = ROOT / "include"
    lowerings: dict = field(default_factory=dict)  # what selects each on the command line
    c: str = "clang-19"
    cxx: str = "clang++-19"

    @staticmethod
    def find(compiler):
        if compiler is None:
            builds = sorted(ROOT.glob("build/*/compiler/cilk2chan/cilk2chan"), key=os.path.getmtime)
            compiler = builds[-1] if builds else shutil.which("cilk2chan")
        if compiler is None:
            raise SystemExit("no cilk2chan: build it, or name it with --compiler")
        # A compiler that lowers in one way only has no option for it.
        two = "--tasks" in Ended.of([compiler, "--help"], RUN_SECONDS).output
        three = {"tasks": ["--tasks"], "host_code": [], "emulated": ["--device=emulated", "--device-aggregator"]}
        return Toolchain(Path(compiler), lowerings=three if two else {"tasks": []})

    def elision(self, sources, output, options=("-O1",)):
        cxx = sources[0].suffix == ".cpp"
        language = ["-x", "c++", "-std=gnu++20"] if cxx else ["-x", "c", "-std=gnu17"]
        return Ended.of([self.cxx if cxx else self.c, *language, "-w", *options, "-I", self.include, *sources,
                         "-pthread", "-o", output], COMPILE_SECONDS)

    def checked(self, sources, output):
        """The elision with every check that there is, in two programs; what fails is the generator's fault."""
        for sanitizers in ("address,undefined", "memory"):
            options = ("-O0", f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", "-Werror=uninitialized")
            compiled = self.elision(sources, output, options)
            run = Ended.of([output], RUN_SECONDS) if compiled.status == 0 else compiled
            if run.status != 0:
                break
        return run

    def lowered(self, mode, sources, output, options):
        return Ended.of([self.compiler, *self.lowerings[mode], *options, "-w", *sources, "-o", output], COMPILE_SECONDS)


def suffix_of(language):
    return ".cpp" if language == "c++" else ".c"


def written_for(mode):
    """What the programs are made of. A device runs what becomes tasks, in the normal form, too."""
    return mode


# Files beside the program; compare_run knows where that is.
INSTRUMENTS = {"CHANNELS_TRACE": "@.trace", "CHANNELS_STATS": "json:@.stats", "CHANNELS_GRAPH": "@.dot"}
# What may be too little. Without all of them there is room for every program.
LIMITS = ("MEMORY", "LEVELS", "CAPACITY", "BATCH", "DONE_GROUP", "HEAP", "DEVICE_STACK", "FORCE_YIELD", "AGGREGATOR")


def random_settings(seed, mode):
    """Settings for one run: small machines and large ones, little memory, all rules, refusals, instruments."""
    pick = random.Random(f"settings {seed}")
    chosen = {"CHANNELS_CUS": pick.choice(("1", "2", "3", "1", "2", "3", "7", "64")), "CHANNELS_TIMEOUT": "20",
              "FUZZ_WAY": pick.choice(("plain", "plain", "threads", "early"))}
    for name, value in INSTRUMENTS.items():
        if pick.random() < 0.15:
            chosen[name] = value
    if mode == "host_code":
        chosen["CHANNELS_GIVE"] = pick.choice(("always", "random", "random", "auto", "never"))
        chosen["CHANNELS_SEED"] = str(pick.randrange(1000))
        chosen["CHANNELS_ORDER"] = pick.choice(("depth-first", "channels"))
        if chosen["CHANNELS_ORDER"] == "depth-first":
            return chosen
    if mode == "emulated":
        chosen["CHANNELS_DEVICE"] = "emulated"
        chosen["CHANNELS_SEED"] = str(pick.randrange(1000))
        chosen["CHANNELS_ORDER"] = pick.choice(("depth-first", "channels"))
        if chosen["CHANNELS_ORDER"] == "depth-first":
            chosen["CHANNELS_MEMORY"] = pick.choice(("256K", "4M", "256M"))
            chosen["CHANNELS_FORCE_YIELD"] = pick.choice(("0", "0.05", "0.5"))
            return chosen
        chosen["CHANNELS_AGGREGATOR"] = pick.choice(("host", "device"))
    choices = {"CHANNELS_WIDTH": ("8", "16", "24", "32", "64"),
               "CHANNELS_READINESS": ("levelized", "counted"),
               "CHANNELS_LEVELS": ("0", "0", "0", "3", "6", "12"),
               "CHANNELS_MEMORY": ("64K", "256K", "1M", "4M", "16M", "64M", "256M"),
               "CHANNELS_CAPACITY": ("64", "256", "1024", "16384"),
               "CHANNELS_BATCH": ("1", "7", "64", "8192"),
               "CHANNELS_DONE_GROUP": ("1", "2", "8", "64"),
               "CHANNELS_FORCE_YIELD": ("0", "0.05", "0.3", "0.6")}
    for name, values in choices.items():
        if pick.random() < 0.6:
            chosen[name] = pick.choice(values)
    if chosen.get("CHANNELS_FORCE_YIELD") == "0.6" and chosen.get("CHANNELS_LEVELS", "0") != "0":
        # Whether room or luck is missing takes a million attempts to tell, each of them a batch.
        chosen["CHANNELS_FORCE_YIELD"] = "0.4"
    if mode == "emulated" and "CHANNELS_FORCE_YIELD" in chosen:
        chosen["CHANNELS_FORCE_YIELD"] = pick.choice(("0", "0.05", "0.2"))  # likewise, and batches are slow
    if "CHANNELS_FORCE_YIELD" in chosen:
        chosen["CHANNELS_SEED"] = str(pick.randrange(1000))
    return chosen


def compare_run(program, wanted, settings):
    """Runs `program` with `settings` and compares with the elision's output: the differences, and how many of its
    programs ended because a limit was too tight, which is no fault if the message says which limit it was, and if the
    program is right without limits."""
    given = settings
    settings = {name: value.replace("@", str(program)) for name, value in given.items()}
    run = Ended.of([program], RUN_SECONDS, settings)
    if run.status == 0 and run.output == wanted.output:
        broken = broken_files(program)
        return ([Difference("file", broken, given, first=-1)] if broken else []), 0
    ample = {k: v for k, v in settings.items() if k.removeprefix("CHANNELS_") not in LIMITS}
    differences, exhausted = [], 0
    lines = wanted.output.splitlines()
    for index, line in enumerate(lines):
        alone = Ended.of([program, index, index], RUN_SECONDS, settings)
        if out_of_room(alone):
            exhausted += 1
            alone = Ended.of([program, index, index], RUN_SECONDS, ample)
        if alone.status != 0 or alone.output != line + "\n":
            differences.append(difference(alone, line + "\n", given, index))
    if not differences and not exhausted:
        # Programs that run in threads share the memory: there may be room for each, and none for all.
        if out_of_room(run):
            exhausted += 1
            run = Ended.of([program], RUN_SECONDS, ample)
        if run.status != 0 or run.output != wanted.output:
            differences.append(difference(run, wanted.output, given, -1))
    return differences, exhausted


def out_of_room(run):
    return run.status == 1 and SETTING_NAMED.search(run.errors)


def broken_files(program):
    """What instruments wrote is whole: what is not, or an empty text."""
    for suffix in (".trace", ".stats", ".dot"):
        path = Path(f"{program}{suffix}")
        if not path.exists():
            continue
        text = path.read_text(errors="replace")
        path.unlink()
        try:
            if suffix != ".dot":
                json.loads(text)
            elif not text.rstrip().endswith("}"):
                return f"{path.name} has no end"
        except ValueError as wrong:
            return f"{path.name}: {wrong}"
    return ""


def difference(run, wanted, settings, index):
    kind = "timeout" if run.status == "timeout" else "status" if run.status != 0 else "output"
    said = run.errors.strip()[:2000]
    return Difference(kind, f"exit status {run.status}; {said}", settings, wanted, run.output, index)


def compile_difference(ended):
    what = ended.errors.strip() or f"exit status {ended.status}"
    if ended.status not in (0, 1):
        what = f"exit status {ended.status}\n{what}"
    return Difference("compiler", what)
