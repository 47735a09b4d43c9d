"""A row's histogram is that of the driver, as the `hdrhistogram` package reads it."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pytest
from hdrh.histogram import HdrHistogram
from waltax.runners.record import encoded

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def exporter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that turns numbers into a histogram."""
    program = tmp_path_factory.mktemp("export") / "latency_export"
    sources = [ROOT / "tests/driver/latency_export.cc", ROOT / "driver/latency.cc"]
    compile_command: list[str | Path] = ["g++", "-std=c++20", f"-I{ROOT}"]
    compile_command += [*sources, "-o", program]
    subprocess.run(compile_command, check=True)
    return program


def export(exporter: Path, values: list[int]) -> tuple[HdrHistogram, dict[float, int]]:
    """The decoded histogram, and the percentiles that the driver itself reports."""
    text = "\n".join(map(str, values))
    run = subprocess.run([exporter], input=text, capture_output=True, text=True, check=True)
    counts, *lines = run.stdout.splitlines()
    percentiles = {float(p): int(v) for p, v in (line.split() for line in lines)}
    return HdrHistogram.decode(encoded(json.loads(counts))), percentiles


def expected(values: list[int]) -> HdrHistogram:
    histogram = HdrHistogram(1, 2**37 - 1, 3)
    for value in values:
        histogram.record_value(value)
    return histogram


def slots(histogram: HdrHistogram) -> list[int]:
    return [histogram.get_count_at_index(i) for i in range(histogram.counts_len)]


@pytest.mark.parametrize(
    "values",
    [
        [],
        [1],
        [0, 0, 2047, 2048, 2049, 4095, 4096],
        [100] * 70_000 + [10**11],
        [2**37 - 1],
        [int(10 ** random.Random(7).uniform(2, 11)) for _ in range(3)],
    ],
    ids=["empty", "one", "bucket edges", "large count", "highest", "few"],
)
def test_every_slot_holds_the_count_that_the_package_computes(
    exporter: Path, values: list[int]
) -> None:
    decoded, _ = export(exporter, values)
    assert slots(decoded) == slots(expected(values))
    assert decoded.total_count == len(values)


def test_percentiles_of_the_decoded_histogram_are_those_of_the_sorted_values(
    exporter: Path,
) -> None:
    draws = random.Random(1)
    values = sorted(int(10 ** draws.uniform(2, 11)) for _ in range(50_000))
    decoded, reported = export(exporter, values)
    assert slots(decoded) == slots(expected(values))
    for percentile, value in reported.items():
        exact = values[max(1, -int(-percentile / 100 * len(values) // 1)) - 1]
        assert value == pytest.approx(exact, rel=1e-3)
        assert decoded.get_value_at_percentile(percentile) == pytest.approx(exact, rel=2e-3)


def test_decoded_histograms_add_up(exporter: Path) -> None:
    sum_of_two, _ = export(exporter, [150, 3_000_000])
    other, _ = export(exporter, [150, 77])
    sum_of_two.add(other)
    assert slots(sum_of_two) == slots(expected([150, 3_000_000, 150, 77]))
