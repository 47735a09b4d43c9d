"""What waltax itself costs, and whether its design pays. Printed as ratios, never asserted.

`python -m bench NAME [WORD...]`, or `make bench NAME=...`; without a name they are listed.

sound      whether figures can be believed: intervals, slices, neighbours, equal campaigns, the gate
lies       lies that are planted: caught, warned of, or silent
emulated   devices that are a model: the tap, a placebo, achieved latencies, a replay and its disk
crash      programs that are killed, and that hang
speed      generators, loads and plans, and CPU time a request
homes      where a benchmark keeps what it makes
"""
