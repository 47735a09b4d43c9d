"""What may be left of each run after a power cut, by its disk's log and by the cutter."""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import guest_run
from blocks import opened, replay
from blocks.acks import AckDisk
from blocks.replay import BlockCut
from power import disk
from power.recorded import ACK_LOG, FOLDERS, Recorded
from waltax.base.errors import WaltaxError
from waltax.crash.cutter.state import Cut
from waltax.crash.runs import states

BROKEN = guest_run.HOME / "broken"
LATE = "dropped, late"
CUTTER_STRATEGIES = ("dropped", LATE, "sectors", "kept")
"""All are of the first moment at which so much was acknowledged, and `LATE` of the last."""
DISK, CUTTER = "disk", "cutter"


@dataclass(frozen=True)
class Left:
    """What one state came to; `by` is the record that it was made of.

    `sound` is about the file system, which the cutter does not have.
    """

    run: str
    by: str
    strategy: str
    cut: int
    sound: bool
    opens: bool
    consistent: bool
    acknowledged: int
    lost: int
    problem: str | None


def left(recorded: Recorded, cuts: int, seed: int, room: Path) -> Iterator[Left]:
    """Each state of so many moments at random. Errors: WaltaxError when the records disagree."""
    room.mkdir()
    acks = AckDisk(recorded.bases.acks, recorded.log, disk.ACKS, ACK_LOG, room)
    span = acks.span()
    draw = random.Random(f"{seed} {recorded.run.name}")
    for number, entries in enumerate(sorted(draw.choices(span, k=cuts))):
        lines = acks.before(entries)
        for strategy in replay.STRATEGIES:
            cut = BlockCut(entries, strategy, seed)
            yield _by_disk(recorded, number, cut, lines, room)
        first, last = _moments(recorded, lines)
        for strategy in CUTTER_STRATEGIES:
            late = strategy == LATE
            cut_of = Cut(last, "dropped") if late else Cut(first, strategy)
            yield _by_cutter(recorded, number, strategy, cut_of, room)


def _by_disk(
    recorded: Recorded, number: int, cut: BlockCut, lines: list[bytes], room: Path
) -> Left:
    log = replay.within(recorded.log, disk.DATA)

    def write(image: Path) -> None:
        replay.write(recorded.bases.data, log, cut, image)

    found = opened.opened(write, lines, room, FOLDERS)
    if recorded.run.keeps and (found.lost or not found.consistent) and not BROKEN.exists():
        _keep(write, lines)
    return Left(
        recorded.run.name,
        DISK,
        cut.strategy,
        number,
        found.sound,
        found.opens,
        found.consistent,
        found.acknowledged,
        found.lost,
        found.problem,
    )


def _keep(write: Callable[[Path], None], lines: list[bytes]) -> None:
    """Keep a state that a synced log must not leave, and the command that checks it again."""
    image, place, acks = (BROKEN / name for name in ("image", "mounted", "acks"))
    place.mkdir(parents=True)
    write(image)
    acks.write_bytes(b"".join(lines))
    # On a copy, since the engine changes what it opens.
    again = shlex.join(opened.check_line(BROKEN / "copy", place, acks, FOLDERS))
    copied = shlex.join(["cp", "--sparse=always", str(image), str(BROKEN / "copy")])
    (BROKEN / "again.sh").write_text(f"{copied} && {again}\n")


def _moments(recorded: Recorded, lines: list[bytes]) -> tuple[int, int]:
    """From when until when just these acknowledgements had been given, on the recorder's clock.

    The disk's log has no clock: the cut is somewhere between. Acknowledgements are appended under
    a lock, so that both records have them in one order.
    """
    appended = recorded.recording.log.acks[: len(lines)]
    if [bytes(call.data) for call in appended] != lines:
        raise WaltaxError(
            f"{recorded.run.name}: the recorder and the disk differ in what was acknowledged"
        )
    first = appended[-1].end
    assert first is not None
    following = recorded.recording.log.acks[len(lines) :]
    end = following[0].end if following else None
    return first, first if end is None else end - 1


def _by_cutter(recorded: Recorded, number: int, strategy: str, cut: Cut, room: Path) -> Left:
    found = states.outcome(recorded.recording, cut, room / "cutter")
    return Left(
        recorded.run.name,
        CUTTER,
        strategy,
        number,
        True,
        found.opens,
        found.consistent,
        found.acknowledged,
        found.lost,
        found.problem,
    )
