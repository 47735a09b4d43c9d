#include "driver/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace waltax {
namespace {

// As much as the library of the server's client asks for, four times over; of
// it only pages that are touched take memory.
constexpr size_t kStackBytes = 256 << 10;

size_t GuardBytes() { return static_cast<size_t>(getpagesize()); }

// A stack that overflows ends the program instead of another fiber's data.
void* NewStack() {
  void* stack =
      mmap(nullptr, GuardBytes() + kStackBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) throw std::bad_alloc();
  mprotect(stack, GuardBytes(), PROT_NONE);
  return stack;
}

}  // namespace

Fiber::Fiber(std::function<void()> body)
    : body_(std::move(body)), stack_(NewStack()) {
  getcontext(&own_);
  own_.uc_stack.ss_sp = static_cast<char*>(stack_) + GuardBytes();
  own_.uc_stack.ss_size = kStackBytes;
  // makecontext() hands over int alone: the address goes in halves.
  const auto self = reinterpret_cast<uintptr_t>(this);
  makecontext(&own_, reinterpret_cast<void (*)()>(&Fiber::Main), 2,
              static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
#if defined(__SANITIZE_THREAD__)
  own_shadow_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#if defined(__SANITIZE_THREAD__)
  __tsan_destroy_fiber(own_shadow_);
#endif
  munmap(stack_, GuardBytes() + kStackBytes);
}

void Fiber::Main(unsigned high, unsigned low) {
  auto* self = std::bit_cast<Fiber*>(uintptr_t{high} << 32 | low);
  self->Enter();
  self->body_();
  self->ended_ = true;
  self->Leave();
}

void Fiber::Resume() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&resumer_shadow_, own_.uc_stack.ss_sp,
                                 kStackBytes);
#endif
#if defined(__SANITIZE_THREAD__)
  resumer_shadow_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(own_shadow_, 0);
#endif
  swapcontext(&resumer_, &own_);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(resumer_shadow_, nullptr, nullptr);
#endif
}

void Fiber::Suspend() {
  Leave();
  Enter();
}

// The first thing on this stack after a switch to it.
void Fiber::Enter() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(own_shadow_, &resumer_stack_,
                                  &resumer_bytes_);
#endif
}

void Fiber::Leave() {
#if defined(__SANITIZE_ADDRESS__)
  // Without a place to keep it, what belongs to the stack is given up.
  __sanitizer_start_switch_fiber(ended_ ? nullptr : &own_shadow_,
                                 resumer_stack_, resumer_bytes_);
#endif
#if defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(resumer_shadow_, 0);
#endif
  swapcontext(&own_, &resumer_);
}

}  // namespace waltax
