// The server that tests/with_server.py started for this program.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "driver/sql/connection.h"
#include "driver/sql/server_engine.h"
#include "driver/sql/statement.h"

namespace waltax::mariadb {

inline std::string FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  if (value != nullptr) return value;
  throw std::runtime_error(
      std::string(name) +
      ": found nothing, want this program run by tests/with_server.py");
}

// "myrocks" or "innodb".
inline std::string TestEngine() {
  return FromEnvironment("WALTAX_SERVER_ENGINE");
}

inline std::unique_ptr<Connection> Connect(const ServerFlags& flags) {
  std::unique_ptr<Connection> connection;
  const Status status = Connection::Open(flags, &connection);
  if (!status.ok()) throw std::runtime_error(status.message());
  return connection;
}

inline void MustExecute(Connection& connection, std::string_view sql) {
  const SqlStatus status = connection.Execute(sql);
  if (!status.ok()) {
    throw std::runtime_error(std::string(sql) + ": " + ToString(status));
  }
}

// A new and empty database of that name; one from earlier is dropped.
inline ServerFlags TestServer(const std::string& database) {
  ServerFlags flags;
  flags.socket = FromEnvironment("WALTAX_SERVER_SOCKET");
  const std::unique_ptr<Connection> connection = Connect(flags);
  MustExecute(*connection, "DROP DATABASE IF EXISTS " + database);
  MustExecute(*connection, "CREATE DATABASE " + database);
  flags.database = database;
  return flags;
}

// The first value of the first row, as text; "none" without rows. Throws when
// the server does not answer.
inline std::string Ask(Connection& connection, std::string_view sql) {
  std::vector<std::vector<std::string>> rows;
  const SqlStatus status = connection.Query(sql, &rows);
  if (!status.ok()) {
    throw std::runtime_error(std::string(sql) + ": " + ToString(status));
  }
  return rows.empty() ? "none" : rows[0][0];
}

// A global variable that has another value as long as this lives. Sessions that
// begin meanwhile have it, too.
class GlobalSetting {
 public:
  GlobalSetting(const ServerFlags& flags, std::string name, int value)
      : connection_(Connect(flags)),
        name_("@@GLOBAL." + std::move(name)),
        was_(Ask(*connection_, "SELECT " + name_)) {
    Set(std::to_string(value));
  }
  ~GlobalSetting() { Set(was_); }
  GlobalSetting(const GlobalSetting&) = delete;
  GlobalSetting& operator=(const GlobalSetting&) = delete;

 private:
  void Set(const std::string& value) {
    MustExecute(*connection_, "SET " + name_ + " = " + value);
  }

  std::unique_ptr<Connection> connection_;
  std::string name_;
  std::string was_;
};

// How many seconds a statement waits for a lock.
inline std::string LockWaitVariable() {
  return TestEngine() == "myrocks" ? "rocksdb_lock_wait_timeout"
                                   : "innodb_lock_wait_timeout";
}

// A fresh database and a connection to it for each test.
class ServerTest : public ::testing::Test {
 protected:
  void CreateTable(const std::string& name, const std::string& columns) {
    MustExecute(*connection_, "CREATE TABLE " + name + " (" + columns + ") " +
                                  TableClause(TestEngine()));
  }

  ServerFlags flags_ = TestServer("unit");
  std::unique_ptr<Connection> connection_ = Connect(flags_);
};

// Every byte there is, and those that LOAD DATA escapes once more.
inline std::string EveryByte() {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) {
    bytes.push_back(static_cast<char>(byte));
  }
  return bytes + std::string("\\\t\n\0\\N\\", 7);
}

}  // namespace waltax::mariadb
