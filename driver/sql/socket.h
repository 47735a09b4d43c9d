// How a connection's socket is read.
#pragma once

#include <mysql.h>

namespace waltax::mariadb {

// From here on what comes for `mysql` is received as the driver waits: other
// requesters of the thread go on meanwhile (driver/reactor.h), and a thread
// that waits for itself sleeps in its one recv(), where the library alone asks
// first, then polls, then asks again. REQUIRES: connected by a Unix socket,
// without TLS and timeouts.
void ReceiveAsDriver(MYSQL* mysql);

}  // namespace waltax::mariadb
