"""What a recipe is made of: a command, an endpoint, a bound on memory, and how the power is cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from ...base.errors import UsageError
from ...cell import Cell

MIB = 1 << 20


@dataclass(frozen=True)
class Command:
    """A user's program (`waltax try`), which is given a copy of the folder `data`.

    `metric` is the regular expression of its number; "": its time is measured. Its log are the
    files of `log`, and its own weaker `modes` are commands by durability. One that `serves` is
    measured by what `load` prints, once `ready` succeeds or it listens. `timeout_s` bounds each.
    """

    run: str
    metric: str
    data: str
    timeout_s: float
    rounds: int  # of each session
    sessions: int  # at least
    log: tuple[str, ...] = ()
    modes: dict[str, str] = field(default_factory=dict)
    serves: bool = False
    load: str = ""
    ready: str = ""
    check: str = ""  # prints the items that it finds in data after a power cut
    stdin: str = ""  # the path of a file
    here: str = ""  # where waltax was started

    def of(self, cell: Cell) -> str:
        """Return the command of a cell; the baseline's syncs are left out of that which syncs."""
        return self.run if cell.is_baseline else self.modes.get(cell.durability, self.run)


@dataclass(frozen=True)
class Endpoint:
    """A server that its owner runs: `waltax run --endpoint LABEL=URL`.

    By its owner's word, `device` names where the log is and `durability` when a commit is
    acknowledged.
    """

    device: str
    durability: str
    url: str

    @property
    def label(self) -> str:
        """Its name in results: "owner sync"; "off"."""
        return self.device if self.device == self.durability else f"{self.device} {self.durability}"


@dataclass(frozen=True)
class Bound:
    """How much memory a cell may take, and its data set's size as a multiple of that.

    A value of the axis `memory` is its `word`, 128:2.5. What was typed may leave the size and the
    ratio to the study (0).
    """

    mib: int
    ratio: float

    @classmethod
    def of(cls, word: str) -> Self:
        """Parse a word. Errors: UsageError for that of another release, or of a changed file."""
        mib, _, ratio = word.partition(":")
        try:
            return cls(int(mib), float(ratio))
        except ValueError:
            raise UsageError(
                f"--memory: found {word!r}, want 128:2.5; start a new campaign"
            ) from None

    @classmethod
    def among(cls, axes: Mapping[str, Sequence[str]]) -> Self | None:
        """Return the bound of all cells; None if they have none."""
        return next(map(cls.of, axes.get("memory", ())), None)

    @property
    def word(self) -> str:
        return f"{self.mib}:{self.ratio:.12g}"

    @property
    def bytes(self) -> int:
        return self.mib * MIB


@dataclass(frozen=True)
class Cutting:
    """How the power is cut once a campaign was measured: `waltax receipts`.

    Each cell is recorded for `seconds` and cut at `cuts` moments, each of which gives `states`;
    `names` is the model by which names become durable. With `recovery_modes` damaged logs of each
    moment are opened in each of RocksDB's, too.
    """

    cuts: int = 10
    states: int = 7
    names: str = "journal"
    seconds: float = 4.0
    recovery_modes: bool = False
