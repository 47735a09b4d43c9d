"""A slow-down that is known, planted in RocksDB's write path without compiling RocksDB.

`log::Writer::AddRecord`, which `DBImpl::WriteToWAL` calls for each write group, begins with a jump
to some `pause` instructions, which lie where `ldb` had its help. Nothing else is changed.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

from waltax.base import proc
from waltax.base.errors import WaltaxError

_HEADERS = Path("/usr/include/rocksdb")
_ADD_RECORD = "rocksdb3log6Writer9AddRecord"
_UNUSED = "LDBCommandRunner9PrintHelp"
_JUMP_BYTES = 5  # a jmp with a displacement of 32 bits
_JUMP, _NOP = b"\xe9", b"\x90"
# mov $N, %eax; test %eax, %eax; jz end; again: pause; dec %eax; jnz again; end:
_LOAD, _LOOP = b"\xb8", bytes.fromhex("85c0 7406 f390 ffc8 75fa")


def installed() -> Path:
    """The library of the system. Errors: WaltaxError where there is none."""
    found = sorted(Path("/usr/lib").glob("*/librocksdb.so"))
    if not found:
        raise WaltaxError("found no librocksdb.so in /usr/lib; apt-get install librocksdb-dev")
    return found[0].resolve()


def plant(root: Path, pauses: int, mark: int = 0) -> Path:
    """Make of `root` a build whose log takes `pauses` of the CPU longer for each record.

    Builds of another `mark` differ in their bytes and in nothing that they do. A library that is
    there is replaced as an installation does it. Returns `root`. Errors: WaltaxError for a library
    without the functions; OSError.
    """
    library = installed()
    (root / "include").mkdir(parents=True, exist_ok=True)
    (root / "lib").mkdir(exist_ok=True)
    _link(root / "include" / "rocksdb", _HEADERS)
    kept = root / "lib" / library.name
    beside = kept.with_suffix(".new")
    beside.write_bytes(planted(library, pauses, mark))
    beside.replace(kept)
    for name in {"librocksdb.so", _soname(library)} - {library.name}:
        _link(root / "lib" / name, Path(library.name))
    return root


def planted(library: Path, pauses: int, mark: int = 0) -> bytes:
    """The bytes of a library on x86-64 with the slow-down in it. Errors: as `plant`."""
    made = bytearray(library.read_bytes())
    begin, _ = _function(library, _ADD_RECORD)
    cave, room = _function(library, _UNUSED)
    moved = _first_instructions(library, begin)
    first = _offset(library, begin)
    code = _LOAD + struct.pack("<i", pauses) + _LOOP + made[first : first + moved]
    code += _jump(cave + len(code), begin + moved) + struct.pack("<q", mark)
    if len(code) > room:
        raise WaltaxError(f"{library}: {_UNUSED} has {room} bytes, of which {len(code)} are needed")
    there = _offset(library, cave)
    made[there : there + len(code)] = code
    made[first : first + moved] = _jump(begin, cave) + _NOP * (moved - _JUMP_BYTES)
    return bytes(made)


def _jump(at: int, to: int) -> bytes:
    return _JUMP + struct.pack("<i", to - at - _JUMP_BYTES)


def _function(library: Path, name: str) -> tuple[int, int]:
    """The address and the length of the exported function with `name` in its name."""
    table = proc.run(["nm", "-D", "-S", "--defined-only", library])
    found = re.search(rf"^([0-9a-f]+) ([0-9a-f]+) T \S*{name}\S*$", table, re.MULTILINE)
    if found is None:
        raise WaltaxError(f"{library}: exports no {name}")
    return int(found[1], 16), int(found[2], 16)


def _first_instructions(library: Path, address: int) -> int:
    """How many bytes the first whole instructions have in which a jump has room.

    They are moved, so that they may name no address: a prologue names none.
    """
    ends = (f"--start-address={address}", f"--stop-address={address + 32}")
    text = proc.run(["objdump", "-d", *ends, library])
    length = 0
    for one in re.finditer(
        r"^\s*[0-9a-f]+:\t((?:[0-9a-f]{2} )+)\s*\t(\w+)(.*)$", text, re.MULTILINE
    ):
        if "rip" in one[3] or one[2].startswith(("j", "call")):
            break
        length += len(one[1].split())
        if length >= _JUMP_BYTES:
            return length
    raise WaltaxError(f"{library}: {_ADD_RECORD} begins with what cannot be moved")


def _offset(library: Path, address: int) -> int:
    """Where in the file a loaded address is."""
    for line in proc.run(["readelf", "-lW", library]).splitlines():
        words = line.split()
        if words[:1] == ["LOAD"]:
            offset, begin, _, size = (int(word, 16) for word in words[1:5])
            if begin <= address < begin + size:
                return offset + address - begin
    raise WaltaxError(f"{library}: no segment has the address {address:#x}")


def _soname(library: Path) -> str:
    said = proc.run(["readelf", "-d", library])
    return said.partition("Library soname: [")[2].partition("]")[0] or library.name


def _link(path: Path, to: Path) -> None:
    if not path.is_symlink():
        path.symlink_to(to)
