// Several requesters on one thread: each waits by itself, for an answer or for
// a moment, and the thread waits for all of them at once.
//
// A thread that sleeps for each answer is put to sleep and woken for every
// request, which costs more than what it does in between. One that carries
// several often finds the next answer there when it has dealt with one.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include "driver/fiber.h"

namespace waltax {

// Used by one thread.
class Reactor {
 public:
  Reactor();
  ~Reactor();
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  // That of the calling requester; null on a thread that waits for itself.
  static Reactor* Current();

  // Calls all of them, each on a stack of its own, until the last one returned.
  // They take turns only where one waits, and must not throw.
  void Run(const std::vector<std::function<void()>>& requesters);

  // The next four are for the requesters.
  //
  // As a recv() that waits: the bytes that came, 0 at the end of the stream, or
  // -1 and errno. REQUIRES: one reader of a socket, which stays open until
  // Run() returns.
  ssize_t Receive(int socket, void* buffer, size_t bytes);
  // At least so long; with 0 until each other one that can go on did.
  void Sleep(int64_t ns);
  // Until another one lets it go: first come, first served. LetGo() returns
  // before that one goes on. REQUIRES: `line` is of this thread alone; LetGo()
  // finds somebody in it.
  void Await(std::deque<Fiber*>* line);
  void LetGo(std::deque<Fiber*>* line);

 private:
  // What came for a socket is told of once, when it comes (EPOLLET).
  struct Socket {
    bool watched = false;
    bool drained = true;  // nothing came since the last read
    Fiber* reader = nullptr;
  };
  struct Timer {
    int64_t due_ns;
    uint64_t number;  // those of one moment go by their order
    Fiber* fiber;
    bool operator>(const Timer& other) const {
      return due_ns != other.due_ns ? due_ns > other.due_ns
                                    : number > other.number;
    }
  };

  Socket& Watched(int socket);
  void AwaitMore(int socket);
  void Resume(Fiber* fiber);
  // Waits until a socket has something or the first sleeper is due, and lets go
  // on who waits for a socket.
  void WakeReaders();
  void WakeSleepers();

  int epoll_;
  Fiber* running_ = nullptr;
  size_t alive_ = 0;
  uint64_t slept_ = 0;
  std::vector<Socket> sockets_;  // by their numbers
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
};

// Sleeps about so long, and never spins; with 0 not at all. Other requesters of
// the calling thread go on.
void SleepFor(int64_t ns);

}  // namespace waltax
