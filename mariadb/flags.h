// How a driver program reaches its server.
#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace waltax::mariadb {

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

// Adds --socket, --user and --database.
void AddServerFlags(CLI::App* app, ServerFlags* flags);

}  // namespace waltax::mariadb
