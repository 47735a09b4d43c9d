#include "mariadb/flags.h"

#include <pwd.h>
#include <unistd.h>

#include "driver/flags.h"

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

}  // namespace waltax::mariadb
