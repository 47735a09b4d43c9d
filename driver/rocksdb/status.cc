#include "driver/rocksdb/status.h"

#include <fmt/format.h>

namespace waltax {
namespace {

std::string_view Advice(const rocksdb::Status& status) {
  if (status.IsNoSpace()) {
    return "; no space is left: free some on that device and on the WAL's";
  }
  if (status.IsCorruption()) return "; load the data set again";
  if (status.IsIOError()) {
    return "; check that the directory exists, is writable, and is not open in "
           "another process";
  }
  return "";
}

}  // namespace

Status Explained(const rocksdb::Status& status, std::string_view what,
                 const std::string& path) {
  return Status::Failed(fmt::format("cannot {} in \"{}\": {}{}", what, path,
                                    status.ToString(), Advice(status)));
}

bool IsFatal(const rocksdb::Status& status) {
  return status.IsIOError() || status.IsNoSpace() || status.IsCorruption() ||
         status.IsShutdownInProgress();
}

}  // namespace waltax
