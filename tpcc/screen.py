"""What the commands print on standard output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..printable import one_line


def say(lines: Iterable[str]) -> None:
    """Print lines at once: whoever reads them may be a script that waits for one."""
    for line in lines:
        print(one_line(line), flush=True)


def parameters(named: Mapping[str, object]) -> Iterator[str]:
    """A parameter a line, laid out as tpcc-mysql lays out its own."""
    for name, value in named.items():
        yield f"{f'[{name}]':>14}: {value}"
