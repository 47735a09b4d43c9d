// What the keys of a database mean:
//
//   database = { record } index data-set
//   record   = hash "user..." of { field value } [ counter-field number ]
//   index    = sorted set "_indices" of every record's key, each of score 0, so
//              that its order is that of the keys' bytes
//   data-set = string "waltax:ycsb", JSON: written last
//
// Hashes and the index are those of the original's binding.
#pragma once

#include <string_view>

namespace waltax::ycsb {

inline constexpr int kRedisLayoutVersion = 1;
inline constexpr std::string_view kIndexKey = "_indices";
inline constexpr std::string_view kDataSetKey = "waltax:ycsb";
inline constexpr std::string_view kCounterField = "ycsb_counter";

}  // namespace waltax::ycsb
