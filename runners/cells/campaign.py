"""What is fixed for a campaign: its cells, their places, its seed and its folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.errors import UsageError
from ...base.folders import atomic_file
from ...base.folders.places import existing
from ...cell import Cell
from ...devices.identity import identity
from ...devices.resolve import Placement
from ...engines.builds.build import Build
from ...profiles import Profile
from ..recipe import campaign_file
from ..recipe.recipe import Recipe
from .setting import Folders, Setting

if TYPE_CHECKING:
    from ..doctor import Finding


@dataclass(frozen=True)
class Campaign:
    """A recipe resolved on this machine."""

    id: str
    folder: Path
    data_root: Path
    recipe: Recipe
    profile: Profile
    cells: tuple[Cell, ...]
    placements: dict[str, Placement]  # by cell id
    workspace: Folders | None = None  # where its cells live; set while it measures
    builds: dict[str, Build] = field(default_factory=dict)  # by name
    binlogs: dict[str, Placement] = field(default_factory=dict)  # by cell id; empty: none
    host: str = ""  # the host that measures it, in a campaign over hosts
    profiles: dict[str, Profile] = field(default_factory=dict)  # by cell id; empty: `profile`

    @property
    def rows_path(self) -> Path:
        return self.folder / "rows.jsonl"

    @property
    def folders(self) -> Folders:
        """The folders its cells live in. REQUIRES: within `workspace`."""
        assert self.workspace is not None
        return self.workspace

    def profile_of(self, cell: Cell) -> Profile:
        """Return the profile, changed by the values of a cell's axes."""
        return self.profiles.get(cell.id, self.profile)

    def places(self, *cells: Cell) -> list[Placement]:
        """Return where the logs of these or all cells are, and their servers' second logs."""
        ids = [cell.id for cell in cells or self.cells]
        return [by[key] for by in (self.placements, self.binlogs) for key in ids if key in by]

    def of_workload(self, workload: str) -> Campaign:
        """Return this campaign with the cells of one workload alone."""
        return replace(self, cells=tuple(c for c in self.cells if c.workload == workload))

    def setting(self, cell: Cell, data_set: Path | None, session: int) -> Setting:
        """Return what a cell needs in a session. REQUIRES: within `workspace`."""
        return Setting(
            cell=cell,
            recipe=self.recipe,
            placement=self.placements[cell.id],
            profile=self.profile_of(cell),
            data_set=data_set,
            session=session,
            folders=self.folders,
            build=self.builds.get(cell.build),
        )

    @property
    def is_kept(self) -> bool:
        """Whether it began earlier and is being resumed."""
        return (self.folder / campaign_file.RECIPE).exists()

    def save(self, findings: Sequence[Finding] = ()) -> None:
        """Keep what --resume needs, once, and `findings` on the machine before the first slice.

        Errors: UsageError when the folder cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self.is_kept:
                return
            atomic_file.write(self.folder / campaign_file.RECIPE, self.as_json(findings))
        except OSError as error:
            raise UsageError(
                f"--results: {self.folder}: cannot be written: {error.strerror}; name another "
                "directory with --results"
            ) from error

    def as_json(self, findings: Sequence[Finding] = ()) -> str:
        """Return the text of its campaign.json."""
        recipe = {
            **asdict(self.recipe),
            "profile_digest": self.profile.digest,
            "data_dir": str(self.data_root.absolute()),
            "data_identity": identity(existing(self.data_root)),
            "doctor": [asdict(finding) for finding in findings],
        }
        return json.dumps(recipe, indent=1) + "\n"
