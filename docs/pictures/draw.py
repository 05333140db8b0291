#!/usr/bin/env python3
"""Draws the pictures of the documents beside itself: overview.svg, layers.svg, task-life.svg, gpu-scheduler.svg.

usage: docs/pictures/draw.py"""

import pathlib
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).parent
INK, LINE, PAPER = "#1f2933", "#52606d", "#ffffff"
BLUE, GREEN, SAND, ROSE, GREY = "#dbeafe", "#dcfce7", "#fef3c7", "#fde2e2", "#f1f5f9"


class Picture:
    def __init__(self, name, width, height, title):
        self.name = name
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="{INK}">',
            f"<title>{escape(title)}</title>",
            f'<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            f'<path d="M0 0 8 4 0 8z" fill="{LINE}"/></marker></defs>',
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>']

    def text(self, x, y, line, size=13, bold=False, anchor="middle", colour=INK):
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}"{weight} fill="{colour}">{escape(line)}</text>')

    def box(self, x, y, width, height, lines, colour=GREY, dashed=False):
        """A box with a bold first line and plain ones below, in its middle."""
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{colour}" stroke="{LINE}"{dash}/>')
        top = y + height / 2 - 8 * (len(lines) - 1) + 4.5
        for i, line in enumerate(lines):
            self.text(x + width / 2, top + 16 * i, line, 13 if i == 0 else 11.5, i == 0)

    def frame(self, x, y, width, height, title, colour=PAPER):
        """A box around others, with its title at the top."""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" fill="{colour}" stroke="{LINE}"/>')
        self.text(x + 12, y + 19, title, 13, True, "start")

    def arrow(self, points, label="", at=None, anchor="middle"):
        path = " ".join(f"{x},{y}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{LINE}" stroke-width="1.4" marker-end="url(#tip)"/>')
        if label:
            x, y = at or ((points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2 - 6)
            self.text(x, y, label, 11.5, False, anchor, LINE)

    def write(self):
        (HERE / f"{self.name}.svg").write_text("\n".join([*self.parts, "</svg>"]) + "\n")


def overview():
    p = Picture("overview", 760, 300, "A Cilk function becomes host code and a task, which run in four ways")
    p.box(10, 120, 130, 60, ["Cilk program", "C or C++"], SAND)
    p.arrow([(140, 150), (178, 150)])
    p.box(180, 125, 90, 50, ["cilk2chan"])
    p.arrow([(270, 140), (295, 140), (295, 60), (318, 60)])
    p.arrow([(270, 160), (295, 160), (295, 215), (318, 215)])
    p.box(320, 32, 140, 56, ["host code", "a spawn is a call"], BLUE)
    p.box(320, 187, 140, 56, ["task", "a state machine"], GREEN)
    p.arrow([(460, 60), (508, 60)])
    p.box(510, 32, 240, 56, ["cores of the host", "depth-first; hungry ones get children"])
    p.arrow([(460, 205), (484, 205), (484, 140), (508, 140)])
    p.box(510, 112, 240, 56, ["a GPU's own scheduler", "depth-first in each of its lanes"])
    p.arrow([(460, 225), (484, 225), (484, 242), (508, 242)])
    p.box(510, 192, 240, 98, ["through channels", "an aggregator fills wavefronts,", "breadth-first, in bounded memory:",
                              "on the host; or on a GPU, with", "the aggregator on either side"])
    p.write()


def layers():
    """As tests/layers/layers.txt has them, the lowest layer at the bottom."""
    p = Picture("layers", 760, 470, "The layers of the code")
    p.text(10, 18, "A file includes files of its own box and of boxes below it.", 12, False, "start", LINE)
    p.frame(10, 30, 740, 78, "compiler/cilk2chan", ROSE)
    for i, name in enumerate(("driver", "host_code", "tasks", "analysis", "diagnostics", "frontend")):
        p.box(22 + 121 * i, 58, 113, 36, [name], PAPER)
    p.text(380, 128, "emits code that includes only include/channels: what a person may write by hand", 12, False, "middle", LINE)
    p.frame(10, 140, 740, 116, "runtime", GREEN)
    for i, name in enumerate(("compiled_program", "heap", "api", "host_code")):
        p.box(22 + 181 * i, 166, 173, 34, [name], PAPER)
    for i, name in enumerate(("aggregator", "host_device", "observe", "settings")):
        p.box(22 + 181 * i, 210, 173, 34, [name], PAPER)
    p.frame(10, 268, 740, 192, "include/channels", BLUE)
    p.box(22, 296, 716, 34, ["cilk, gpu/compiled_program, and what users include: task, graph, call"], PAPER)
    p.box(22, 340, 446, 34, ["gpu: device, device_aggregator, channels, scheduler, port"], PAPER)
    p.box(478, 340, 260, 34, ["host"], PAPER)
    p.box(22, 384, 716, 34, ["detail: the channel, the device interface, the graph's model"], PAPER)
    p.text(380, 444, "words and contracts: config, error, settings, scheduling, task, leaf", 12.5)
    p.write()


def task_life():
    p = Picture("task-life", 760, 330, "The life of a task through channels")
    p.frame(10, 10, 740, 92, "level d", GREY)
    p.frame(10, 118, 740, 92, "level d + 1", GREY)
    p.box(112, 24, 160, 62, ["channel of elements", "a task's arguments"], BLUE)
    p.box(330, 24, 130, 62, ["enter", "the pre-spawn node"], GREEN)
    p.box(540, 24, 90, 62, ["frame", "not moved"], SAND)
    p.box(112, 132, 160, 62, ["channel of elements", "its children"], BLUE)
    p.box(330, 132, 130, 62, ["enter, ...", "as above"], GREEN)
    p.box(650, 24, 90, 62, ["resume", "post-spawn"], GREEN)
    p.arrow([(272, 55), (328, 55)], "1 batch", (299, 48))
    p.arrow([(460, 55), (538, 55)], "2 open", (498, 48))
    p.arrow([(395, 86), (395, 109), (185, 109), (185, 130)], "3 spawn", (290, 99))
    p.arrow([(272, 163), (328, 163)], "4 batch", (299, 156))
    p.arrow([(460, 163), (585, 163), (585, 88)], "5 result", (592, 150), "start")
    p.arrow([(630, 55), (648, 55)])
    p.text(20, 236, "1, 4  The aggregator dispatches a batch when it has elements, and room for what they will spawn.", 12, False, "start")
    p.text(20, 256, "2, 3  enter opens a frame, reserves, spawns into the next level, and gives up its lane. Without room it retries.", 12, False, "start")
    p.text(20, 276, "5      A child writes its result to a place in the parent's frame.", 12, False, "start")
    p.text(20, 296, "6      resume runs when no deeper level holds anything (levelized), or its last child has ended (counted).", 12, False, "start")
    p.text(20, 316, "         It finishes, or it spawns again and waits in its frame.", 12, False, "start")
    p.text(639, 48, "6", 11.5, False, "middle", LINE)
    p.write()


def gpu_scheduler():
    p = Picture("gpu-scheduler", 760, 400, "The hierarchy of a GPU's own scheduler")
    p.frame(10, 10, 740, 380, "one persistent kernel on the device", PAPER)
    for i, x in enumerate((24, 386)):
        p.frame(x, 40, 350, 236, f"wavefront {i}: a work-group of its own", BLUE)
        for lane in range(4):
            p.box(x + 14 + 82 * lane, 70, 74, 66, [f"lane {lane}" if lane < 3 else "...", "its tasks", "or frames"], GREEN)
        p.box(x + 14, 152, 156, 44, ["ready tasks", "the newest on top"], PAPER)
        p.box(x + 180, 152, 156, 44, ["frames to resume", "their children ended"], PAPER)
        p.box(x + 14, 214, 322, 44, ["inbox", "gifts: the oldest tasks of another wavefront"], SAND)
    p.arrow([(180, 196), (180, 206), (376, 206), (376, 236), (398, 236)])
    p.text(380, 292, "a hungry wavefront sets a bit; one that has plenty writes its oldest tasks to the other's inbox", 12, False, "middle", LINE)
    p.box(24, 306, 230, 72, ["frames", "of one arena for each", "compute unit"], GREY)
    p.box(265, 306, 230, 72, ["pages of ready tasks", "what a work-group's memory", "has no room for"], GREY)
    p.box(506, 306, 230, 72, ["channel of ready tasks", "instead of gifts, where a", "wavefront runs leaves together"], GREY)
    p.write()


if __name__ == "__main__":
    overview()
    layers()
    task_life()
    gpu_scheduler()
