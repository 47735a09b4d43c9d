// A store that is dealt out to several nodes: where they lie, by flags that
// name one place of a store, given once for each node, and what is observed of
// them.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "driver/engine.h"
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

// Their engines, observed as one.
class NodeEngines : public Engine {
 public:
  // In the order of the nodes; they outlive this. REQUIRES: there are some, all
  // of one kind.
  explicit NodeEngines(std::vector<Engine*> nodes) : nodes_(std::move(nodes)) {}

  // That of the first node, and "node_engines", those of all.
  [[nodiscard]] nlohmann::json Describe() const override;
  // Each once, whatever node it is of.
  [[nodiscard]] std::vector<std::string> Warnings() const override;
  [[nodiscard]] uint64_t DataBytes() const override;
  [[nodiscard]] bool WaitsForSockets() const override {
    return nodes_.front()->WaitsForSockets();
  }
  [[nodiscard]] std::vector<const Engine*> Nodes() const override {
    return {nodes_.begin(), nodes_.end()};
  }
  void OnThreadStart() override { nodes_.front()->OnThreadStart(); }

 private:
  std::vector<Engine*> nodes_;
};

}  // namespace waltax
