// The acknowledgement log: which New-Orders a client was told to be committed.
// After a crash all of them must still be there (clause 3.5.4, DEVIATION T10).
//
//   log  : line...
//   line : w " " d " " o " " c "\n"      in decimal
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "driver/status.h"

namespace waltax::tpcc {

struct AcknowledgedOrder {
  uint32_t w_id = 0;
  uint8_t d_id = 0;
  uint32_t o_id = 0;
  uint32_t c_id = 0;

  bool operator==(const AcknowledgedOrder&) const = default;
};

// Thread-safe. What was appended survives the end of the process, whatever ends
// it; it is not synced, so it need not survive a power cut.
class AckLog {
 public:
  // Continues the file, or begins it. A last line without its end is cut off:
  // nobody was told of that order, and the next line must begin on its own.
  static Status Open(const std::string& path, std::unique_ptr<AckLog>* log);
  ~AckLog();
  AckLog(const AckLog&) = delete;
  AckLog& operator=(const AckLog&) = delete;

  // One write(2). To be called when the commit has returned, never before. Once
  // a line was written in part, nothing more is: it would continue that line.
  Status Append(const AcknowledgedOrder& order);

 private:
  AckLog(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_;
  std::string path_;
  std::mutex mutex_;   // the kernel lets one at a time append, too
  bool torn_ = false;  // the last line has no end
};

// Reads a log. A last line without its end was being written when the process
// died: nobody was told of it, and it is dropped.
Status ReadAckLog(const std::string& path,
                  std::vector<AcknowledgedOrder>* orders);

}  // namespace waltax::tpcc
