"""Lines of code of the functions that spawn, in each competitor's source: blank lines and comments do not count."""

import re

from runner import ROOT

# program: {competitor: (file, functions)}. What Cilk, oneTBB and OpenMP share (kernels, input, check) is not in it; programs
# in whose Cilk source kernel and spawns are one function are left out.
SOURCES = {
    "fib": {"cilk": ("examples/corpus/fib.c", ["fib"]), "onetbb": ("bench/corpus/tbb/fib.cpp", ["fib"]),
            "openmp": ("bench/fib/openmp.cpp", ["fib"])},
    "nqueens": {"cilk": ("examples/corpus/nqueens.c", ["nqueens"]),
                "onetbb": ("bench/corpus/tbb/nqueens.cpp", ["nqueens"])},
    "uts": {"cilk": ("examples/corpus/uts_sha1.c", ["search"]), "onetbb": ("bench/uts/onetbb.cpp", ["parallel_search"]),
            "openmp": ("bench/uts/openmp.cpp", ["parallel_search"])},
    "matmul": {"cilk": ("examples/corpus/matmul.c", ["rec_matmul"]),
               "onetbb": ("bench/corpus/tbb/matmul.hpp", ["rec_matmul"]),
               "openmp": ("bench/matmul/openmp.cpp", ["multiply"])},
    "knapsack": {"cilk": ("examples/corpus/knapsack.c", ["knapsack"]),
                 "onetbb": ("bench/corpus/tbb/knapsack.hpp", ["parallel_knapsack"]),
                 "openmp": ("bench/knapsack/openmp.cpp", ["parallel_knapsack"])},
    "skynet": {"cilk": ("examples/corpus/skynet.c", ["skynet"]), "onetbb": ("bench/skynet/onetbb.cpp", ["skynet"]),
               "openmp": ("bench/skynet/openmp.cpp", ["skynet"])},
}


def function(path, name):
    """The text of a function's definition, which begins and ends in the first column."""
    text = (ROOT / path).read_text()
    found = re.search(rf"^[a-z][^\n;=]*\b{name}\([^;]*?\) {{\n.*?^}}\n", text, re.M | re.S)
    if not found:
        raise SystemExit(f"evaluate: {path} has no function {name}")
    return found.group()


def lines_of(text):
    """Lines that are not blank once comments are taken out."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    return sum(1 for line in text.splitlines() if line.strip())


def count():
    """{program: {competitor: lines}}"""
    return {program: {who: sum(lines_of(function(path, name)) for name in names)
                      for who, (path, names) in competitors.items()}
            for program, competitors in SOURCES.items()}
