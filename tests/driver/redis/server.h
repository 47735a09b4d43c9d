// A Redis server of the test's own, on a Unix socket in a temporary folder.
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "driver/redis/connection.h"

namespace waltax {

// Dies with the test. `settings` are further words of its command line.
class RedisServer {
 public:
  explicit RedisServer(std::vector<std::string> settings = {}) {
    char folder[] = "/tmp/waltax-redis-XXXXXX";
    if (mkdtemp(folder) == nullptr) throw std::runtime_error("mkdtemp");
    folder_ = folder;
    place_.socket = folder_ + "/s";
    place_.url = "redis://" + place_.socket;
    Start(std::move(settings));
  }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;
  ~RedisServer() {
    Kill();
    std::filesystem::remove_all(folder_);
  }

  [[nodiscard]] const RedisPlace& place() const { return place_; }
  void Kill() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  // Debian's redis-tools has the server in it under the name of a tool, which
  // is what it is when it is called so.
  void Start(std::vector<std::string> settings) {
    std::vector<std::string> words = {"redis-server", "--port",      "0",
                                      "--unixsocket", place_.socket, "--dir",
                                      folder_,        "--save",      ""};
    words.insert(words.end(), settings.begin(), settings.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (freopen((folder_ + "/log").c_str(), "w", stdout) == nullptr) _exit(1);
      execv("/usr/bin/redis-check-rdb", argv.data());
      _exit(127);
    }
    for (int i = 0; i < 1000; ++i) {
      if (RedisConnection(place_).status().ok()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    throw std::runtime_error("no Redis server: is redis-tools installed?");
  }

  std::string folder_;
  RedisPlace place_;
  pid_t pid_ = 0;
};

}  // namespace waltax
