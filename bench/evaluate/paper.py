"""Figures of the paper: Orr, Beckmann, Reinhardt and Wood, "Fine-Grain Task Aggregation and Coordination on GPUs", ISCA
2014. Simulated: 1 GHz, 8 compute units of four 64-lane SIMD units, an aggregator core of 2 GHz."""

# Table 3: nodes, registers of 4 bytes / 8 bytes / 1 bit, elements of a channel, wavefronts, cycles of one.
TABLE3 = {
    "fib": {"size": "24", "nodes": 2, "registers": "16s/8d/2c, 3s/4d/1c", "width": 32768, "wavefronts": 2192, "cycles": 7046},
    "queens": {"size": "13x13", "nodes": 2, "registers": "16s/8d/3c, 5s/5d/1c", "width": 16384, "wavefronts": 1114, "cycles": 35407},
    "sort": {"size": "1,000,000", "nodes": 4, "registers": "16s/8d/2c", "width": 32768, "wavefronts": 4238, "cycles": 30673},
    "strassen": {"size": "512x512", "nodes": 1, "registers": "16s/6d/8c", "width": 8192, "wavefronts": 587, "cycles": 259299},
}

# Section 8: speedup of eight compute units over one, where the text has it.
FIGURE15 = {"sort": "2.6", "strassen": "4.3", "fib": "does not scale", "queens": "between"}

# Table 5: % of time that eight compute units are blocked on the aggregator.
TABLE5 = {
    "simple": {"fib": 41.5, "queens": 2.9, "sort": 8.9, "strassen": 3.4},
    "2-way light OoO": {"fib": 35.1, "queens": 2.0, "sort": 7.2, "strassen": 2.5},
    "2-way OoO": {"fib": 30.1, "queens": 1.6, "sort": 5.8, "strassen": 1.8},
    "4-way OoO": {"fib": 29.8, "queens": 1.5, "sort": 5.6, "strassen": 1.9},
}

# Table 4, against conventional GPU code.
TABLE4 = {"strassen": {"lines": 42, "speedup": 1.06}, "queens": {"lines": 36, "speedup": 0.98}}
