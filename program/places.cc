#include "program/places.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

namespace waltax {
namespace {

void TakeAll(CLI::App* app, const std::string& flag,
             std::vector<std::string>* values) {
  app->get_option(flag)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeFirst)
      ->each([values](const std::string& value) { values->push_back(value); });
}

Status WantOneEach(const char* flag, size_t found, size_t nodes) {
  if (found == nodes) return Status::Ok();
  if (nodes == 1) {
    return Status::Usage(fmt::format(
        "{}: found {} times, want it once, or as many --nodes", flag, found));
  }
  return Status::Usage(
      fmt::format("{}: found {} times with --nodes {}, want it once for each, "
                  "in their order",
                  flag, found, nodes));
}

// One log would remove the files of another one.
Status WantDifferent(const char* flag, const std::vector<std::string>& paths) {
  for (size_t i = 0; i < paths.size(); ++i) {
    for (size_t j = i + 1; j < paths.size(); ++j) {
      std::error_code none;
      if (paths[i] == paths[j] ||
          std::filesystem::equivalent(paths[i], paths[j], none)) {
        return Status::Usage(fmt::format(
            "{}: found \"{}\" for node {} and for node {}, want a place of its "
            "own for each node",
            flag, paths[j], i, j));
      }
    }
  }
  return Status::Ok();
}

}  // namespace

void Places::AddTo(CLI::App* app) {
  TakeAll(app, "--db", &db_dirs_);
  TakeAll(app, "--wal-dir", &wal_dirs_);
  TakeAll(app, "--socket", &sockets_);
}

Status Places::Validate(const std::string& store, size_t nodes) const {
  const bool one = nodes == 1;
  Status status;
  if (store == "rocksdb") {
    if (!one || db_dirs_.size() > 1) {
      status = WantOneEach("--db", db_dirs_.size(), nodes);
    }
    if (status.ok() && (wal_dirs_.size() > 1 || (!one && !wal_dirs_.empty()))) {
      status = WantOneEach("--wal-dir", wal_dirs_.size(), nodes);
    }
    if (status.ok()) status = WantDifferent("--db", db_dirs_);
    return status.ok() ? WantDifferent("--wal-dir", wal_dirs_) : status;
  }
  if (store == "null") return status;
  if (!one || sockets_.size() > 1) {
    status = WantOneEach("--socket", sockets_.size(), nodes);
  }
  return status.ok() ? WantDifferent("--socket", sockets_) : status;
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
