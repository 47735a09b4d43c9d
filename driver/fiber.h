// A flow of control with a stack of its own, which its thread enters and
// leaves as it likes: what a requester is where one thread carries several.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <functional>

namespace waltax {

// Stays on one thread for its life.
class Fiber {
 public:
  // `body` begins with the first Resume(), and must not throw.
  explicit Fiber(std::function<void()> body);
  // REQUIRES: it ended, or never began.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Enters it until it suspends itself or ends. REQUIRES: it has not ended.
  void Resume();
  // Leaves it. REQUIRES: it is the one that runs.
  void Suspend();
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  static void Main(unsigned high, unsigned low);
  void Enter();
  void Leave();

  std::function<void()> body_;
  void* stack_;  // lowest address, behind it a page that no one may touch
  ucontext_t own_{};
  ucontext_t resumer_{};
  bool ended_ = false;
  // What the sanitizers keep of the two stacks.
  void* own_shadow_ = nullptr;
  void* resumer_shadow_ = nullptr;
  const void* resumer_stack_ = nullptr;
  size_t resumer_bytes_ = 0;
};

}  // namespace waltax
