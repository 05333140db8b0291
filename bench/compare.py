"""What got slower between two results of scripts/bench, beyond noise.

The rule: a benchmark is slower if its median is more than LEAST_CHANGE above the old one's, and if times as high as these
beside times as low as those would come from the same benchmark with a probability below SIGNIFICANCE, by the
one-sided Mann-Whitney test on the repetitions, exact for as few as there are. Faster is the same the other way
round. Five repetitions on either side are the fewest that can show anything at that level."""

import itertools
import math
import statistics

LEAST_CHANGE = 0.05
SIGNIFICANCE = 0.01
# Ways to deal the times out between the two sides up to which the test goes through them all.
MOST_DEALS = 200_000


def ranks(values):
    """The rank of each value, equal ones sharing the mean of theirs."""
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
    """The probability that `new` would be ranked as high as it is, or higher, were both from one distribution."""
    all_ranks = ranks(list(new) + list(old))
    seen = sum(all_ranks[:len(new)])
    total, size = len(all_ranks), len(new)
    if math.comb(total, size) <= MOST_DEALS:
        deals = [sum(deal) for deal in itertools.combinations(all_ranks, size)]
        return sum(deal >= seen - 1e-9 for deal in deals) / len(deals)
    mean = size * (total + 1) / 2
    # Of the sum of some ranks of a finite set, which ties make smaller.
    spread = math.sqrt(size * len(old) * statistics.pvariance(all_ranks) / (total - 1))
    if spread == 0:
        return 1.0
    return 0.5 * math.erfc((seen - 0.5 - mean) / spread / math.sqrt(2))


def fewest_repetitions():
    """How many repetitions on either side can reach the level of significance."""
    n = 1
    while 1 / math.comb(2 * n, n) >= SIGNIFICANCE:
        n += 1
    return n


def compare(old, new):
    """{"slower": [(name, ratio, probability)], "faster": ..., "same": [name], "gone": [name], "added": [name],
    "too_few": [name]}, for {name: [times]} of before and now, worst first."""
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
