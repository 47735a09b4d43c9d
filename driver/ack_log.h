// The acknowledgement log: what a client was told to be committed. After a
// crash all of it must still be there.
//
//   log     : line...
//   line    : numbers "\n"        an acknowledgement: what was committed
//           | "? " numbers "\n"   what may be committed from now on
//   numbers : in decimal, a blank between two; what they are is the workload's
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/status.h"

namespace waltax {

// How many numbers the lines of a workload have; with another number of them a
// file, named by mistake, is somebody's.
struct AckFormat {
  const char* holds;  // what a line has, for messages
  size_t acknowledged;
  size_t begun = 0;  // of lines that it has none of
};

struct AckLine {
  bool begun = false;  // it begins with "? "
  std::vector<uint64_t> numbers;
};

// Thread-safe. What was appended survives the end of the process, whatever ends
// it; it is not synced, so it need not survive a power cut.
class AckLog {
 public:
  // Begins the file, which must be new or empty; without a path there is no
  // log.
  static Status Open(const std::string& path, std::unique_ptr<AckLog>* log);
  ~AckLog();
  AckLog(const AckLog&) = delete;
  AckLog& operator=(const AckLog&) = delete;

  // Each is one write(2) of a line with its end. To be called when the commit
  // has returned, never before.
  Status Acknowledge(const std::vector<uint64_t>& numbers) {
    return Append("", numbers);
  }
  // To be called before what may commit.
  Status Begin(const std::vector<uint64_t>& numbers) {
    return Append("? ", numbers);
  }

 private:
  AckLog(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  // Once a line was written in part, nothing more is: it would continue that
  // line.
  Status Append(const char* mark, const std::vector<uint64_t>& numbers);

  int fd_;
  std::string path_;
  std::mutex mutex_;   // the kernel lets one at a time append, too
  bool torn_ = false;  // the last line has no end
};

// Hands each line of a log to `take`, until that returns false for one that is
// none. A last line without its end was being written when the process died:
// nobody was told of it, and it is dropped.
Status ReadAckLines(const std::string& path, const AckFormat& format,
                    const std::function<bool(const AckLine& line)>& take);

// What a log whose lines begin with a number of their write says of one.
struct AckedWrite {
  std::vector<uint64_t> begun;  // the numbers of the line with which it began
  std::vector<uint64_t> acknowledged;  // those of its end, if it has one
  uint64_t begin = 0;                  // the places of both lines
  std::optional<uint64_t> end;
  uint64_t number = 0;  // of its acknowledgement among all, if it has an end
};

// The writes of such a log, in the order in which they began.
Status ReadAckedWrites(const std::string& path, const AckFormat& format,
                       std::vector<AckedWrite>* writes);

}  // namespace waltax
