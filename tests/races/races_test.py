#!/usr/bin/env python3
"""races_test.py CILK2CHAN DIRECTORY [FILE...]: the programs of tests/races/programs, or some of them, with --races.

A program says in comments which races it has. `// RACE: A, B, S` is one for accesses at the lines A and B, in either
order, that the spawn or cilk_for at line S makes parallel. A line is named by `@name` in a comment on it, or is
`here`, the comment's own. A program has to report exactly its races.

Compilers take long, so many programs become one that runs all of them: C files keep their own functions and variables
(objcopy makes them local), C++ files stand in a namespace each.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / "programs"
REPORT = re.compile(r"^race: [a-z ]+ at (\S+?):(\d+) in .*? and [a-z ]+ at (\S+?):(\d+) in "
                    r".* the (?:spawn|cilk_for) at (\S+?):(\d+)(?: |$)")
MAIN = re.compile(r"^int main\((|void|int argc, char\*\* argv)\)", re.MULTILINE)
# Files that one call of cilk2chan compiles.
AT_ONCE = {".c": 24, ".cpp": 8}


class Failure(Exception):
    pass


def wanted(source):
    """The races that a program says it has, as {(line, line, line of the spawn)}."""
    lines = source.read_text().splitlines()
    named = {name: number for number, line in enumerate(lines, 1) for name in re.findall(r"//.*?@(\w+)", line)}
    races = set()
    for number, line in enumerate(lines, 1):
        for a, b, spawn in re.findall(r"RACE: (\w+), (\w+), (\w+)", line):
            a, b, spawn = (number if one == "here" else named[one] for one in (a, b, spawn))
            races.add((min(a, b), max(a, b), spawn))
    if "RACE" in "".join(lines) and not races:
        raise Failure(f"{source.name}: a comment about a race that cannot be read")
    return races


def command(*words, cwd=None):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=240, cwd=cwd)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")


def c_objects(cilk2chan, directory, sources):
    command(cilk2chan, "--races", "-c", *sources, cwd=directory)
    made = [directory / (source.stem + ".o") for source in sources]
    for source, one in zip(sources, made):
        entry = "run_" + source.stem
        command("objcopy", f"--redefine-sym=main={entry}", f"--keep-global-symbol={entry}", one)
    return made


def cxx_objects(cilk2chan, directory, sources):
    texts = [source.read_text() for source in sources]
    lines = sorted({line for text in texts for line in text.splitlines() if line.startswith("#include")})
    for source, text in zip(sources, texts):
        body, mains = MAIN.subn(lambda m: f"int run({m[1] or 'int, char**'})", text)
        if mains != 1:
            raise Failure(f"{source.name}: main is not 'int main()' or 'int main(int argc, char** argv)'")
        lines += [f"namespace of_{source.stem} {{", f'#line 1 "{source}"', body, "}",
                  f'extern "C" int run_{source.stem}(int argc, char** argv) '
                  f"{{ return of_{source.stem}::run(argc, argv); }}"]
    unit = directory / f"{sources[0].stem}_and_others.cpp"
    unit.write_text("\n".join(lines) + "\n")
    command(cilk2chan, "--races", "-c", unit, "-o", unit.with_suffix(".o"))
    return [unit.with_suffix(".o")]


def run_all(cilk2chan, directory, name, sources, objects):
    """{name of a source: its reports} of a program made of them all."""
    main = directory / f"{name}_main.c"
    calls = [f"run_{source.stem}" for source in sources]
    main.write_text("".join(f"int {call}(int, char**);\n" for call in calls) + "int main(int argc, char** argv) {\n" +
                    "".join(f"  {call}(argc, argv);\n" for call in calls) + "  return 0;\n}\n")
    program = directory / name
    command(cilk2chan, "--races", main, *objects, "-o", program)
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=120)
    told = {source.name: set() for source in sources}
    for line in done.stderr.replace("\n  of ", " of ").splitlines():
        if not line.startswith("race:"):
            continue
        found = REPORT.match(line)
        files = {pathlib.Path(found[i]).name for i in (1, 3, 5)} if found else set()
        if len(files) != 1 or not files <= set(told):
            raise Failure(f"a report without the program's places\n{line}")
        a, b, spawn = (int(found[i]) for i in (2, 4, 6))
        told[files.pop()].add((min(a, b), max(a, b), spawn))
    if done.returncode != (66 if any(told.values()) else 0):
        raise Failure(f"{program}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return told


def too_many_strands(cilk2chan, directory):
    """What is wrong with the end of a run that has too many strands, or nothing."""
    program = directory / "many_strands"
    command(cilk2chan, "--races", f"-I{HERE.parents[2]}", HERE.parent / "many_strands.cpp", "-o", program)
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    good = done.returncode == 1 and done.stdout == "" and "run the program on a smaller input" in done.stderr
    return [] if good else [f"many_strands: status {done.returncode}\n{done.stdout}{done.stderr}"]


def main():
    cilk2chan, directory = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).absolute()
    directory.mkdir(parents=True, exist_ok=True)
    sources = sorted(one for one in HERE.iterdir() if one.suffix in (".c", ".cpp"))
    if len(sys.argv) > 3:
        sources = [one for one in sources if one.name in sys.argv[3:]]
    kinds = {"racy_c": [], "racy_cpp": [], "clean": []}
    for one in sources:
        kinds["clean" if not wanted(one) else "racy_" + one.suffix[1:]].append(one)
    failures = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        building = {kind: [] for kind in kinds}
        for kind, those in kinds.items():
            for suffix, build in ((".cpp", cxx_objects), (".c", c_objects)):
                files = [one for one in those if one.suffix == suffix]
                building[kind] += [pool.submit(build, cilk2chan, directory, files[i:i + AT_ONCE[suffix]])
                                   for i in range(0, len(files), AT_ONCE[suffix])]
        many = None if len(sys.argv) > 3 else pool.submit(too_many_strands, cilk2chan, directory)
        for kind, those in kinds.items():
            try:
                objects = [one for part in building[kind] for one in part.result()]
                told = run_all(cilk2chan, directory, kind, those, objects)
                failures += [f"{one.name}: wanted {sorted(wanted(one))}, told {sorted(told[one.name])}"
                             for one in those if told[one.name] != wanted(one)]
            except Failure as failure:
                failures.append(str(failure))
        if many is not None:
            failures += many.result()
    for one in failures:
        print(one)
    racy = len(kinds["racy_c"]) + len(kinds["racy_cpp"])
    print(f"{racy} programs with races, {len(kinds['clean'])} without; {len(failures)} wrong")
    return 1 if failures or racy + len(kinds["clean"]) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
