"""A folder as a tar.gz whose bytes hang on names and content alone: no time, no owner."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
from pathlib import Path

_SUMS = "SHA256SUMS"


def sums(folder: Path) -> None:
    """Write SHA256SUMS of every file, as `sha256sum -c` takes it."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
        for path in _files(folder)
    ]
    (folder / _SUMS).write_text("".join(lines))


def packed(folder: Path, name: str) -> bytes:
    """The archive of a folder's files, in a folder called `name`."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in _files(folder):
            content = path.read_bytes()
            member = tarfile.TarInfo(f"{name}/{path.relative_to(folder)}")
            member.size, member.mode = len(content), 0o644
            archive.addfile(member, io.BytesIO(content))
    return gzip.compress(plain.getvalue(), mtime=0)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
