// Both ends of a connection, the one of a requester and the one of a server.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <system_error>

#include "driver/reactor.h"

namespace waltax {

class SocketPair {
 public:
  SocketPair() {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) != 0) {
      throw std::system_error(errno, std::generic_category(), "socketpair");
    }
  }
  ~SocketPair() {
    close(ends_[0]);
    close(ends_[1]);
  }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;

  [[nodiscard]] int client() const { return ends_[0]; }
  [[nodiscard]] int server() const { return ends_[1]; }

 private:
  std::array<int, 2> ends_{};
};

inline void Send(int socket, const std::string& text) {
  if (send(socket, text.data(), text.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(text.size())) {
    throw std::system_error(errno, std::generic_category(), "send");
  }
}

// Whole texts of so many bytes; shorter at the end of the stream.
inline std::string Receive(Reactor* reactor, int socket, size_t bytes) {
  std::string text(bytes, '\0');
  size_t came = 0;
  while (came < bytes) {
    char* to = text.data() + came;
    const ssize_t more = reactor == nullptr
                             ? recv(socket, to, bytes - came, 0)
                             : reactor->Receive(socket, to, bytes - came);
    if (more <= 0) break;
    came += static_cast<size_t>(more);
  }
  text.resize(came);
  return text;
}

}  // namespace waltax
