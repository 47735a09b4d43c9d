// RocksDB's status as ours, with the path and what to do about it.
#pragma once

#include <fmt/format.h>
#include <rocksdb/status.h>

#include <string>
#include <string_view>

#include "driver/status.h"

namespace waltax {

// `what` was being done ("open the database"), `path` is where. REQUIRES:
// !status.ok().
inline Status Explained(const rocksdb::Status& status, std::string_view what,
                        const std::string& path) {
  std::string_view advice;
  if (status.IsNoSpace()) {
    advice = "; no space is left: free some on that device and on the WAL's";
  } else if (status.IsCorruption()) {
    advice = "; load the data set again";
  } else if (status.IsIOError()) {
    advice =
        "; check that the directory exists, is writable, and is not open in "
        "another process";
  }
  return Status::Failed(fmt::format("cannot {} in \"{}\": {}{}", what, path,
                                    status.ToString(), advice));
}

}  // namespace waltax
