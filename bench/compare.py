"""Which benchmarks of two results of scripts/bench are slower or faster, beyond noise.

A benchmark is slower if two things hold. Its median is more than LEAST_CHANGE above the old median. And the one-sided
Mann-Whitney test says that the two sets of repetitions come from the same distribution with a probability below
SIGNIFICANCE; for few repetitions the test is exact. Faster is the same with the two results exchanged. With fewer than
five repetitions in each result no difference reaches SIGNIFICANCE."""

import itertools
import math
import statistics

LEAST_CHANGE = 0.05
SIGNIFICANCE = 0.01
# The test is exact up to this number of ways to divide the times into two sets.
MOST_DEALS = 200_000


def ranks(values):
    """The rank of each value; equal values have the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    i = 0
    while i < len(order):
        j = i
        while j < len(order) and values[order[j]] == values[order[i]]:
            j += 1
        for k in order[i:j]:
            result[k] = (i + j + 1) / 2
        i = j
    return result


def chance_of_higher(old, new):
    """The probability that `new` has ranks as high as these or higher, if both come from one distribution."""
    all_ranks = ranks(list(new) + list(old))
    seen = sum(all_ranks[:len(new)])
    total, size = len(all_ranks), len(new)
    if math.comb(total, size) <= MOST_DEALS:
        deals = [sum(deal) for deal in itertools.combinations(all_ranks, size)]
        return sum(deal >= seen - 1e-9 for deal in deals) / len(deals)
    mean = size * (total + 1) / 2
    # The standard deviation of a sum of ranks that are drawn from a finite set; ties make it smaller.
    spread = math.sqrt(size * len(old) * statistics.pvariance(all_ranks) / (total - 1))
    if spread == 0:
        return 1.0
    return 0.5 * math.erfc((seen - 0.5 - mean) / spread / math.sqrt(2))


def fewest_repetitions():
    """The fewest repetitions in each result that can reach SIGNIFICANCE."""
    n = 1
    while 1 / math.comb(2 * n, n) >= SIGNIFICANCE:
        n += 1
    return n


def compare(old, new):
    """Compares two {name: [times]}. Returns {"slower": [(name, ratio, probability)], "faster": likewise, "same": [name],
    "gone": [name], "added": [name], "too_few": [name]}; the largest changes come first."""
    result = {"slower": [], "faster": [], "same": [], "gone": sorted(old.keys() - new.keys()),
              "added": sorted(new.keys() - old.keys()), "too_few": []}
    for name in sorted(old.keys() & new.keys()):
        ratio = statistics.median(new[name]) / statistics.median(old[name])
        if 1 / math.comb(len(old[name]) + len(new[name]), len(new[name])) >= SIGNIFICANCE:
            result["too_few"].append(name)
        elif ratio > 1 + LEAST_CHANGE and (p := chance_of_higher(old[name], new[name])) < SIGNIFICANCE:
            result["slower"].append((name, ratio, p))
        elif 1 / ratio > 1 + LEAST_CHANGE and (p := chance_of_higher(new[name], old[name])) < SIGNIFICANCE:
            result["faster"].append((name, ratio, p))
        else:
            result["same"].append(name)
    result["slower"].sort(key=lambda entry: -entry[1])
    result["faster"].sort(key=lambda entry: entry[1])
    return result
