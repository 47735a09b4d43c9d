"""RocksDB releases from public package registries, without compiling RocksDB.

known     the releases whose library and headers are both available, with their digests
fetch     fetching a release by Maven and cargo into a verified folder that is a ROCKSDB_ROOT
"""

from __future__ import annotations

from .fetch import fetched
from .table import Release, named

__all__ = ["Release", "fetched", "named"]
