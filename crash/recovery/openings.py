"""Kill an engine at each length of its log, and open what it left several times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from ...base.errors import WaltaxError
from ...base.folders import places
from ...profiles import Profile
from ...runners.cells.driver import loading
from ..runs import engine as engines
from . import kill, settings
from .settings import MIB

_SHORT = "recovery-"  # a server's socket is in this folder, and the length of its path is limited


@dataclass(frozen=True)
class Openings:
    """Each of `logs`, in MiB, has `kills`, and what a kill leaves has `openings`."""

    profile: Profile
    workload: str
    seed: int
    data_root: Path
    logs: tuple[int, ...]
    kills: int
    openings: int

    def rows(self, say: Callable[[str], None]) -> Iterator[Mapping[str, object]]:
        """Yield a row for each opening. Errors: WaltaxError, also for a lost commit."""
        loaded = loading.prepare(self.profile, self.workload, self.data_root, say)
        # Every length has its first kill before any has its second, so drift affects all alike.
        for number in range(self.kills):
            for mib in self.logs:
                work = self.data_root / "work"
                with places.borrowed(work, _SHORT, "work", flag="--data-dir") as room:
                    yield from self._of_a_kill(mib, number, loaded, room, say)

    def _of_a_kill(
        self, mib: int, number: int, loaded: Path, work: Path, say: Callable[[str], None]
    ) -> Iterator[Mapping[str, object]]:
        profile, workload, seed = self.profile, self.workload, self.seed + number
        engine = engines.of(settings.unflushed(profile, workload, mib), workload, work)
        run, room = work / "run", work / "again"
        run.mkdir()
        room.mkdir()
        threads, parameters = profile.threads_of(workload), profile.workload(workload).run
        left = kill.crash(
            engine, loaded, run, mib * MIB, threads=threads, seed=seed, parameters=parameters
        )
        for opening in range(self.openings):
            reopened = kill.reopen(engine, left, room)
            say(f"{reopened.log_bytes / MIB:,.0f} MiB of log: serves after {reopened.open_s:.2f} s")
            yield {
                **{"engine": profile.engine, "workload": workload, "profile": profile.name},
                **{"asked_bytes": mib * MIB, "kill": number, "opening": opening, "seed": seed},
                **{"log_files": left.log_files, **asdict(reopened)},
            }
        event = kill.check(engine, left)
        if not event["ok"]:
            raise WaltaxError(f"after recovery of {mib} MiB of log: {event['violations'][0]}")
