#!/usr/bin/env python3
"""Programs of cilk2chan --net=mpi under mpirun, beside their serial elisions.

usage: net_tasks_test.py CILK2CHAN MPIRUN FOLDER CASE..."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"
LONGEST = 240  # seconds of one run

# What a program is compiled from, its arguments, and how many tasks travel at least where there are
# other ranks.
PROGRAMS = {
    "fib": (EXAMPLES / "fib.c", ["40"], 1),
    "queens": (EXAMPLES / "corpus" / "queens.c", ["13"], 1),
    "quadrature": (HERE / "programs" / "quadrature.c", [], 1),
    "shelves": (HERE / "programs" / "shelves.c", [], 1),
    "necklaces": (HERE / "programs" / "necklaces.cpp", [], 1),
}


class Tools:
    def __init__(self, cilk2chan, mpirun, folder):
        self.cilk2chan = cilk2chan
        self.mpirun = [mpirun, "--allow-run-as-root", "--oversubscribe"]
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def compile(self, source, name, *options):
        made = self.folder / name
        done = subprocess.run([self.cilk2chan, *options, source, "-o", made, "-lm"], capture_output=True, text=True,
                              timeout=LONGEST)
        check(done.returncode == 0, f"'{source}' does not compile: {done.stderr}")
        return made

    def start(self, ranks, program, *arguments, **environment):
        return subprocess.Popen([*self.mpirun, "-n", str(ranks), program, *arguments], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})


def check(holds, message):
    if not holds:
        sys.exit(message)


def finish(process, longest=LONGEST):
    """What the process printed, and its status. It has to end by itself."""
    try:
        out, err = process.communicate(timeout=longest)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        sys.exit(f"{process.args} does not end within {longest} s")
    return out, err, process.returncode


def runs_like_serial(tools, name):
    source, arguments, least = PROGRAMS[name]
    serial = subprocess.run([tools.compile(source, f"{name}_serial", "--serial"), *arguments], capture_output=True,
                            text=True, timeout=LONGEST)
    program = tools.compile(source, name, "--net=mpi")
    alone = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=LONGEST)
    check((alone.stdout, alone.returncode) == (serial.stdout, serial.returncode),
          f"alone: {alone.stdout}{alone.stderr}, status {alone.returncode}; serially {serial.stdout}")
    for ranks in 1, 2, 4:
        statistics = tools.folder / f"{name}_{ranks}.json"
        statistics.unlink(missing_ok=True)
        out, err, status = finish(tools.start(ranks, program, *arguments, CHANNELS_CUS="1",
                                              CHANNELS_STATS=f"json:{statistics}"))
        check((out, status) == (serial.stdout, serial.returncode),
              f"{ranks} ranks: status {status} in place of {serial.returncode}, {out}{err}\nserially: {serial.stdout}")
        counts = json.loads(statistics.read_text())["host_code"] if ranks > 1 else {}
        check(ranks == 1 or counts["to_ranks"] >= least, f"{ranks} ranks: no task has travelled: {counts}")
        print(f"{name}, {ranks} ranks: {counts.get('to_ranks', 0)} went, {counts.get('from_ranks', 0)} came")


def process_of_rank(program, rank):
    """The process of one rank of the job that runs `program`; waits until it is there."""
    wanted = f"OMPI_COMM_WORLD_RANK={rank}".encode()
    until = time.monotonic() + 30
    while time.monotonic() < until:
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if process.joinpath("exe").resolve() == program and wanted in process.joinpath(
                        "environ").read_bytes().split(b"\0"):
                    return int(process.name)
            except OSError:
                continue
        time.sleep(0.05)
    sys.exit(f"there is no rank {rank}")


def ends_when_a_rank(tools, what, rank, words):
    program = tools.compile(HERE / "programs" / "endless.c", f"endless_{what}_{rank}", "--net=mpi")
    process = tools.start(2, program, CHANNELS_CUS="1", CHANNELS_TIMEOUT="2")
    # Until tasks travel.
    check(process.stdout.readline() == "begins\n", "it does not begin")
    time.sleep(1)
    os.kill(process_of_rank(program.resolve(), rank), getattr(signal, what))
    out, err, status = finish(process, 40)
    check(status != 0 and words in err, f"status {status}, no '{words}' in: {out}{err}")
    print(err)


def ends_when_a_task_aborts(tools):
    program = tools.compile(HERE / "programs" / "endless.c", "endless_abort", "--net=mpi")
    process = tools.start(2, program, "bad", CHANNELS_CUS="1", CHANNELS_TIMEOUT="5")
    out, err, status = finish(process, 120)
    check(status != 0 and "signal 6" in err, f"status {status}: {out}{err}")


def refuses_other_programs(tools):
    source = HERE / "programs" / "endless.c"
    one = tools.compile(source, "one", "--net=mpi")
    other = tools.compile(source, "other", "--net=mpi", "-DOTHER=1", "-O1")
    process = subprocess.Popen([*tools.mpirun, "-n", "1", one, ":", "-n", "1", other], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    out, err, status = finish(process, 40)
    words = "rank 1 runs another program than rank 0"
    check(status != 0 and words in err, f"status {status}, no '{words}' in: {out}{err}")


def main():
    cilk2chan, mpirun, folder, *cases = sys.argv[1:]
    tools = Tools(cilk2chan, mpirun, folder)
    for case in cases:
        if case in PROGRAMS:
            runs_like_serial(tools, case)
        elif case == "killed":
            ends_when_a_rank(tools, "SIGKILL", 1, "signal 9")
        elif case == "stopped":
            ends_when_a_rank(tools, "SIGSTOP", 1, "rank 1 of 2 is lost")
            ends_when_a_rank(tools, "SIGSTOP", 0, "rank 0 of 2 is lost")
        elif case == "aborts":
            ends_when_a_task_aborts(tools)
        elif case == "other_program":
            refuses_other_programs(tools)
        else:
            sys.exit(f"there is no case '{case}'")


if __name__ == "__main__":
    main()
