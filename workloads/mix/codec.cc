#include "workloads/mix/codec.h"

#include <algorithm>

#include "driver/rocksdb/key_bytes.h"

namespace waltax::mix {
namespace {

constexpr size_t kNameBytes = sizeof(uint32_t);  // of a length beside a name

void AppendLength(size_t length, std::string* out) {
  char bytes[kNameBytes];
  PutBigEndian(bytes, static_cast<uint32_t>(length));
  out->append(bytes, sizeof bytes);
}

// The int's bytes with the greatest first, its sign turned.
uint64_t Turned(const Column& column, int64_t number) {
  const int bits = static_cast<int>(8 * column.bytes);
  return static_cast<uint64_t>(number) ^ (uint64_t{1} << (bits - 1));
}

bool TakeOrdered(const Column& column, std::string_view* in, Cell* cell) {
  if (column.type != Type::kInt) {
    const size_t end = in->find('\0');
    if (end == in->npos) return false;
    cell->text = in->substr(0, end);
    in->remove_prefix(end + 1);
    return true;
  }
  if (in->size() < column.bytes) return false;
  uint64_t bits = 0;
  for (const char byte : in->substr(0, column.bytes)) {
    bits = bits << 8 | static_cast<uint8_t>(byte);
  }
  in->remove_prefix(column.bytes);
  const int unused = static_cast<int>(64 - 8 * column.bytes);
  const uint64_t number = Turned(column, static_cast<int64_t>(bits));
  cell->number = static_cast<int64_t>(number << unused) >> unused;
  return true;
}

uint64_t FirstBytes(std::string_view bytes, size_t from) {
  char first[8] = {};
  if (from < bytes.size()) bytes.copy(first, sizeof first, from);
  return GetBigEndian<uint64_t>(first);
}

}  // namespace

void Codec::AppendOrdered(const Column& column, const Cell& cell,
                          std::string* out) {
  if (column.type != Type::kInt) {
    out->append(cell.text);
    out->push_back('\0');
    return;
  }
  char bytes[8];
  PutBigEndian(bytes, Turned(column, cell.number));
  out->append(bytes + sizeof bytes - column.bytes, column.bytes);
}

void Codec::AppendKey(size_t table, uint64_t number, std::string* out) const {
  const Key& key = tables_[table].key;
  if (key.is_text) return values_.AppendTextKey(table, number, out);
  for (const size_t column : key.columns) {
    const Cell cell = {values_.Initial(table, column, number), {}};
    AppendOrdered(tables_[table].columns[column], cell, out);
  }
  const uint64_t stored = values_.KeyOf(table, number);
  const size_t at = out->size();
  out->append(key.bytes, '0');
  if (key.bytes == 4) {
    PutBigEndian(out->data() + at, static_cast<uint32_t>(stored));
  } else {
    PutBigEndian(out->data() + at, stored);
  }
}

void Codec::EncodeKey(size_t table, uint64_t number, std::string* out) const {
  out->clear();
  AppendKey(table, number, out);
}

void Codec::EncodeValue(size_t table, const Row& row, std::string* out) const {
  out->clear();
  for (const size_t place : tables_[table].stored) {
    const Column& column = tables_[table].columns[place];
    const Cell& cell = row.cells[place];
    if (column.type == Type::kInt) {
      out->append(reinterpret_cast<const char*>(&cell.number), column.bytes);
      continue;
    }
    const auto length = static_cast<uint32_t>(cell.text.size());
    if (tables_[table].named) {
      out->append(column.head);
      AppendLength(length, out);
    } else {
      out->append(reinterpret_cast<const char*>(&length), column.length_bytes);
    }
    out->append(cell.text);
  }
}

void Codec::EncodeEntry(size_t table, size_t index, uint64_t number,
                        const Row& row, std::string* out) const {
  out->clear();
  for (const size_t column : tables_[table].indexes[index].columns) {
    AppendOrdered(tables_[table].columns[column], row.cells[column], out);
  }
  AppendKey(table, number, out);
}

bool Codec::DecodeKey(size_t table, std::string_view key,
                      uint64_t* number) const {
  const Key& how = tables_[table].key;
  if (how.is_text) {
    const std::optional<uint64_t> known = values_.NumberOfText(table, key);
    *number = known.value_or(0);
    return known.has_value();
  }
  if (key.size() != tables_[table].key_bytes) return false;
  const std::string_view columns = key.substr(0, key.size() - how.bytes);
  key.remove_prefix(columns.size());
  const bool is_short = how.bytes == 4;
  const char* const first = key.data();
  const uint64_t stored =
      is_short ? GetBigEndian<uint32_t>(first) : GetBigEndian<uint64_t>(first);
  if (!is_short && key.find_first_not_of('0', 8) != key.npos) return false;
  const std::optional<uint64_t> known = values_.NumberOf(table, stored);
  if (!known) return false;
  *number = *known;
  if (columns.empty()) return true;
  std::string again;
  EncodeKey(table, *number, &again);
  return again.starts_with(columns);
}

bool Codec::DecodeValue(size_t table, uint64_t number, std::string_view value,
                        Row* row) const {
  const Table& of = tables_[table];
  row->Fit(of.columns.size());
  for (const size_t column : of.key.columns) {
    row->cells[column].number = values_.Initial(table, column, number);
  }
  for (const size_t place : of.stored) {
    const Column& column = of.columns[place];
    size_t length = column.type == Type::kInt ? column.bytes : column.size.low;
    if (of.named && column.type != Type::kInt) {
      if (!value.starts_with(column.head)) return false;
      value.remove_prefix(column.head.size());
      if (value.size() < kNameBytes) return false;
      const char* const told = value.data();
      length = GetBigEndian<uint32_t>(told);
      value.remove_prefix(kNameBytes);
    } else if (column.length_bytes > 0) {
      uint32_t told = 0;
      if (value.size() < column.length_bytes) return false;
      value.copy(reinterpret_cast<char*>(&told), column.length_bytes);
      value.remove_prefix(column.length_bytes);
      length = told;
    } else if (!column.fixed) {
      length = value.size();
    }
    if (value.size() < length) return false;
    Cell& cell = row->cells[place];
    cell.text = value.substr(0, length);
    if (column.type == Type::kInt) {
      const int unused = static_cast<int>(64 - 8 * column.bytes);
      uint64_t bits = 0;
      cell.text.copy(reinterpret_cast<char*>(&bits), length);
      cell.number = static_cast<int64_t>(bits << unused) >> unused;
    }
    value.remove_prefix(length);
  }
  return value.empty();
}

bool Codec::DecodeEntry(size_t table, size_t index, std::string_view entry,
                        uint64_t* number, Row* row) const {
  const Table& of = tables_[table];
  row->Fit(of.columns.size());
  for (const size_t column : of.indexes[index].columns) {
    if (!TakeOrdered(of.columns[column], &entry, &row->cells[column])) {
      return false;
    }
  }
  return DecodeKey(table, entry, number);
}

LoadOrder::LoadOrder(const Values& values, const Codec& codec, size_t table,
                     size_t index)
    : rows_(values.mix().tables[table].loaded_rows()) {
  const Key& key = values.mix().tables[table].key;
  if (index == kNone && !key.hashed && !key.is_text && key.columns.empty())
    return;
  sorted_.reserve(rows_);
  Row row;
  const auto encode = [&](uint64_t number, std::string* bytes) {
    if (index == kNone) return codec.EncodeKey(table, number, bytes);
    values.Make(table, number, kLoaded, &row);
    codec.EncodeEntry(table, index, number, row, bytes);
  };
  std::string bytes;
  for (uint64_t number = 0; number < rows_; ++number) {
    if (values.is_here && !values.is_here(number)) continue;
    encode(number, &bytes);
    sorted_.push_back({FirstBytes(bytes, 0), FirstBytes(bytes, 8), number});
  }
  rows_ = sorted_.size();
  std::string other;
  std::sort(sorted_.begin(), sorted_.end(),
            [&](const Place& one, const Place& another) {
              if (one.high != another.high) return one.high < another.high;
              if (one.low != another.low) return one.low < another.low;
              if (one.number == another.number) return false;
              encode(one.number, &bytes);
              encode(another.number, &other);
              return bytes < other;
            });
}

void LoadParts::Add(size_t table, size_t index, uint64_t most) {
  const LoadOrder& order = orders_.emplace_back(values_, codec_, table, index);
  for (uint64_t first = 0; first < order.size(); first += most) {
    parts_.push_back({table, index, orders_.size() - 1, first,
                      first + std::min(most, order.size() - first)});
  }
}

}  // namespace waltax::mix
