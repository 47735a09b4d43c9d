// How a LinkBench graph lies in RocksDB. One column family a table:
//
//   links  : id1 type id2                       -> visibility version time data
//   index  : id1 type visibility newest id2     -> version data
//   counts : id1 type                           -> count time version
//   nodes  : id                                 -> type version time data
//   default: "meta"                             -> JSON, see data_set.h
//
//   id1, id2, id, type(of a link), time(of a link, ms) : 8 bytes
//   newest = ~time, so that an ascending scan reads the newest link first
//   visibility : 1 byte, 1 visible, 0 hidden
//   version(of a link), type(of a node), time(of a node, s) : 4 bytes
//   count, time, version(of a count), version(of a node)    : 8 bytes
//   data : the rest
//
// Numbers in keys are big-endian, so that they sort; values lie as
// driver/table/columns.h says. The index covers list reads: they touch no other
// table. Its rows are Put once and then SingleDeleted, never overwritten.
#pragma once

#include <rocksdb/slice.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "driver/rocksdb/key_bytes.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

// What a layout change must increase: older data sets are then refused.
inline constexpr int kLayoutVersion = 2;

inline constexpr size_t kLinkKeyBytes = 24;
inline constexpr size_t kIndexKeyBytes = 33;
inline constexpr size_t kCountKeyBytes = 16;
inline constexpr size_t kNodeKeyBytes = 8;
// id1 type visibility: what all rows of a list share.
inline constexpr size_t kListPrefixBytes = 17;

inline Key<kLinkKeyBytes> EncodeLinkKey(const LinkKey& key) {
  return MakeKey(key.id1, key.type, key.id2);
}

// REQUIRES, as all decoders of keys: `in` is as long as such a key.
inline LinkKey DecodeLinkKey(const rocksdb::Slice& in) {
  return {GetBigEndian<uint64_t>(in.data()),
          GetBigEndian<uint64_t>(in.data() + 8),
          GetBigEndian<uint64_t>(in.data() + 16)};
}

inline Key<kIndexKeyBytes> EncodeIndexKey(const LinkKey& key, bool visible,
                                          uint64_t time) {
  return MakeKey(key.id1, key.type, uint8_t{visible}, ~time, key.id2);
}

inline LinkKey DecodeIndexKey(const rocksdb::Slice& in, bool* visible,
                              uint64_t* time) {
  *visible = in[16] != 0;
  *time = ~GetBigEndian<uint64_t>(in.data() + 17);
  return {GetBigEndian<uint64_t>(in.data()),
          GetBigEndian<uint64_t>(in.data() + 8),
          GetBigEndian<uint64_t>(in.data() + 25)};
}

// The first key behind all visible links of (id1, type).
inline Key<kListPrefixBytes> EncodeListEnd(uint64_t id1, uint64_t type) {
  return MakeKey(id1, type, uint8_t{2});
}

inline Key<kCountKeyBytes> EncodeCountKey(uint64_t id1, uint64_t type) {
  return MakeKey(id1, type);
}

inline Key<kNodeKeyBytes> EncodeNodeKey(uint64_t id) { return MakeKey(id); }

// Values: those of links and nodes are LinkValue and NodeValue.

// What the index has of a link: visibility and time are in its key.
struct IndexValue {
  uint32_t version = 0;
  std::string_view data;

  static constexpr auto Columns() {
    return std::tuple(Column{"version", {}, &IndexValue::version},
                      Column{"data", kRest, &IndexValue::data});
  }
};

inline void EncodeIndexValue(const LinkValue& value, std::string* out) {
  EncodeRow(IndexValue{value.version, value.data}, out);
}

inline bool DecodeIndexValue(std::string_view in, LinkValue* value) {
  IndexValue index;
  if (!DecodeRow(in, &index)) return false;
  value->version = index.version;
  value->data = index.data;
  return true;
}

struct CountValue {
  uint64_t count = 0;
  uint64_t time = 0;
  uint64_t version = 0;

  static constexpr auto Columns() {
    return std::tuple(Column{"count", {}, &CountValue::count},
                      Column{"time", {}, &CountValue::time},
                      Column{"version", {}, &CountValue::version});
  }
};

}  // namespace waltax::linkbench
