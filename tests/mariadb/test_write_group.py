"""How MyRocks' writers wait for each other, as the server itself says."""

from __future__ import annotations

import re

from waltax import engines, proc
from waltax.mariadb import binaries


def test_writers_of_myrocks_are_as_eager_as_its_defaults_say() -> None:
    """Both are RocksDB's, which are on; waltax sets neither."""
    server = binaries.find("myrocks")
    words = ["--no-defaults", "--plugin-load-add=ha_rocksdb.so", "--verbose", "--help"]
    said = proc.run([server.mariadbd, *words], check=False)
    names = ("allow-concurrent-memtable-write", "enable-write-thread-adaptive-yield")
    found = [re.search(rf"^rocksdb-{name}\s+(TRUE|FALSE)$", said, re.M) for name in names]
    values = [one is not None and one[1] == "TRUE" for one in found]
    assert None not in found
    assert engines.of("myrocks").eager_writers == all(values)
    assert not any(values)
