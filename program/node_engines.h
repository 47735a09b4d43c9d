// The engines of a store that is dealt out to several nodes, observed as one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "driver/engine.h"

namespace waltax {

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
  // A thread has one set of counters for all engines of a process.
  void OnThreadStart() override { nodes_.front()->OnThreadStart(); }
  [[nodiscard]] Counters ThreadCounters() const override {
    return nodes_.front()->ThreadCounters();
  }

 private:
  std::vector<Engine*> nodes_;
};

}  // namespace waltax
