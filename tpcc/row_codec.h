// Rows as the values of RocksDB:
//
//   row    : column...            in the order of the struct's Columns()
//   column : number               its bytes as the processor has them
//          | length text          length in 2 bytes
//          | text text text text text      an address, each as above
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "tpcc/schema.h"

namespace waltax::tpcc {

namespace codec {

template <typename Number>
void Append(Number number, std::string* out) {
  out->append(reinterpret_cast<const char*>(&number), sizeof(number));
}

inline void Append(std::string_view text, std::string* out) {
  Append(static_cast<uint16_t>(text.size()), out);
  out->append(text);
}

inline void Append(const Address& address, std::string* out) {
  for (const std::string_view part :
       {address.street_1, address.street_2, address.city, address.state,
        address.zip}) {
    Append(part, out);
  }
}

template <typename Number>
bool Take(std::string_view* in, Number* number) {
  if (in->size() < sizeof(*number)) return false;
  in->copy(reinterpret_cast<char*>(number), sizeof(*number));
  in->remove_prefix(sizeof(*number));
  return true;
}

inline bool Take(std::string_view* in, std::string_view* text) {
  uint16_t length = 0;
  if (!Take(in, &length) || in->size() < length) return false;
  *text = in->substr(0, length);
  in->remove_prefix(length);
  return true;
}

inline bool Take(std::string_view* in, Address* address) {
  return Take(in, &address->street_1) && Take(in, &address->street_2) &&
         Take(in, &address->city) && Take(in, &address->state) &&
         Take(in, &address->zip);
}

}  // namespace codec

// Replaces what `out` held. `row` must not point into it.
template <typename Row>
void EncodeRow(const Row& row, std::string* out) {
  out->clear();
  std::apply([&](auto... column) { (codec::Append(row.*column, out), ...); },
             Row::Columns());
}

// False when `in` is not exactly such a row. Its text points into `in`.
template <typename Row>
bool DecodeRow(std::string_view in, Row* row) {
  const bool complete = std::apply(
      [&](auto... column) {
        return (codec::Take(&in, &(row->*column)) && ...);
      },
      Row::Columns());
  return complete && in.empty();
}

}  // namespace waltax::tpcc
