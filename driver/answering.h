// What a workload's session answers that has nothing behind it.
#pragma once

#include <string>
#include <utility>

namespace waltax {

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
    reply.fatal = !why_.empty();
    if (reply.fatal) reply.error = &why_;
    return reply;
  }

 private:
  std::string why_;
};

}  // namespace waltax
