#include "driver/program/nodes.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace waltax {
namespace {

void TakeAll(CLI::App* app, const std::string& flag,
             std::vector<std::string>* values) {
  app->get_option(flag)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeFirst)
      ->each([values](const std::string& value) { values->push_back(value); });
}

// One for each node; a flag that is not `needed` may be left out.
Status WantOneEach(const char* flag, const std::vector<std::string>& places,
                   size_t nodes, bool needed) {
  const bool may_lack = nodes == 1 || !needed;
  if (places.size() == nodes || (places.empty() && may_lack)) {
    return Status::Ok();
  }
  return Status::Usage(
      fmt::format("{}: found {} times, want it once for each of {} nodes, in "
                  "their order",
                  flag, places.size(), nodes));
}

}  // namespace

void Places::AddTo(CLI::App* app) {
  TakeAll(app, "--db", &db_dirs_);
  TakeAll(app, "--wal-dir", &wal_dirs_);
  TakeAll(app, "--socket", &sockets_);
}

Status Places::Validate(const std::string& store, size_t nodes) const {
  if (store == "null") return Status::Ok();
  if (store != "rocksdb") return WantOneEach("--socket", sockets_, nodes, true);
  const Status status = WantOneEach("--db", db_dirs_, nodes, true);
  return status.ok() ? WantOneEach("--wal-dir", wal_dirs_, nodes, false)
                     : status;
}

void Places::Choose(size_t node, EngineFlags* engine,
                    mariadb::ServerFlags* server) const {
  const auto choose = [node](const std::vector<std::string>& values,
                             std::string* flag) {
    if (node < values.size()) *flag = values[node];
  };
  choose(db_dirs_, &engine->db_dir);
  choose(wal_dirs_, &engine->wal_dir);
  choose(sockets_, &server->socket);
}

}  // namespace waltax
