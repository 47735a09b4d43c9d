"""The five transactions, in the order of the driver and of tpcc-mysql's output."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Transaction:
    """One of clause 2."""

    name: str  # in the driver's events
    title: str  # in clause 2, and in tpcc-mysql's output
    limit_s: float  # 90 % must respond within it (clause 5.2.5.7)
    least_percent: float | None = None  # of the mix (clause 5.2.3); None: no minimum


TRANSACTIONS = (
    Transaction("NEW_ORDER", "New-Order", 5),
    Transaction("PAYMENT", "Payment", 5, 43.0),
    Transaction("ORDER_STATUS", "Order-Status", 5, 4.0),
    # DEVIATION T3: executed at once, so the limit is that of clause 2.7.2.2 for the execution
    # and not the 5 s for the answer that it is queued.
    Transaction("DELIVERY", "Delivery", 80, 4.0),
    Transaction("STOCK_LEVEL", "Stock-Level", 20, 4.0),
)
LIMITS_S = tuple(transaction.limit_s for transaction in TRANSACTIONS)

NEW_ORDER = TRANSACTIONS[0].name


def tpmc(new_orders: int, seconds: float) -> float:
    """Completed New-Orders a minute, those that rolled back by rule included (clause 5.4)."""
    return new_orders * 60 / seconds if seconds > 0 else 0.0
