"""What follows from the times of a program with several numbers of units: figures and sentences."""

import os

from figures import time


class Scaling:
    """`measured`: by number of units, the first with 1. `span`: what is known of work and span. `compared`: whether
    what the runs printed was compared."""

    def __init__(self, measured, span, compared=True):
        self.compared = compared
        self.measured = measured
        self.span = span

    def speedup(self, one):
        return self.measured[0].time / one.time

    def efficiency(self, one):
        return self.speedup(one) / one.units

    def greedy(self, units):
        """The speedup that any scheduler reaches which leaves no unit idle while something can run
        (Brent; Graham): the time is work / units + span at most."""
        if self.span.parallelism is None:
            return None
        return self.span.work / (self.span.work / units + self.span.span)

    def sentences(self):
        """What the times say at once, of what they carry: two times differ if none of the one's runs took as
        long as the other's."""
        first, most = self.measured[0], self.measured[-1]
        said = []
        best = min(self.measured, key=lambda m: m.time)
        if best is not first and _faster(best, first):
            said.append(f"{_units(best)} were {self.speedup(best):.2f} times as fast as one: {time(best.time)} against "
                        f"{time(first.time)}.")
        elif len(self.measured) > 1:
            said.append("No number of units was faster than one.")
        for one in self.measured[1:]:
            if _faster(first, one):
                said.append(f"{_units(one)} lost to one: {time(one.time)} against {time(first.time)}.")
        if most is not best and _faster(best, most) and best is not first:
            said.append(f"{_units(most)} were slower than {best.units}: {time(most.time)} against {time(best.time)}.")
        said += self._by_span(most) + self._by_cores(most)
        return said

    def _by_span(self, most):
        parallelism = self.span.parallelism
        if parallelism is None:
            return []
        if parallelism < most.units:
            return [f"The program's parallelism is {parallelism:.1f}: no more than {parallelism:.1f} units can be "
                    "busy on average."]
        if parallelism >= 10 * most.units and self.efficiency(most) < 0.7:
            return [f"The program has work for {parallelism:.0f} units, so its parallelism is not what limits it at "
                    f"{most.units}."]
        return []

    def _by_cores(self, most):
        cores = len(os.sched_getaffinity(0))
        if most.units <= cores:
            return []
        return [f"This machine has {cores} core{'s' if cores > 1 else ''} for it: more units than that share them."]


def _faster(a, b):
    return max(a.times) < min(b.times)


def _units(one):
    words = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine"}
    return f"{words.get(one.units, str(one.units))} units"
