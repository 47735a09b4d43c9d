// The tables of a LinkBench graph, whatever keeps them: keys and columns. One
// column family a table in RocksDB, and the tables of the original on a server:
//
//   links  : id1 type id2                       -> LinkValue
//   index  : id1 type visibility newest id2     -> IndexValue
//   counts : id1 type                           -> CountValue
//   nodes  : id                                 -> NodeValue
//   default: "meta"                             -> JSON, the record of main.cc
//
//   id1, id2, id, type(of a link) : 8 bytes
//   newest = ~time in 8 bytes, so that an ascending scan reads the newest link
//            first
//   visibility : 1 byte, 1 visible, 0 hidden
//
// Numbers in keys are big-endian, so that they sort; values lie as
// driver/table/columns.h says. The index covers list reads: they touch no other
// table. Its rows are Put once and then SingleDeleted, never overwritten.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "driver/rocksdb/key_bytes.h"
#include "driver/table/table.h"

namespace waltax::linkbench {

// What a change of the layout in RocksDB, or of the tables of a server, must
// increase: older data sets are then refused.
inline constexpr int kLayoutVersion = 2;
inline constexpr int kSqlLayoutVersion = 2;

enum class Table : uint8_t { kLinks, kIndex, kCounts, kNodes };

// In the order of the enum.
const std::vector<table::Table>& Tables();

using table::Column;
using table::DecodeRow;
using table::EncodeRow;
using table::Type;

inline constexpr Type kInt = {"INT UNSIGNED NOT NULL"};
inline constexpr Type kBigInt = {"BIGINT UNSIGNED NOT NULL"};
inline constexpr Type kLinkData = {"VARCHAR(255) NOT NULL", table::As::kRest};

struct LinkKey {
  uint64_t id1 = 0;
  uint64_t type = 0;
  uint64_t id2 = 0;

  auto operator<=>(const LinkKey&) const = default;
};

// What a link says beside its key. `data` belongs to someone else.
struct LinkValue {
  static constexpr Table kTable = Table::kLinks;

  bool visible = true;
  uint32_t version = 0;
  uint64_t time = 0;  // ms since the epoch
  std::string_view data;

  static constexpr auto Columns() {
    return std::tuple(
        Column{"visibility", Type{"TINYINT NOT NULL"}, &LinkValue::visible},
        Column{"version", kInt, &LinkValue::version},
        Column{"time", kBigInt, &LinkValue::time},
        Column{"data", kLinkData, &LinkValue::data});
  }
};

// What the index has of a link: visibility and time are in its key.
struct IndexValue {
  static constexpr Table kTable = Table::kIndex;

  uint32_t version = 0;
  std::string_view data;

  static constexpr auto Columns() {
    return std::tuple(Column{"version", kInt, &IndexValue::version},
                      Column{"data", kLinkData, &IndexValue::data});
  }
};

struct CountValue {
  static constexpr Table kTable = Table::kCounts;

  uint64_t count = 0;
  uint64_t time = 0;
  uint64_t version = 0;

  static constexpr auto Columns() {
    return std::tuple(Column{"count", kInt, &CountValue::count},
                      Column{"time", kBigInt, &CountValue::time},
                      Column{"version", kBigInt, &CountValue::version});
  }
};

struct NodeValue {
  static constexpr Table kTable = Table::kNodes;

  uint32_t type = 0;
  uint64_t version = 0;
  uint32_t time = 0;  // s since the epoch
  std::string_view data;

  static constexpr auto Columns() {
    return std::tuple(
        Column{"type", kInt, &NodeValue::type},
        Column{"version", kBigInt, &NodeValue::version},
        Column{"time", kInt, &NodeValue::time},
        Column{"data", Type{"MEDIUMTEXT NOT NULL", table::As::kRest},
               &NodeValue::data});
  }
};

inline Key<24> EncodeLinkKey(const LinkKey& key) {
  return MakeKey(key.id1, key.type, key.id2);
}

inline Key<33> EncodeIndexKey(const LinkKey& key, bool visible, uint64_t time) {
  return MakeKey(key.id1, key.type, uint8_t{visible}, ~time, key.id2);
}

// The first key behind all visible links of (id1, type).
inline Key<17> EncodeListEnd(uint64_t id1, uint64_t type) {
  return MakeKey(id1, type, uint8_t{2});
}

inline Key<16> EncodeCountKey(uint64_t id1, uint64_t type) {
  return MakeKey(id1, type);
}

inline Key<8> EncodeNodeKey(uint64_t id) { return MakeKey(id); }

// REQUIRES, as all decoders: `in` is as long as such a key.
inline LinkKey DecodeLinkKey(const rocksdb::Slice& in) {
  return {GetBigEndian<uint64_t>(in.data()),
          GetBigEndian<uint64_t>(in.data() + 8),
          GetBigEndian<uint64_t>(in.data() + 16)};
}

// With what the key has of the value.
inline LinkKey DecodeIndexKey(const rocksdb::Slice& in, LinkValue* value) {
  value->visible = in[16] != 0;
  value->time = ~GetBigEndian<uint64_t>(in.data() + 17);
  return {GetBigEndian<uint64_t>(in.data()),
          GetBigEndian<uint64_t>(in.data() + 8),
          GetBigEndian<uint64_t>(in.data() + 25)};
}

// Without id2.
inline LinkKey DecodeCountKey(const rocksdb::Slice& in) {
  return {GetBigEndian<uint64_t>(in.data()),
          GetBigEndian<uint64_t>(in.data() + 8), 0};
}

}  // namespace waltax::linkbench
