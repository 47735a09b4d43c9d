"""Releases of RocksDB: `known.toml` has the digests of those that `fetch` brings."""
