// A socket between a client and the server that can be cut: to the client the
// same as the death of the server.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

namespace waltax::mariadb {

// Serves one client.
class Relay {
 public:
  Relay(std::string path, std::string server)
      : path_(std::move(path)), server_(std::move(server)) {
    unlink(path_.c_str());
    listener_ = socket(AF_UNIX, SOCK_STREAM, 0);
    const sockaddr_un address = Address(path_);
    if (listener_ < 0 ||
        bind(listener_, reinterpret_cast<const sockaddr*>(&address),
             sizeof address) != 0 ||
        listen(listener_, 1) != 0) {
      throw std::runtime_error("cannot listen at " + path_);
    }
    thread_ = std::thread([this] { Serve(); });
  }
  ~Relay() {
    Cut();
    thread_.join();
    close(listener_);
    unlink(path_.c_str());
  }
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  // Ends both connections. The thread that relays notices the same.
  void Cut() {
    for (const int side : {client_.load(), upstream_.load(), listener_}) {
      if (side >= 0) shutdown(side, SHUT_RDWR);
    }
  }

 private:
  static sockaddr_un Address(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
  }

  void Serve() {
    client_ = accept(listener_, nullptr, nullptr);
    if (client_ < 0) return;
    upstream_ = socket(AF_UNIX, SOCK_STREAM, 0);
    const sockaddr_un address = Address(server_);
    const bool connected =
        upstream_ >= 0 &&
        connect(upstream_, reinterpret_cast<const sockaddr*>(&address),
                sizeof address) == 0;
    while (connected && Pass()) {
    }
    Cut();
    close(client_);
    close(upstream_);
  }

  // Waits for either side; false when one of them ended.
  bool Pass() {
    std::array<pollfd, 2> sides = {
        {{client_, POLLIN, 0}, {upstream_, POLLIN, 0}}};
    poll(sides.data(), sides.size(), -1);
    for (size_t i = 0; i < sides.size(); ++i) {
      if (sides[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t bytes = read(sides[i].fd, buffer, sizeof buffer);
      if (bytes <= 0) return false;
      if (send(sides[1 - i].fd, buffer, static_cast<size_t>(bytes),
               MSG_NOSIGNAL) != bytes) {
        return false;
      }
    }
    return true;
  }

  std::string path_;
  std::string server_;
  int listener_ = -1;
  std::atomic<int> client_ = -1;
  std::atomic<int> upstream_ = -1;
  std::thread thread_;
};

}  // namespace waltax::mariadb
