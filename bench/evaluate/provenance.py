"""Which commit and which machine a section was measured with."""

import datetime
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def text_of(command):
    """What a command prints, on one line; nothing if it is not there or fails."""
    if not shutil.which(command[0]):
        return ""
    done = subprocess.run(command, capture_output=True, text=True)
    return " ".join(done.stdout.split()) if done.returncode == 0 else ""


def now(device):
    """{"commit", "date", "machine"} of what is measured at this moment."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    cpu = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown CPU")
    machine = f"{os.cpu_count()} cores ({cpu})"
    if device == "cuda":
        gpu = text_of(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader", "--id=0"])
        machine = f"one {gpu or 'NVIDIA GPU'}, {machine}"
    return {"commit": text_of(["git", "-C", str(ROOT), "describe", "--always", "--dirty"]),
            "date": datetime.date.today().isoformat(), "machine": machine}


def text(measured, sections=None):
    """A list of commits and machines, with the sections that were measured by each."""
    groups = {}
    for name, of in measured.get("provenance", {}).items():
        if sections is None or name in sections:
            groups.setdefault((of["date"], of["commit"], of["machine"]), []).append(name)
    lines = [f"- {machine}, commit {commit}, {date}: {', '.join(names)}."
             for (date, commit, machine), names in sorted(groups.items(), reverse=True)]
    return "\n".join(lines) + "\n\n" if lines else ""
