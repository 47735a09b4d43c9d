// The acknowledgement log: what a client was told to be committed. After a
// crash all of it must still be there.
//
//   log  : line...
//   line : text "\n"        the text is the workload's
//   text : "? " ...         what may be committed from now on, or
//          ...              what was committed: an acknowledgement
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "driver/status.h"

namespace waltax {

// What the lines of a workload look like: another file, named by mistake, is
// somebody's.
struct AckFormat {
  bool (*is_line)(std::string_view line);  // with its end
  std::string_view letters;                // of which lines consist
  size_t longest;                          // bytes of a line, with its end
};

// Thread-safe. What was appended survives the end of the process, whatever ends
// it; it is not synced, so it need not survive a power cut.
class AckLog {
 public:
  // Continues the file, or begins it. A last line without its end is cut off:
  // nobody was told of that, and the next line must begin on its own.
  static Status Open(const std::string& path, const AckFormat& format,
                     std::unique_ptr<AckLog>* log);
  ~AckLog();
  AckLog(const AckLog&) = delete;
  AckLog& operator=(const AckLog&) = delete;

  // One write(2) of a line with its end. An acknowledgement is to be appended
  // when the commit has returned, never before. Once a line was written in
  // part, nothing more is: it would continue that line.
  Status Append(std::string_view line);

 private:
  AckLog(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_;
  std::string path_;
  std::mutex mutex_;   // the kernel lets one at a time append, too
  bool torn_ = false;  // the last line has no end
};

// Hands each line of a log to `take`, with its end, until that returns false
// for one that is none; `holds` says what a line has. A last line without its
// end was being written when the process died: nobody was told of it, and it is
// dropped.
Status ReadAckLines(const std::string& path, std::string_view holds,
                    const std::function<bool(std::string_view line)>& take);

// Why a store that keeps nothing has no log.
Status NothingToAcknowledge();

// Takes a number and the character behind it off the front of `text`.
bool TakeNumber(std::string_view* text, char end, uint64_t* number,
                int base = 10);

}  // namespace waltax
