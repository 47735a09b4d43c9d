#include "driver/sql/socket.h"

#include <ma_pvio.h>
#include <sys/socket.h>

#include <cerrno>

#include "driver/reactor.h"

namespace waltax::mariadb {
namespace {

// What the library has for Unix sockets, the same for all connections.
PVIO_METHODS* theirs = nullptr;

ssize_t Receive(MARIADB_PVIO* pvio, uchar* buffer, size_t bytes) {
  const auto socket = static_cast<int>(mysql_get_socket(pvio->mysql));
  if (Reactor* reactor = Reactor::Current()) {
    return reactor->Receive(socket, buffer, bytes);
  }
  for (;;) {
    const ssize_t came = recv(socket, buffer, bytes, 0);
    if (came >= 0) return came;
    // A socket that does not wait is waited for by the library.
    if (errno != EINTR) return theirs->read(pvio, buffer, bytes);
  }
}

}  // namespace

void ReceiveAsDriver(MYSQL* mysql) {
  // What moves bytes is a table of functions, which the library publishes for
  // transports of others (ma_pvio.h); ours is its own but for the reading.
  static PVIO_METHODS ours = [mysql] {
    theirs = mysql->net.pvio->methods;
    PVIO_METHODS methods = *theirs;
    methods.read = Receive;
    return methods;
  }();
  mysql->net.pvio->methods = &ours;
}

}  // namespace waltax::mariadb
