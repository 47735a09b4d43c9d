"""What leaves the machine in an archive: a campaign's files without paths, hosts or passwords.

The bytes of the tar.gz depend on names and content alone: no time, no owner. Equal paths become
equal words, so that rows still say which logs were in one folder.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import platform
import re
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_FLAG = re.compile(r"(?P<flag>--?[\w-]+=)?(?P<path>/.*)", re.S)
# In a sentence: an absolute path, but neither `requests/s` nor the address of a page.
_PATH = re.compile(r"(?<![\w./:<~-])(?:~[\w.-]*)?/[^\s'\",;:)\]}]+")
_SECRETS = (
    re.compile(r"(?i)(--?[\w-]*(?:password|passwd|pwd|token|secret|key)[\w-]*[= ]+)\S+"),
    re.compile(r"(?i)(\b\w*(?:password|passwd|pwd|token|secret)\w*\s*[=:]\s*)\S+"),
    re.compile(r"((?:^|\s)-p)(?=\S)\S+"),
    re.compile(r"(://[^\s:/@]+:)[^\s@]+(?=@)"),
    re.compile(r"(--hosts[= ])('[^']*'|\S+)"),
)
_HIDDEN = r"\1<hidden>"
_HISTOGRAM = "_hdr"  # ends the names of columns in base64, where `+/` begins no path
_LEAST_HOST = 3  # a shorter name may be a part of any word


class Scrubber:
    """Removes the machines' own names and paths from texts, and from texts within JSON values.

    `hosts` are the names of the measured hosts, which become numbers; this machine's is always
    removed.
    """

    def __init__(self, hosts: Iterable[str] = ()) -> None:
        self._words: dict[str, str] = {}
        self._hosts = {name: f"<host-{place}>" for place, name in enumerate(hosts, start=1)}
        every = {platform.node(): "<host>"} | self._hosts
        known = [name for name in every if len(name) >= _LEAST_HOST and name != "localhost"]
        any_of = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        self._host = re.compile(rf"\b(?:{any_of})\b") if known else None
        self._named = every

    def value(self, value: Any) -> Any:
        """Return the same value with its texts scrubbed, including the names in objects.

        Histograms stay as they are.
        """
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {
                self.text(name): item if name.endswith(_HISTOGRAM) else self.value(item)
                for name, item in value.items()
            }
        return value

    def text(self, text: str) -> str:
        """Return a text without paths, hosts' names, and passwords."""
        if text in self._hosts:
            return self._hosts[text]
        for secret in _SECRETS:
            text = secret.sub(_HIDDEN, text)
        whole = _FLAG.fullmatch(text)
        if whole is not None:  # a path that is a whole value may hold blanks
            return (whole["flag"] or "") + self._word(whole["path"])
        for path in sorted(self._words, key=len, reverse=True):
            text = text.replace(path, self._words[path])
        text = _PATH.sub(lambda match: self._word(match[0]), text)
        if self._host is None:
            return text
        return self._host.sub(lambda match: self._named[match[0]], text)

    def _word(self, path: str) -> str:
        return self._words.setdefault(path, f"<path-{len(self._words) + 1}>")


_SUMS = "SHA256SUMS"


def sums(folder: Path) -> None:
    """Write SHA256SUMS of every file, as `sha256sum -c` reads it."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
        for path in _files(folder)
    ]
    (folder / _SUMS).write_text("".join(lines))


def packed(folder: Path, name: str) -> bytes:
    """Return the archive of a folder's files, in a folder called `name`."""
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
