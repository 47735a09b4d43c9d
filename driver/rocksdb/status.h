// RocksDB's status as ours, with the path and what to do about it.
#pragma once

#include <rocksdb/status.h>

#include <string>
#include <string_view>

#include "driver/status.h"

namespace waltax {

// `what` was being done ("open the database"), `path` is where. REQUIRES:
// !status.ok().
Status Explained(const rocksdb::Status& status, std::string_view what,
                 const std::string& path);

// No later operation on the database can succeed after this one: an I/O error,
// a corruption, or a full device. A lock conflict or timeout is not fatal.
[[nodiscard]] bool IsFatal(const rocksdb::Status& status);

}  // namespace waltax
