"""What waltax itself costs, and whether its design pays. Printed as ratios, never asserted.

python -m waltax.bench.driver      the generator's ceiling, and its share of a run
python -m waltax.bench.tap         throughput with the tap observing, over without
python -m waltax.bench.emulation   latency the emulated devices gave, over the one asked for
python -m waltax.bench.fidelity    a probed directory against its replay
python -m waltax.bench.design      interleaved slices against serial blocks
python -m waltax.bench.timing      two timings of a profile: the time to equally narrow intervals
python -m waltax.bench.slices      short slices against long ones: bias, and time for the same error
python -m waltax.bench.neighbour   beside neighbours that come and go: what the rule is worth
python -m waltax.bench.aa          two equal cells: how often are they told apart
python -m waltax.bench.repeat      ten campaigns of one recipe: how often do two contradict
python -m waltax.bench.kill        a campaign killed and resumed: no row lost or doubled
python -m waltax.bench.load        bulk load of 1 M and 10 M ids
python -m waltax.bench.tpcc        TPC-C per core without a WAL, and where it conflicts
python -m waltax.bench.crash       TPC-C killed, recovered and checked
python -m waltax.bench.tombstones  Delivery after ten minutes of deleting
python -m waltax.bench.coverage    how often intervals hold the true overhead, by simulation
python -m waltax.bench.curve_coverage  the same of a sweep's curve
"""
