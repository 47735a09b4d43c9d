"""RocksDB releases without compiling RocksDB, from what public package registries carry.

known     the releases whose library and headers are both there, with their digests
fetch     a release in a folder that is a ROCKSDB_ROOT, brought by Maven and cargo, verified
"""

from __future__ import annotations

from .fetch import fetched
from .known import Release, named

__all__ = ["Release", "fetched", "named"]
