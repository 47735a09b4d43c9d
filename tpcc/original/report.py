"""What the commands print.

Scripts search for tpcc-mysql's blocks: their wording is part of the interface. Behind the headline
figure stands what it is, its inputs, conflicts and consistency.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ... import inputs
from ...driver.client import Event
from ...printable import one_line
from .transactions import TRANSACTIONS, Result, tpmc

_LEAST_IN_TIME_PERCENT = 90.0
_MIB = 1 << 20
_CAUSES = ("busy", "timed_out", "deadlock", "try_again")
# Ten terminals of a warehouse that pause as clause 5.2.5 has them cannot do more tpmC, and
# an audited result must do at least as many.
_MOST_TPMC, _LEAST_TPMC = 12.86, 9.0


def say(lines: Iterable[str]) -> None:
    """Print each line at once: a script may be waiting for it."""
    for line in lines:
        print(one_line(line), flush=True)


def parameters(named: Mapping[str, object]) -> Iterator[str]:
    """Yield a line for each parameter, laid out as tpcc-mysql lays out its own."""
    for name, value in named.items():
        yield f"{f'[{name}]':>14}: {value}"


def raw_results(
    results: Sequence[Result], limits_s: Sequence[float], seconds: float
) -> Iterator[str]:
    """Yield both blocks of counts: the original has a second one, since its first may lose some."""
    yield "<Raw Results>"
    for i, (result, limit_s) in enumerate(zip(results, limits_s, strict=True)):
        yield (
            f"  [{i}] sc:{result.in_time} lt:{result.late}  rt:{result.retries} "
            f" fl:{result.failures} avg_rt: {result.mean_ms:.1f} ({limit_s:g})"
        )
    yield f" in {seconds:.0f} sec."
    yield " (avg_rt in ms, response time limits in sec.)"
    yield ""
    yield "<Raw Results2(sum ver.)>"
    for i, result in enumerate(results):
        yield (
            f"  [{i}] sc:{result.in_time}  lt:{result.late}  rt:{result.retries} "
            f" fl:{result.failures} "
        )


def constraint_check(results: Sequence[Result]) -> Iterator[str]:
    """Yield the verdicts on the mix (clause 5.2.3) and on response times (clause 5.2.5.7)."""
    yield "<Constraint Check> (all must be [OK])"
    yield " [transaction percentage]"
    total = sum(result.completed for result in results)
    for transaction, result in zip(TRANSACTIONS, results, strict=True):
        least = transaction.least_percent
        if least is not None:
            share = _percent(result.completed, total)
            wanted = f"(>={least:4.1f}%)"
            yield f"{transaction.title:>15}: {share:3.2f}% {wanted} {_word(share >= least)}"
    yield " [response time (at least 90% passed)]"
    for transaction, result in zip(TRANSACTIONS, results, strict=True):
        share = _percent(result.in_time, result.completed)
        word = _word(share >= _LEAST_IN_TIME_PERCENT)
        yield f"{transaction.title:>15}: {share:3.2f}%  {word}"


def throughput(new_orders: int, seconds: float) -> Iterator[str]:
    """Yield the block of the headline figure."""
    yield "<TpmC>"
    yield f"{'':17}{tpmc(new_orders, seconds):.3f} TpmC"


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def _word(ok: bool) -> str:
    return "[OK]" if ok else "[NG] *"


def meaning(ready: Event, store: str, tpmc: float) -> Iterator[str]:
    """Yield what the figure is and is not, from the driver's event `ready`; `store` is in words."""
    workload = ready["workload"]
    if workload["paced"]:
        each = tpmc / workload["warehouses"]
        inside = _LEAST_TPMC <= each <= _MOST_TPMC
        yield (
            f" TPC-C derived, paced: {each:.2f} tpmC per warehouse; at most {_MOST_TPMC} are "
            f"possible, {_LEAST_TPMC:g} to {_MOST_TPMC} wanted: {'OK' if inside else 'NG'}"
        )
    elif ready["rate"] > 0:
        yield (
            f" TPC-C derived, unpaced: {ready['rate']:g} transactions a second offered, "
            "without keying and think times"
        )
    else:
        yield " TPC-C derived, unpaced: without keying and think times"
    yield (f" {workload['warehouses']} warehouses, {store}, isolation {workload['isolation']}")


def growth(before_bytes: int, after_bytes: int) -> str:
    """Say by how much the database grew: a larger one has another speed."""
    grown = (after_bytes - before_bytes) / _MIB
    return f" database: {before_bytes / _MIB:.1f} MiB before, {grown:+.1f} MiB"


def input_lines(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a verdict for each rule of `records`, the `inputs` of a slice."""
    yield f"<Inputs> (clause 5.5.1.5; SKIP: too few samples to tell, or below {inputs.MIN_SAMPLES})"
    for verdict in inputs.judge(records):
        value = "none" if verdict.value is None else f"{verdict.value:.4f}"
        yield (
            f"  {verdict.verdict}  {verdict.name + ':':<28} {value} "
            f"({verdict.low:g} to {verdict.high:g}), {verdict.samples} samples"
        )


def failed_inputs(records: Sequence[Mapping[str, Any]]) -> str:
    """Return the rules that were not kept as one line, "" when all were."""
    failed = [rule for rule in inputs.judge(records) if rule.verdict == inputs.FAIL]
    told = [f"{rule.name} {rule.value:.4f}, want {rule.low:g} to {rule.high:g}" for rule in failed]
    return f"the inputs are not those of the specification: {'; '.join(told)}" if told else ""


def conflict_lines(slice_event: Event) -> Iterator[str]:
    """Yield the attempts that were rolled back and made again by cause, warm-up included."""
    counts: Counter[str] = Counter()
    for thread in slice_event["threads"]:
        counts.update(thread["counters"])
    each = 1000 / max(slice_event["slice_requests"], 1)
    yield "<Conflicts> (each was rolled back and tried again)"
    for cause in _CAUSES:
        count = counts[f"conflicts_{cause}"]
        by_name = {t.title: counts[f"conflicts_{cause}_{t.name}"] for t in TRANSACTIONS}
        where = ", ".join(f"{title} {n}" for title, n in by_name.items() if n)
        yield (
            f"{cause.replace('_', ' '):>12}: {count}, {count * each:.3f} per thousand "
            f"transactions{': ' + where if where else ''}"
        )


def check_lines(event: Event) -> Iterator[str]:
    """Yield the driver's event `check`, which lists the first few violations of each kind."""
    yield "<Consistency Check> (clause 3.3.2 and more)"
    verdict = "PASS" if event["ok"] else f"FAIL, {event['violation_count']} violations,"
    yield f"  {verdict} in {event['seconds']:.1f} sec."
    for violation in event["violations"]:
        yield f"  {violation}"
    looked_at = ", ".join(f"{name} {count}" for name, count in event["counted"].items())
    yield f"  looked at: {looked_at}"


def load_progress(event: Event) -> str:
    """Return the line of a load's event `progress`."""
    return (
        f"{event['warehouses']}/{event['of']} warehouses, {event['rows']} rows, "
        f"{event['seconds']:.1f} sec."
    )


def load_completed(event: Event) -> Iterator[str]:
    """Yield the driver's event `loaded`."""
    for table, rows in event["rows"].items():
        yield f"{table:>15}: {rows} rows"
    yield (
        f"{sum(event['rows'].values())} rows in {event['seconds']:.1f} sec., "
        f"{event['rows_per_s']:.0f} a second, {event['bytes'] / _MIB:.1f} MiB"
    )


def violated(event: Event) -> str:
    """Return one line on an event `check` that has violations."""
    count, first = event["violation_count"], event["violations"][0]
    return f"the data is not consistent: {count} violations; first: {first}"
