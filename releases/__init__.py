"""RocksDB releases without compiling RocksDB, from what public package registries carry.

known     the releases whose library and headers are both there, with their digests
clients   Maven and cargo, which bring a package by its name
fetch     a release in a folder that is a ROCKSDB_ROOT, verified
"""

from __future__ import annotations

from .fetch import fetched
from .known import Release, named

__all__ = ["Release", "fetched", "named"]
