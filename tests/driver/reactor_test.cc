#include "driver/reactor.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <chrono>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "driver/clock.h"
#include "tests/driver/sockets.h"

namespace waltax {
namespace {

TEST(Reactor, IsThatOfItsRequestersAndOfNobodyElse) {
  Reactor reactor;
  EXPECT_EQ(Reactor::Current(), nullptr);
  Reactor* seen = nullptr;
  reactor.Run({[&] { seen = Reactor::Current(); }});
  EXPECT_EQ(seen, &reactor);
  EXPECT_EQ(Reactor::Current(), nullptr);
}

TEST(Reactor, LetsOthersGoOnWhileOneWaits) {
  Reactor reactor;
  SocketPair pair;
  std::string got;
  // The first would wait for ever if it kept the thread.
  reactor.Run({[&] { got = Receive(&reactor, pair.client(), 5); },
               [&] { Send(pair.server(), "hello"); }});
  EXPECT_EQ(got, "hello");
}

TEST(Reactor, WaitsForTheRestOfAnAnswer) {
  Reactor reactor;
  SocketPair pair;
  std::string got;
  reactor.Run({[&] { got = Receive(&reactor, pair.client(), 10); },
               [&] {
                 Send(pair.server(), "hello");
                 reactor.Sleep(1'000'000);
                 Send(pair.server(), "again");
               }});
  EXPECT_EQ(got, "helloagain");
}

TEST(Reactor, LetsThoseGoFirstWhoAwaitedFirst) {
  Reactor reactor;
  std::deque<Fiber*> line;
  std::string order;
  const auto waiter = [&](char name) {
    return [&, name] {
      reactor.Await(&line);
      order += name;
    };
  };
  reactor.Run({waiter('a'), waiter('b'), waiter('c'), [&] {
                 while (!line.empty()) reactor.LetGo(&line);
                 order += '-';  // they go on when this one does not
               }});
  EXPECT_EQ(order, "-abc");
}

TEST(Reactor, GivesInPiecesWhatDoesNotFit) {
  Reactor reactor;
  SocketPair pair;
  Send(pair.server(), "abcdef");
  std::vector<std::string> got;
  reactor.Run({[&] {
    for (int i = 0; i < 3; ++i) {
      got.push_back(Receive(&reactor, pair.client(), 2));
    }
  }});
  EXPECT_EQ(got, (std::vector<std::string>{"ab", "cd", "ef"}));
}

// What came while its reader was busy with another socket is not told of again.
TEST(Reactor, ReadsWhatCameBeforeItWasWaitedFor) {
  Reactor reactor;
  SocketPair first;
  SocketPair second;
  std::string got;
  reactor.Run({[&] {
                 got += Receive(&reactor, first.client(), 1);
                 got += Receive(&reactor, second.client(), 1);
                 got += Receive(&reactor, first.client(), 1);
               },
               [&] {
                 Send(first.server(), "a");
                 reactor.Sleep(1'000'000);
                 Send(first.server(), "c");
                 reactor.Sleep(1'000'000);
                 Send(second.server(), "b");
               }});
  EXPECT_EQ(got, "abc");
}

TEST(Reactor, TellsTheEndOfAStreamToEveryRead) {
  Reactor reactor;
  SocketPair pair;
  std::vector<ssize_t> came;
  reactor.Run({[&] {
                 char byte = 0;
                 came.push_back(reactor.Receive(pair.client(), &byte, 1));
                 came.push_back(reactor.Receive(pair.client(), &byte, 1));
               },
               [&] { shutdown(pair.server(), SHUT_RDWR); }});
  EXPECT_EQ(came, (std::vector<ssize_t>{0, 0}));
}

TEST(Reactor, TellsWhatIsWrongWithASocket) {
  Reactor reactor;
  int error = 0;
  reactor.Run({[&] {
    char byte = 0;
    EXPECT_EQ(reactor.Receive(1000, &byte, 1), -1);
    error = errno;
  }});
  EXPECT_EQ(error, EBADF);
}

TEST(Reactor, WakesSleepersByTheirTimes) {
  Reactor reactor;
  std::vector<int> woken;
  const auto sleeper = [&](int64_t ms) {
    return [&, ms] {
      reactor.Sleep(ms * 1'000'000);
      woken.push_back(static_cast<int>(ms));
    };
  };
  reactor.Run({sleeper(30), sleeper(1), sleeper(15)});
  EXPECT_EQ(woken, (std::vector<int>{1, 15, 30}));
}

// A pause of a retry, a think time, an arrival that is not due.
TEST(Reactor, LetsOthersGoOnWhileTheClockSleeps) {
  const LoopClock clock;
  Reactor reactor;
  std::vector<std::string> said;
  reactor.Run({[&] {
                 const int64_t due_ns = clock.NowNs() + 20'000'000;
                 clock.Sleep(20'000'000);
                 EXPECT_GE(clock.NowNs(), due_ns);
                 said.emplace_back("long");
               },
               [&] {
                 clock.Sleep(1'000'000);
                 said.emplace_back("short");
               }});
  EXPECT_EQ(said, (std::vector<std::string>{"short", "long"}));
}

TEST(Reactor, AnswersBetweenTheTurnsOfOneThatWaits) {
  const LoopClock clock;
  Reactor reactor;
  SocketPair pair;
  bool answered = false;
  std::thread server([&] { Send(pair.server(), "x"); });
  reactor.Run({[&] {
                 while (!answered) clock.Sleep(10'000);
               },
               [&] {
                 Receive(&reactor, pair.client(), 1);
                 answered = true;
               }});
  server.join();
  EXPECT_TRUE(answered);
}

TEST(Reactor, RunsAgainAfterItsEnd) {
  Reactor reactor;
  SocketPair pair;
  for (int i = 0; i < 3; ++i) {
    std::string got;
    reactor.Run({[&] { got = Receive(&reactor, pair.client(), 1); },
                 [&] { Send(pair.server(), "x"); }});
    EXPECT_EQ(got, "x");
  }
}

TEST(SleepFor, SleepsOnAThreadThatWaitsForItself) {
  const int64_t before_ns = MonotonicNs();
  SleepFor(2'000'000);
  EXPECT_GE(MonotonicNs() - before_ns, 2'000'000);
}

}  // namespace
}  // namespace waltax
