// How a driver program reaches its server: the flags, and one connection over
// its Unix socket.
#pragma once

#include <mysql.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/status.h"

namespace CLI {
class App;
}  // namespace CLI

namespace waltax::mariadb {

class Statement;

// The name of the user who runs this program; empty when the system has none.
std::string OwnName();

struct ServerFlags {
  // The server's Unix socket. There is no network access: client and server
  // are on one machine, and so is the cost that is measured.
  std::string socket;
  // Our servers know the users of the system by their names.
  std::string user = OwnName();
  std::string database = "waltax";
};

// A database of a server, and the engine of its tables.
struct SqlPlace {
  ServerFlags server;
  std::string engine;  // "myrocks" or "innodb"

  // "database waltax on /tmp/s.sock", for messages.
  [[nodiscard]] std::string Name() const {
    return "database " + server.database + " on " + server.socket;
  }
};

// Adds --socket, --user and --database.
void AddServerFlags(CLI::App* app, ServerFlags* flags);

// How a statement ended, in the server's words.
struct SqlStatus {
  unsigned code = 0;  // of the server (1213) or the client library (2013)
  std::string message;

  [[nodiscard]] bool ok() const { return code == 0; }
};
// "1205: Lock wait timeout exceeded".
std::string ToString(const SqlStatus& status);
// The same as a failure of the program: "cannot OPERATION: 1205: ...".
Status Explained(const SqlStatus& status, const std::string& operation);
// Whether another transaction was in the way, so that trying again may help.
bool IsConflict(const SqlStatus& status);

// Used by one thread at a time.
class Connection {
 public:
  // Fails (usage) with an empty socket, and names the socket when nobody
  // answers there. The session is in READ COMMITTED, in autocommit mode, with
  // UTC times, strict about values that do not fit, and with binary strings:
  // bytes go through as they are.
  static Status Open(const ServerFlags& flags,
                     std::unique_ptr<Connection>* connection);
  ~Connection() { mysql_close(&mysql_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // A statement without a result, or whose result nobody wants.
  SqlStatus Execute(std::string_view sql);
  // A small result, all of it as text; NULL is "".
  SqlStatus Query(std::string_view sql,
                  std::vector<std::vector<std::string>>* rows);
  // LOAD DATA LOCAL INFILE that reads `lines` instead of a file. `sql` names
  // any file. Fails when the server skipped or truncated anything.
  SqlStatus LoadData(std::string_view sql, std::string_view lines);

  // Whether the session is in a transaction that did something, as the server
  // said with its last success.
  [[nodiscard]] bool InTransaction() const {
    return (mysql_.server_status & SERVER_STATUS_IN_TRANS) != 0;
  }

  [[nodiscard]] MYSQL* handle() { return &mysql_; }
  [[nodiscard]] SqlStatus LastError();

 private:
  friend class Statement;

  Connection();
  // Drops the rows of a statement that nobody read to the end: the next answer
  // comes behind them.
  void DropUnread() {
    if (unread_ != nullptr) DropRows();
  }
  void DropRows();

  MYSQL mysql_{};
  Statement* unread_ = nullptr;  // whose rows are still on their way
  std::string_view lines_;       // what is left of LoadData's
};

}  // namespace waltax::mariadb
