// A result with context for whatever can fail outside our control.
#pragma once

#include <string>
#include <utility>

namespace waltax {

// Success, or a sentence that says what failed, where, and what to do.
// Thread-safe once constructed: it is immutable.
class [[nodiscard]] Status {
 public:
  Status() = default;
  static Status Ok() { return {}; }
  // The user asked for something impossible (exit code 2).
  static Status Usage(std::string message) {
    return Status(std::move(message), true);
  }
  // The run failed (exit code 1).
  static Status Failed(std::string message) {
    return Status(std::move(message), false);
  }

  [[nodiscard]] bool ok() const { return message_.empty(); }
  [[nodiscard]] const std::string& message() const { return message_; }
  // 0, 1 (failed run) or 2 (usage): what the process exits with.
  [[nodiscard]] int exit_code() const {
    if (ok()) return 0;
    return usage_ ? 2 : 1;
  }

 private:
  Status(std::string message, bool usage)
      : message_(std::move(message)), usage_(usage) {}

  std::string message_;
  bool usage_ = false;
};

}  // namespace waltax

// Ends the calling function with what an expression returned unless that is ok:
// a status of ours, of RocksDB or of a server.
#define TRY(...)                  \
  do {                            \
    auto tried = (__VA_ARGS__);   \
    if (!tried.ok()) [[unlikely]] \
      return tried;               \
  } while (false)
