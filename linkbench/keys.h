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
// Numbers in keys are big-endian, so that they sort; in values they are as the
// processor has them. The index covers list reads: they touch no other table.
// Its rows are Put once and then SingleDeleted, never overwritten.
#pragma once

#include <rocksdb/slice.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "driver/rocksdb/key_bytes.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

// What a layout change must increase: older data sets are then refused.
inline constexpr int kLayoutVersion = 2;

namespace codec {

template <typename Number>
void Put(Number number, std::string* out) {
  out->append(reinterpret_cast<const char*>(&number), sizeof(number));
}

// Moves `in` past the number.
template <typename Number>
Number Get(rocksdb::Slice* in) {
  Number number{};
  std::memcpy(&number, in->data(), sizeof(number));
  in->remove_prefix(sizeof(number));
  return number;
}

}  // namespace codec

inline constexpr size_t kLinkKeyBytes = 24;
inline constexpr size_t kIndexKeyBytes = 33;
inline constexpr size_t kCountKeyBytes = 16;
inline constexpr size_t kNodeKeyBytes = 8;
// id1 type visibility: what all rows of a list share.
inline constexpr size_t kListPrefixBytes = 17;

inline Key<kLinkKeyBytes> EncodeLinkKey(const LinkKey& key) {
  Key<kLinkKeyBytes> out;
  char* at = PutBigEndian(out.bytes.data(), key.id1);
  PutBigEndian(PutBigEndian(at, key.type), key.id2);
  return out;
}

// REQUIRES, as all decoders of keys: `in` is as long as such a key.
inline LinkKey DecodeLinkKey(const rocksdb::Slice& in) {
  return {GetBigEndian<uint64_t>(in.data()),
          GetBigEndian<uint64_t>(in.data() + 8),
          GetBigEndian<uint64_t>(in.data() + 16)};
}

inline Key<kIndexKeyBytes> EncodeIndexKey(const LinkKey& key, bool visible,
                                          uint64_t time) {
  Key<kIndexKeyBytes> out;
  char* at = PutBigEndian(out.bytes.data(), key.id1);
  at = PutBigEndian(at, key.type);
  *at = visible ? 1 : 0;
  PutBigEndian(PutBigEndian(at + 1, ~time), key.id2);
  return out;
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
  Key<kListPrefixBytes> out;
  *PutBigEndian(PutBigEndian(out.bytes.data(), id1), type) = 2;
  return out;
}

inline Key<kCountKeyBytes> EncodeCountKey(uint64_t id1, uint64_t type) {
  Key<kCountKeyBytes> out;
  PutBigEndian(PutBigEndian(out.bytes.data(), id1), type);
  return out;
}

inline Key<kNodeKeyBytes> EncodeNodeKey(uint64_t id) {
  Key<kNodeKeyBytes> out;
  PutBigEndian(out.bytes.data(), id);
  return out;
}

// Values. Encoders replace what `out` held; decoders return false when `in` is
// too short, and let `data` point into it.

inline void EncodeLinkValue(const LinkValue& value, std::string* out) {
  out->clear();
  out->push_back(value.visible ? 1 : 0);
  codec::Put(value.version, out);
  codec::Put(value.time, out);
  out->append(value.data);
}

inline bool DecodeLinkValue(rocksdb::Slice in, LinkValue* value) {
  if (in.size() < 13) return false;
  value->visible = codec::Get<uint8_t>(&in) != 0;
  value->version = codec::Get<uint32_t>(&in);
  value->time = codec::Get<uint64_t>(&in);
  value->data = in.ToStringView();
  return true;
}

inline void EncodeIndexValue(const LinkValue& value, std::string* out) {
  out->clear();
  codec::Put(value.version, out);
  out->append(value.data);
}

// Visibility and time are in the key.
inline bool DecodeIndexValue(rocksdb::Slice in, LinkValue* value) {
  if (in.size() < 4) return false;
  value->version = codec::Get<uint32_t>(&in);
  value->data = in.ToStringView();
  return true;
}

struct CountValue {
  uint64_t count = 0;
  uint64_t time = 0;
  uint64_t version = 0;
};

inline void EncodeCountValue(const CountValue& value, std::string* out) {
  out->clear();
  codec::Put(value.count, out);
  codec::Put(value.time, out);
  codec::Put(value.version, out);
}

inline bool DecodeCountValue(rocksdb::Slice in, CountValue* value) {
  if (in.size() != 24) return false;
  value->count = codec::Get<uint64_t>(&in);
  value->time = codec::Get<uint64_t>(&in);
  value->version = codec::Get<uint64_t>(&in);
  return true;
}

inline void EncodeNodeValue(const NodeValue& value, std::string* out) {
  out->clear();
  codec::Put(value.type, out);
  codec::Put(value.version, out);
  codec::Put(value.time, out);
  out->append(value.data);
}

inline bool DecodeNodeValue(rocksdb::Slice in, NodeValue* value) {
  if (in.size() < 16) return false;
  value->type = codec::Get<uint32_t>(&in);
  value->version = codec::Get<uint64_t>(&in);
  value->time = codec::Get<uint32_t>(&in);
  value->data = in.ToStringView();
  return true;
}

}  // namespace waltax::linkbench
