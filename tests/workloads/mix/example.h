// The mixes that tests run, as their program takes them. A file with the end
// .inc is what `waltax workload FILE.toml --json` prints of the one beside it.
#pragma once

#include <string_view>

#include "workloads/mix/file.h"

namespace waltax::mix {

// With all that a mix can have.
inline constexpr std::string_view kExample =
#include "tests/workloads/mix/example.inc"
    ;
// The same with an operation that takes rows away, so that less can be checked.
inline constexpr std::string_view kDeletes =
#include "tests/workloads/mix/example-deletes.inc"
    ;
// Rows that are put, there before or not.
inline constexpr std::string_view kPuts =
#include "tests/workloads/mix/puts.inc"
    ;
// Long texts, and a scan by a column without an index.
inline constexpr std::string_view kLongRows =
#include "tests/workloads/mix/long-rows.inc"
    ;

// What a server without an order of its keys can do.
inline constexpr std::string_view kWithoutOrder =
#include "tests/workloads/mix/without-order.inc"
    ;

// YCSB's table, and its operations of every kind.
inline constexpr std::string_view kYcsb =
#include "tests/workloads/mix/ycsb.inc"
    ;

inline Mix ReadWhole(std::string_view text) {
  Mix mix;
  Parse(text, &mix);
  return mix;
}

}  // namespace waltax::mix
