"""tpcc-mysql's closing blocks. Scripts search for them: their wording is part of the interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .results import Result
from .transactions import TRANSACTIONS, tpmc

_LEAST_IN_TIME_PERCENT = 90.0


def raw_results(
    found: Sequence[Result], limits_s: Sequence[float], seconds: float
) -> Iterator[str]:
    """Both blocks of counts. The original has a second one because its first may lose some."""
    yield "<Raw Results>"
    for i, (result, limit_s) in enumerate(zip(found, limits_s, strict=True)):
        yield (
            f"  [{i}] sc:{result.in_time} lt:{result.late}  rt:{result.retries} "
            f" fl:{result.failures} avg_rt: {result.mean_ms:.1f} ({limit_s:g})"
        )
    yield f" in {seconds:.0f} sec."
    yield " (avg_rt in ms, response time limits in sec.)"
    yield ""
    yield "<Raw Results2(sum ver.)>"
    for i, result in enumerate(found):
        yield (
            f"  [{i}] sc:{result.in_time}  lt:{result.late}  rt:{result.retries} "
            f" fl:{result.failures} "
        )


def constraint_check(found: Sequence[Result]) -> Iterator[str]:
    """The mix of clause 5.2.3, and the response times of clause 5.2.5.7."""
    yield "<Constraint Check> (all must be [OK])"
    yield " [transaction percentage]"
    total = sum(result.completed for result in found)
    for transaction, result in zip(TRANSACTIONS, found, strict=True):
        least = transaction.least_percent
        if least is not None:
            share = _percent(result.completed, total)
            wanted = f"(>={least:4.1f}%)"
            yield f"{transaction.title:>15}: {share:3.2f}% {wanted} {_word(share >= least)}"
    yield " [response time (at least 90% passed)]"
    for transaction, result in zip(TRANSACTIONS, found, strict=True):
        share = _percent(result.in_time, result.completed)
        word = _word(share >= _LEAST_IN_TIME_PERCENT)
        yield f"{transaction.title:>15}: {share:3.2f}%  {word}"


def throughput(new_orders: int, seconds: float) -> Iterator[str]:
    """The block of the headline figure."""
    yield "<TpmC>"
    yield f"{'':17}{tpmc(new_orders, seconds):.3f} TpmC"


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def _word(ok: bool) -> str:
    return "[OK]" if ok else "[NG] *"
