#include "mariadb/flush.h"

#include <fmt/format.h>

#include <string_view>

namespace waltax::mariadb {
namespace {

constexpr unsigned kAccessDenied = 1227;  // ER_SPECIFIC_ACCESS_DENIED_ERROR

}  // namespace

SqlStatus FlushMemtables(Connection& connection, bool and_lzero) {
  const std::string_view what =
      and_lzero ? "memtable_and_lzero_now" : "memtable_now";
  const SqlStatus set = connection.Execute(
      fmt::format("SET GLOBAL rocksdb_force_flush_{} = ON", what));
  if (set.code != kAccessDenied) return set;
  // mariadb/account.py made it.
  const SqlStatus called =
      connection.Execute(fmt::format("CALL waltaxflush.{}()", what));
  if (called.ok()) return called;
  return {set.code, set.message + "; " + called.message};
}

}  // namespace waltax::mariadb
