"""A scheduler that only notes what it is given, and its workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from waltax.runners.hosts import tasks


class FakeFuture:
    """The outcome of a task, pending until it is told."""

    def __init__(self) -> None:
        self.status = "pending"
        self._outcome: Any = None

    def ends(self, status: str, outcome: Any) -> None:
        self.status, self._outcome = status, outcome

    def done(self) -> bool:
        return self.status != "pending"

    def result(self) -> Any:
        return self._outcome

    exception = result


class FakeClient:
    """A client of a scheduler that notes the sessions which its workers are given."""

    def __init__(self, *names: str) -> None:
        self.status = "running"
        self.workers = {f"tcp://{name}": worker(name) for name in names}
        self.orders: list[tuple[str, tasks.Order]] = []
        self.measured: Callable[[str, int], Any] | None = None  # of a session that ends at once
        self.futures: list[FakeFuture] = []

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:  # noqa: ARG002
        return {"workers": dict(self.workers)}

    def submit(
        self, _task: object, _name: str, _recipe: str, host: str, order: tasks.Order, **_: Any
    ) -> FakeFuture:
        future = FakeFuture()
        self.orders.append((host, order))
        self.futures.append(future)
        if self.measured is not None:
            future.ends("finished", self.measured(host, order.number))
        return future


def worker(name: str, threads: int = 1) -> dict[str, Any]:
    """What a scheduler says of a worker."""
    return {"name": name, "nthreads": threads}
