#include "driver/sql/connection.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "driver/flags.h"
#include "driver/sql/socket.h"

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

namespace {

constexpr std::string_view kSession[] = {
    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
    "SET SESSION autocommit = 1, time_zone = '+00:00', "
    "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'"};

void StartLibrary() {
  static std::once_flag once;
  std::call_once(once, [] { mysql_server_init(0, nullptr, nullptr); });
}

// The source of LOAD DATA LOCAL is the connection's own text: whatever file a
// server asks for, it gets none.
int OpenLines(void** source, const char* /*file*/, void* lines) {
  *source = lines;
  return 0;
}

int ReadLines(void* source, char* buffer, unsigned size) {
  auto* lines = static_cast<std::string_view*>(source);
  const size_t bytes = std::min<size_t>(lines->size(), size);
  std::memcpy(buffer, lines->data(), bytes);
  lines->remove_prefix(bytes);
  return static_cast<int>(bytes);
}

void CloseLines(void* /*source*/) {}

int ExplainLines(void* /*source*/, char* message, unsigned size) {
  if (size > 0) *message = '\0';
  return 0;
}

}  // namespace

Connection::Connection() { mysql_init(&mysql_); }

Connection::~Connection() { mysql_close(&mysql_); }

Status Connection::Open(const ServerFlags& flags,
                        std::unique_ptr<Connection>* connection) {
  if (flags.socket.empty()) {
    return Status::Usage(
        "--socket: found nothing, want the Unix socket of a running server");
  }
  StartLibrary();
  std::unique_ptr<Connection> opened(new Connection());
  opened->SetOptions();
  const SqlStatus begun = opened->Begin(flags);
  if (!begun.ok()) {
    return Status::Failed(
        fmt::format("--socket: cannot use the server at \"{}\" as \"{}\" with "
                    "database \"{}\": {}",
                    flags.socket, flags.user, flags.database, ToString(begun)));
  }
  *connection = std::move(opened);
  return Status::Ok();
}

void Connection::SetOptions() {
  const unsigned local_infile = 1;
  mysql_options(&mysql_, MYSQL_OPT_LOCAL_INFILE, &local_infile);
  mysql_options(&mysql_, MYSQL_SET_CHARSET_NAME, "binary");
  mysql_set_local_infile_handler(&mysql_, OpenLines, ReadLines, CloseLines,
                                 ExplainLines, &lines_);
}

SqlStatus Connection::Begin(const ServerFlags& flags) {
  if (mysql_real_connect(&mysql_, nullptr, flags.user.c_str(), "",
                         flags.database.c_str(), 0, flags.socket.c_str(),
                         0) == nullptr) {
    return LastError();
  }
  ReceiveAsDriver(&mysql_);
  SqlStatus status;
  for (const std::string_view sql : kSession) {
    if (status.ok()) status = Execute(sql);
  }
  return status;
}

SqlStatus Connection::LastError() {
  const unsigned code = mysql_errno(&mysql_);
  return code == 0 ? SqlStatus() : SqlStatus{code, mysql_error(&mysql_)};
}

void Connection::DropRows() {
  if (unread_ != nullptr) mysql_stmt_free_result(unread_);
  if (unread_text_ != nullptr) mysql_free_result(unread_text_);
  unread_ = nullptr;
  unread_text_ = nullptr;
  reader_ = nullptr;
}

SqlStatus Connection::Execute(std::string_view sql) {
  DropUnread();
  if (mysql_real_query(&mysql_, sql.data(), sql.size()) != 0) {
    return LastError();
  }
  if (mysql_field_count(&mysql_) == 0) return {};
  MYSQL_RES* result = mysql_store_result(&mysql_);
  if (result == nullptr) return LastError();
  mysql_free_result(result);
  return {};
}

SqlStatus Connection::Query(std::string_view sql,
                            std::vector<std::vector<std::string>>* rows) {
  rows->clear();
  DropUnread();
  if (mysql_real_query(&mysql_, sql.data(), sql.size()) != 0) {
    return LastError();
  }
  MYSQL_RES* result = mysql_store_result(&mysql_);
  if (result == nullptr) return LastError();
  const unsigned columns = mysql_num_fields(result);
  rows->reserve(mysql_num_rows(result));
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

Status Explained(const SqlStatus& status, const std::string& operation) {
  return Status::Failed(
      fmt::format("cannot {}: {}", operation, ToString(status)));
}

}  // namespace waltax::mariadb
