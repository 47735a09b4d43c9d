// How a driver program reaches its server.
#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace waltax::mariadb {

struct ServerFlags {
  // The server's Unix socket. There is no network access: client and server
  // are on one machine, and so is the cost that is measured.
  std::string socket;
  std::string user = "waltax";
  std::string database = "waltax";
};

// Adds --socket, --user and --database.
void AddServerFlags(CLI::App* app, ServerFlags* flags);

}  // namespace waltax::mariadb
