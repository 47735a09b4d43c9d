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

uint64_t BigEndian(std::string_view bytes) {
  uint64_t bits = 0;
  for (const char byte : bytes) bits = bits << 8 | static_cast<uint8_t>(byte);
  return bits;
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
  // Its sign turned.
  PutBigEndian(bytes, static_cast<uint64_t>(cell.number) ^
                          uint64_t{1} << (8 * column.bytes - 1));
  out->append(bytes + sizeof bytes - column.bytes, column.bytes);
}

void Codec::AppendKey(size_t table, uint64_t number, std::string* out) const {
  const Key& key = tables_[table].key;
  if (key.is_text) return values_.AppendTextKey(table, number, out);
  for (const size_t column : key.columns) {
    const Cell cell = {values_.Initial(table, column, number), {}};
    AppendOrdered(tables_[table].columns[column], cell, out);
  }
  char bytes[8];
  PutBigEndian(bytes, values_.KeyOf(table, number));
  const size_t stored = std::min(key.bytes, 8U);
  out->append(bytes + sizeof bytes - stored, stored);
  out->append(key.bytes - stored, '0');
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
    if (!column.head.empty()) {
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
  const size_t stored = std::min(how.bytes, 8U);
  if (key.find_first_not_of('0', stored) != key.npos) return false;
  const std::optional<uint64_t> known =
      values_.NumberOf(table, BigEndian(key.substr(0, stored)));
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
    if (!column.head.empty()) {
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

std::optional<std::vector<uint64_t>> LoadParts::Sorted(size_t table,
                                                       size_t index) const {
  const Table& of = values_.mix().tables[table];
  if (index == kNone && !of.key.hashed && !of.key.is_text &&
      of.key.columns.empty()) {
    return std::nullopt;
  }
  std::vector<std::pair<std::string, uint64_t>> bytes;
  bytes.reserve(of.loaded_rows());
  Row row;
  for (uint64_t number = 0; number < of.loaded_rows(); ++number) {
    if (values_.is_here && !values_.is_here(number)) continue;
    std::string& each = bytes.emplace_back("", number).first;
    if (index == kNone) {
      codec_.EncodeKey(table, number, &each);
    } else {
      values_.Make(table, number, kLoaded, &row);
      codec_.EncodeEntry(table, index, number, row, &each);
    }
  }
  std::sort(bytes.begin(), bytes.end());
  std::vector<uint64_t> numbers;
  for (const auto& [of_number, number] : bytes) numbers.push_back(number);
  return numbers;
}

void LoadParts::Add(size_t table, size_t index, uint64_t most) {
  const auto& order = orders_.emplace_back(Sorted(table, index));
  const uint64_t rows =
      order ? order->size() : values_.mix().tables[table].loaded_rows();
  for (uint64_t first = 0; first < rows; first += most) {
    parts_.push_back({table, index, orders_.size() - 1, first,
                      first + std::min(most, rows - first)});
  }
}

}  // namespace waltax::mix
