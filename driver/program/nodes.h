// Where the nodes of a store lie that is dealt out to several: by flags that
// name one place of a store, given once for each node.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/flags.h"
#include "driver/sql/connection.h"
#include "driver/status.h"

namespace CLI {
class App;
}

namespace waltax {

// Empty where a command takes one place alone. Used by one thread.
class Places {
 public:
  // Has --db, --wal-dir and --socket, which the command must have, taken
  // several times.
  void AddTo(CLI::App* app);

  // Fails (usage) unless the places that `store` wants were given once for each
  // of `nodes`.
  [[nodiscard]] Status Validate(const std::string& store, size_t nodes) const;
  // Lets the flags name the places of a node. REQUIRES: Validate() was ok.
  void Choose(size_t node, EngineFlags* engine,
              mariadb::ServerFlags* server) const;

 private:
  std::vector<std::string> db_dirs_;
  std::vector<std::string> wal_dirs_;
  std::vector<std::string> sockets_;
};

}  // namespace waltax
