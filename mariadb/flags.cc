#include "mariadb/flags.h"

#include "driver/flags.h"

namespace waltax::mariadb {

void AddServerFlags(CLI::App* app, ServerFlags* flags) {
  AddText(app, "--socket", &flags->socket, "the path of a Unix socket",
          "where the server of --store myrocks or innodb listens");
  AddText(app, "--user", &flags->user, "the name of an account",
          "account on that server, without a password [waltax]");
  AddText(app, "--database", &flags->database, "the name of a database",
          "database on that server [waltax]");
}

}  // namespace waltax::mariadb
