#include "driver/reactor.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <memory>
#include <system_error>
#include <utility>

#include "driver/clock.h"

namespace waltax {
namespace {

constexpr int64_t kNsOfSecond = 1'000'000'000;

thread_local Reactor* current = nullptr;

timespec TimeOf(int64_t ns) { return {ns / kNsOfSecond, ns % kNsOfSecond}; }

[[noreturn]] void Throw(const char* call) {
  throw std::system_error(errno, std::generic_category(), call);
}

}  // namespace

Reactor::Reactor() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_ < 0) Throw("epoll_create1");
}

Reactor::~Reactor() { close(epoll_); }

Reactor* Reactor::Current() { return current; }

void Reactor::Run(const std::vector<std::function<void()>>& requesters) {
  current = this;
  std::vector<std::unique_ptr<Fiber>> fibers;
  for (const auto& requester : requesters) {
    fibers.push_back(std::make_unique<Fiber>(requester));
  }
  alive_ = fibers.size();
  for (const auto& fiber : fibers) Resume(fiber.get());
  while (alive_ > 0) {
    WakeReaders();
    WakeSleepers();
  }
  current = nullptr;
}

void Reactor::Resume(Fiber* fiber) {
  running_ = fiber;
  fiber->Resume();
  running_ = nullptr;
  if (fiber->ended()) --alive_;
}

void Reactor::WakeReaders() {
  timespec timeout{};
  if (!timers_.empty()) {
    timeout =
        TimeOf(std::max<int64_t>(0, timers_.top().due_ns - MonotonicNs()));
  }
  std::array<epoll_event, 64> events{};
  const int ready = epoll_pwait2(epoll_, events.data(), events.size(),
                                 timers_.empty() ? nullptr : &timeout, nullptr);
  if (ready < 0 && errno != EINTR) Throw("epoll_pwait2");
  for (int i = 0; i < ready; ++i) {
    Socket& socket = sockets_[static_cast<size_t>(events[i].data.fd)];
    socket.drained = false;
    // Whoever is woken here may wait for the same socket again.
    if (Fiber* reader = std::exchange(socket.reader, nullptr)) Resume(reader);
  }
}

void Reactor::WakeSleepers() {
  if (timers_.empty()) return;
  const int64_t now_ns = MonotonicNs();
  const uint64_t before = slept_;
  // Not those who lie down again meanwhile: answers come first.
  while (!timers_.empty() && timers_.top().due_ns <= now_ns &&
         timers_.top().number < before) {
    Fiber* sleeper = timers_.top().fiber;
    timers_.pop();
    Resume(sleeper);
  }
}

Reactor::Socket& Reactor::Watched(int socket) {
  const auto number = static_cast<size_t>(socket);
  if (sockets_.size() <= number) sockets_.resize(number + 1);
  if (!sockets_[number].watched) {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP | EPOLLET;
    event.data.fd = socket;
    // One that cannot be watched is read at once, which says what is wrong.
    sockets_[number].watched = true;
    sockets_[number].drained =
        epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) == 0;
  }
  return sockets_[number];
}

ssize_t Reactor::Receive(int socket, void* buffer, size_t bytes) {
  for (;;) {
    if (Watched(socket).drained) AwaitMore(socket);
    const ssize_t came = recv(socket, buffer, bytes, MSG_DONTWAIT);
    if (came < 0 && errno == EINTR) continue;
    const bool none = came < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    // Less than fits is all that there was; the end of the stream stays.
    const bool all = came > 0 && static_cast<size_t>(came) < bytes;
    sockets_[static_cast<size_t>(socket)].drained = none || all;
    if (!none) return came;
  }
}

void Reactor::AwaitMore(int socket) {
  sockets_[static_cast<size_t>(socket)].reader = running_;
  running_->Suspend();
}

void Reactor::Sleep(int64_t ns) {
  timers_.push({MonotonicNs() + ns, slept_++, running_});
  running_->Suspend();
}

void Reactor::Await(std::deque<Fiber*>* line) {
  line->push_back(running_);
  running_->Suspend();
}

void Reactor::LetGo(std::deque<Fiber*>* line) {
  timers_.push({MonotonicNs(), slept_++, line->front()});
  line->pop_front();
}

void SleepFor(int64_t ns) {
  if (current != nullptr) return current->Sleep(ns);
  if (ns == 0) return;
  const timespec pause = TimeOf(ns);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr);
}

}  // namespace waltax
