#!/usr/bin/env python3
"""Compiles programs of examples/corpus and compares what they print with expected.txt.

corpus.py elision CLANG DIRECTORY [NAME...]    the elision, by Clang, with sanitizers and warnings as errors
corpus.py compiled CILK2CHAN DIRECTORY [NAME...]    compiled, in several settings
corpus.py emulated CILK2CHAN DIRECTORY [NAME...]    compiled for the emulated device, the first case of each
corpus.py sanitized CILK2CHAN DIRECTORY [NAME...]    compiled with each sanitizer, the first cases of each
corpus.py expect CLANG DIRECTORY    writes expected.txt anew, for the commands that it has

Prints what differs. The exit status is 1 if anything did.
"""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples" / "corpus"))
import programs  # noqa: E402

SANITIZE = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Werror"]
TIMEOUT = 300


def build(command, program):
    """True if the command succeeded; says what went wrong otherwise."""
    program.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=TIMEOUT)
    if done.returncode == 0:
        return True
    print(f"{program.name}: not compiled, status {done.returncode}: {' '.join(map(str, command))}")
    print(done.stdout + done.stderr)
    return False


def elision(clang, name, directory, options):
    """The elision's program, or None."""
    # clang-19's C++ driver is its neighbour clang++-19.
    compiler = clang.replace("clang", "clang++") if programs.is_cxx(name) else clang
    program = directory / (name + ".elision")
    command = [compiler, *options, "-I", ROOT / "include", *programs.sources(name), *programs.flags(name),
               "-o", program]
    return program if build(command, program) else None


def settings_of(program):
    """The environments to run a compiled program in; CHANNELS_GIVE only where there is such a variable."""
    result = [{"CHANNELS_CUS": "1"}, {"CHANNELS_CUS": "2"}]
    known = subprocess.run([str(program)], env=dict(os.environ, CHANNELS_HELP="1"), capture_output=True,
                           text=True, timeout=TIMEOUT)
    if "CHANNELS_GIVE" in known.stdout + known.stderr:
        result += [{"CHANNELS_CUS": "1", "CHANNELS_GIVE": "always"},
                   {"CHANNELS_CUS": "2", "CHANNELS_GIVE": "always"},
                   {"CHANNELS_CUS": "2", "CHANNELS_GIVE": "random"}]
    if "CHANNELS_ORDER" in known.stdout:
        result += [{"CHANNELS_ORDER": "channels"},
                   {"CHANNELS_ORDER": "channels", "CHANNELS_CUS": "1", "CHANNELS_WIDTH": "8",
                    "CHANNELS_READINESS": "counted", "CHANNELS_FORCE_YIELD": "0.1"}]
    return result


def run(program, arguments, environment):
    """(status, output); a run that does not end has the status "timeout"."""
    try:
        done = subprocess.run([str(program), *arguments], env=dict(os.environ, **environment),
                              capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return "timeout", "", ""
    return done.returncode, done.stdout, done.stderr


def compare(program, name, environment, most=None, said=""):
    """Whether all cases, or the first `most`, print what they should, and `said` on stderr."""
    good = True
    for arguments, output in programs.expected()[name][:most]:
        status, printed, errors = run(program, arguments, environment)
        if (status, printed) == (0, output) and said in errors:
            continue
        good = False
        where = " ".join(f"{key}={value}" for key, value in environment.items())
        print(f"{where} {program} {' '.join(arguments)}: status {status}\n--- expected\n{output}"
              f"--- printed\n{printed}{errors}")
    return good


def test_elision(clang, name, directory):
    program = elision(clang, name, directory, SANITIZE)
    return program is not None and compare(program, name, {})


def test_compiled(cilk2chan, name, directory):
    # Optimised a little: that takes two thirds of the time, and tests of the compiler have the rest, and --serial.
    program = directory / (name + ".channels")
    command = [cilk2chan, "-O1", *programs.sources(name), *programs.channels_flags(name), "-o", program]
    if not build(command, program):
        return False
    good = True
    for environment in settings_of(program):
        good &= compare(program, name, environment)
    return good


def test_emulated(cilk2chan, name, directory):
    program = directory / (name + ".emulated")
    aggregated = name in programs.WITH_AGGREGATOR
    # Without optimisation: it takes two thirds of the time, and the runs are short.
    command = [cilk2chan, "-O0", "--device=emulated", *(["--device-aggregator"] if aggregated else []), *programs.sources(name), *programs.channels_flags(name),
               "-o", program]
    environment = {"CHANNELS_DEVICE": "emulated", "CHANNELS_MEMORY": "64M", "CHANNELS_STATS": "1",
                   "CHANNELS_TIMEOUT": "120"}
    channels = dict(environment, CHANNELS_ORDER="channels")
    if not build(command, program):
        return False
    good = compare(program, name, environment, 1, "calls on the device 'emulated'")
    for home in ("host", "device") if aggregated else ("host",):
        good &= compare(program, name, dict(channels, CHANNELS_AGGREGATOR=home), 1, "on the device 'emulated'")
    return good


def test_sanitized(cilk2chan, name, directory):
    """As users build their programs to look for faults: none may be found in what is right."""
    good = True
    for sanitizers in ("address,undefined", "thread"):
        program = directory / f"{name}.{sanitizers.split(',')[0]}"
        command = [cilk2chan, "-O1", "-g", f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all",
                   *programs.sources(name), *programs.channels_flags(name), "-o", program]
        if not build(command, program):
            good = False
            continue
        for environment in ({"CHANNELS_CUS": "3", "CHANNELS_GIVE": "always"},
                            {"CHANNELS_CUS": "2", "CHANNELS_ORDER": "channels"}):
            good &= compare(program, name, dict(environment, TSAN_OPTIONS="halt_on_error=1"), 2)
    return good


def write_expected(clang, directory):
    text = ""
    for name, cases in programs.expected().items():
        program = elision(clang, name, directory, ["-O2"])
        for arguments, _ in cases:
            text += f"$ {' '.join([name, *arguments])}\n{run(program, arguments, {})[1]}"
    (programs.HERE / "expected.txt").write_text(text)


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("elision", "compiled", "emulated", "sanitized", "expect"):
        sys.exit(__doc__)
    mode, compiler, directory, *names = sys.argv[1:]
    directory = pathlib.Path(directory)
    if mode == "expect":
        write_expected(compiler, directory)
        return
    test = {"elision": test_elision, "compiled": test_compiled, "emulated": test_emulated,
            "sanitized": test_sanitized}[mode]
    names = names or list(programs.expected())
    failed = [name for name in names if not test(compiler, name, directory)]
    print(f"{len(names) - len(failed)} of {len(names)} programs are right" +
          (f"; not {' '.join(failed)}" if failed else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
