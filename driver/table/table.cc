#include "driver/table/table.h"

#include <fmt/format.h>

#include <numeric>

namespace waltax::table {
namespace {

// Of the parts from `i` on. A text has its end at least.
size_t ShortestOf(const Table& table, size_t i) {
  return std::accumulate(table.key.begin() + static_cast<std::ptrdiff_t>(i),
                         table.key.end(), size_t{0},
                         [](size_t bytes, const KeyPart& part) {
                           return bytes + (part.bytes == 0 ? 1 : part.bytes);
                         });
}

bool HasTexts(const Table& table) {
  for (const KeyPart& part : table.key) {
    if (part.bytes == 0) return true;
  }
  return false;
}

}  // namespace

uint64_t NumberOf(std::string_view bytes) {
  uint64_t number = 0;
  for (const char byte : bytes) {
    number = number << 8 | static_cast<uint8_t>(byte);
  }
  return number;
}

uint64_t PartOf(const Table& table, std::string_view key, size_t i) {
  // What stands before a text is found from the front, all else from the end.
  size_t at = 0;
  for (size_t before = 0; before < i; ++before) {
    const size_t bytes = table.key[before].bytes;
    at = bytes == 0 ? key.size() - ShortestOf(table, before + 1) : at + bytes;
  }
  const KeyPart& part = table.key[i];
  const uint64_t number = NumberOf(key.substr(at, part.bytes));
  return part.largest_first ? ~number & UINT64_MAX >> (64 - 8 * part.bytes)
                            : number;
}

std::string KeyFault(const Table& table, std::string_view key) {
  const size_t want = ShortestOf(table, 0);
  if (HasTexts(table) ? key.size() < want : key.size() != want) {
    return fmt::format("a key of {} bytes", key.size());
  }
  for (size_t i = 0; i < table.key.size(); ++i) {
    const uint64_t most = table.key[i].most;
    if (most == UINT64_MAX) continue;
    const uint64_t number = PartOf(table, key, i);
    if (number < 1 || number > most) {
      return PlaceOf(table, key) + ": there can be no such row";
    }
  }
  return "";
}

std::string PlaceOf(const Table& table, std::string_view key) {
  std::string place;
  for (size_t i = 0; i < table.key.size(); ++i) {
    if (*table.key[i].label == '\0') continue;
    place += fmt::format("{}{} {}", place.empty() ? "" : ": ",
                         table.key[i].label, PartOf(table, key, i));
  }
  return place;
}

std::string KeyBehind(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xff') prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

}  // namespace waltax::table
