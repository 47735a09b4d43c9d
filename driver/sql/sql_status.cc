#include "driver/sql/sql_status.h"

#include <errmsg.h>
#include <fmt/format.h>
#include <mysqld_error.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace waltax::mariadb {
namespace {

// Errors of the server's file layer, which have no names in the client's
// headers: writing a file failed, and no space is left.
constexpr unsigned kFileWriteFailed = 3;
constexpr unsigned kFileDiskFull = 20;

// An engine's own error in the server's wrapping: only its text tells more.
bool SaysDiskFailed(const SqlStatus& status) {
  constexpr std::array<std::string_view, 6> kWords = {
      "IO error",  "Corruption",        "No space left",
      "error: 28", "Got error 28 from", "error 5 \"Input/output"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view words) {
    return status.message.find(words) != std::string::npos;
  });
}

}  // namespace

bool CountConflict(const SqlStatus& status, Conflicts* conflicts) {
  const bool met = status.code == ER_LOCK_DEADLOCK ||
                   status.code == ER_LOCK_WAIT_TIMEOUT ||
                   // InnoDB with innodb_snapshot_isolation.
                   status.code == ER_CHECKREAD;
  conflicts->count += met ? 1 : 0;
  return met;
}

bool IsFatal(const SqlStatus& status) {
  switch (status.code) {
    case CR_CONNECTION_ERROR:
    case CR_CONN_HOST_ERROR:
    case CR_SERVER_GONE_ERROR:
    case CR_SERVER_LOST:
    // Our own mistake; every later statement of the connection ends the same.
    case CR_COMMANDS_OUT_OF_SYNC:
    case ER_CONNECTION_KILLED:
    case ER_SERVER_SHUTDOWN:
    case ER_DISK_FULL:
    case ER_ERROR_ON_WRITE:
    case ER_RECORD_FILE_FULL:
    case ER_ERROR_DURING_COMMIT:
    case kFileWriteFailed:
    case kFileDiskFull:
      return true;
    case ER_GET_ERRNO:
    case ER_GET_ERRMSG:
    case ER_UNKNOWN_ERROR:
      return SaysDiskFailed(status);
    default:
      return false;
  }
}

std::string ToString(const SqlStatus& status) {
  return fmt::format("{}: {}", status.code, status.message);
}

}  // namespace waltax::mariadb
