#include "driver/sql/connection.h"

#include <fmt/format.h>
#include <ma_pvio.h>
#include <mysqld_error.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "driver/flags.h"
#include "driver/reactor.h"
#include "driver/sql/statement.h"

namespace waltax::mariadb {

std::string OwnName() {
  const passwd* entry = getpwuid(geteuid());
  return entry == nullptr ? std::string() : entry->pw_name;
}

void AddServerFlags(CLI::App* app, ServerFlags* flags) {
  AddText(app, "--socket", &flags->socket, "the path of a Unix socket",
          "where the server of --store myrocks or innodb listens");
  AddText(app, "--user", &flags->user, "the name of an account",
          "account on that server, without a password [the name of the user]");
  AddText(app, "--database", &flags->database, "the name of a database",
          "database on that server [waltax]");
}

std::string ToString(const SqlStatus& status) {
  return fmt::format("{}: {}", status.code, status.message);
}

Status Explained(const SqlStatus& status, const std::string& operation) {
  return Status::Failed(
      fmt::format("cannot {}: {}", operation, ToString(status)));
}

bool IsConflict(const SqlStatus& status) {
  return status.code == ER_LOCK_DEADLOCK ||
         status.code == ER_LOCK_WAIT_TIMEOUT ||
         // InnoDB with innodb_snapshot_isolation.
         status.code == ER_CHECKREAD;
}

namespace {

// Executed as the connection is made.
constexpr const char* kSession[] = {
    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
    "SET SESSION autocommit = 1, time_zone = '+00:00', "
    "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'"};

// The source of LOAD DATA LOCAL is the connection's own text: whatever file a
// server asks for, it gets none.
int OpenLines(void** source, const char* /*file*/, void* lines) {
  *source = lines;
  return 0;
}

int ReadLines(void* source, char* buffer, unsigned size) {
  auto* lines = static_cast<std::string_view*>(source);
  const size_t bytes = lines->copy(buffer, size);
  lines->remove_prefix(bytes);
  return static_cast<int>(bytes);
}

void CloseLines(void* /*source*/) {}

int ExplainLines(void* /*source*/, char* message, unsigned size) {
  if (size > 0) *message = '\0';
  return 0;
}

// What the library has for Unix sockets, the same for all connections.
PVIO_METHODS* theirs = nullptr;

// Other requesters of the thread go on meanwhile (driver/reactor.h), and a
// thread that waits for itself sleeps in one recv(), where the library alone
// asks first, then polls, then asks again.
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

// REQUIRES: connected by a Unix socket, without TLS and timeouts.
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

}  // namespace

Connection::Connection() {
  [[maybe_unused]] static const int started =
      mysql_server_init(0, nullptr, nullptr);
  mysql_init(&mysql_);
  const unsigned local_infile = 1;
  mysql_options(&mysql_, MYSQL_OPT_LOCAL_INFILE, &local_infile);
  mysql_options(&mysql_, MYSQL_SET_CHARSET_NAME, "binary");
  for (const char* sql : kSession) {
    mysql_options(&mysql_, MYSQL_INIT_COMMAND, sql);
  }
  mysql_set_local_infile_handler(&mysql_, OpenLines, ReadLines, CloseLines,
                                 ExplainLines, &lines_);
}

Status Connection::Open(const ServerFlags& flags,
                        std::unique_ptr<Connection>* connection) {
  if (flags.socket.empty()) {
    return Status::Usage(
        "--socket: found nothing, want the Unix socket of a running server");
  }
  std::unique_ptr<Connection> opened(new Connection());
  if (mysql_real_connect(&opened->mysql_, nullptr, flags.user.c_str(), "",
                         flags.database.c_str(), 0, flags.socket.c_str(),
                         0) == nullptr) {
    return Status::Failed(fmt::format(
        "--socket: cannot use the server at \"{}\" as \"{}\" with database "
        "\"{}\": {}",
        flags.socket, flags.user, flags.database,
        ToString(opened->LastError())));
  }
  ReceiveAsDriver(&opened->mysql_);
  *connection = std::move(opened);
  return Status::Ok();
}

SqlStatus Connection::LastError() {
  const unsigned code = mysql_errno(&mysql_);
  return code == 0 ? SqlStatus() : SqlStatus{code, mysql_error(&mysql_)};
}

void Connection::DropRows() { std::exchange(unread_, nullptr)->DropRows(); }

SqlStatus Connection::Execute(std::string_view sql) {
  std::vector<std::vector<std::string>> unwanted;
  return Query(sql, &unwanted);
}

SqlStatus Connection::Query(std::string_view sql,
                            std::vector<std::vector<std::string>>* rows) {
  rows->clear();
  DropUnread();
  if (mysql_real_query(&mysql_, sql.data(), sql.size()) != 0) {
    return LastError();
  }
  if (mysql_field_count(&mysql_) == 0) return {};
  MYSQL_RES* result = mysql_store_result(&mysql_);
  if (result == nullptr) return LastError();
  const unsigned columns = mysql_num_fields(result);
  while (MYSQL_ROW row = mysql_fetch_row(result)) {
    const auto* lengths = mysql_fetch_lengths(result);
    std::vector<std::string>& values = rows->emplace_back(columns);
    for (unsigned i = 0; i < columns; ++i) {
      if (row[i] != nullptr) values[i].assign(row[i], lengths[i]);
    }
  }
  mysql_free_result(result);
  return {};
}

SqlStatus Connection::LoadData(std::string_view sql, std::string_view lines) {
  lines_ = lines;
  SqlStatus status = Execute(sql);
  lines_ = {};
  if (!status.ok() || mysql_warning_count(&mysql_) == 0) return status;
  // Error, Warning or Note; number; message.
  std::vector<std::vector<std::string>> warnings;
  status = Query("SHOW WARNINGS LIMIT 1", &warnings);
  if (!status.ok() || warnings.empty()) return status;
  return {1, "LOAD DATA did not take all rows: " + warnings[0][2]};
}

}  // namespace waltax::mariadb
