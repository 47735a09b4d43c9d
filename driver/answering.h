// How an operation of a workload's session went, and what a session answers
// that has nothing behind it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace waltax {

struct Reply {
  bool found = false;    // what it was about was there before
  bool changed = false;  // something was committed
  uint32_t rows = 0;     // of a read of several
  uint32_t retries = 0;  // after attempts that met another transaction
  // Null unless it was given up; then valid until the session's next call.
  const std::string* error = nullptr;
};

// A base of sessions. One with a reason could not be opened: all that is asked
// of it fails for that reason. One without does nothing, and succeeds.
template <typename Reply>
class Answering {
 public:
  Answering() = default;
  explicit Answering(std::string why) : why_(std::move(why)) {}

 protected:
  Reply Answer() {
    Reply reply;
    if (!why_.empty()) reply.error = &why_;
    return reply;
  }
  // The reply to what a store gave up.
  Reply GivenUp(std::string_view operation, const std::string& why,
                Reply reply) {
    error_ = fmt::format("{} given up after {} retries: {}", operation,
                         reply.retries, why);
    reply.error = &error_;
    return reply;
  }

 private:
  std::string why_;
  std::string error_;
};

}  // namespace waltax
