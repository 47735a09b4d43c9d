// What the driver observes of an engine around each slice. The workloads talk
// to their stores; this is only the measuring side.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace waltax {

using Counters = std::map<std::string, uint64_t>;

// OnThreadStart is called on the worker thread it concerns, the rest on the
// main thread while workers are parked.
class Engine {
 public:
  virtual ~Engine() = default;
  // Name, version loaded, effective options: goes into the `ready` event.
  [[nodiscard]] virtual nlohmann::json Describe() const = 0;
  // What makes numbers from this engine mean less than they seem to: whole
  // sentences for the `ready` event.
  [[nodiscard]] virtual std::vector<std::string> Warnings() const { return {}; }
  // Engine-wide counters since open, monotonic (RocksDB tickers).
  [[nodiscard]] virtual Counters Snapshot() const { return {}; }
  // The engines that this one stands for, which are observed one by one; none:
  // it stands for itself.
  [[nodiscard]] virtual std::vector<const Engine*> Nodes() const { return {}; }
  // What the data takes, in tables and in memory; 0 where nothing is stored.
  [[nodiscard]] virtual uint64_t DataBytes() const { return 0; }
  // Whether requests wait for sockets, by Reactor::Receive(), and for nothing
  // else: then a thread can carry several requesters.
  [[nodiscard]] virtual bool WaitsForSockets() const { return false; }
  // Called once on each worker thread before its first operation.
  virtual void OnThreadStart() {}
};

// Of a store that does nothing, of which there is nothing to observe.
class NullEngine : public Engine {
 public:
  [[nodiscard]] nlohmann::json Describe() const override {
    return {{"name", "null"}};
  }
};

}  // namespace waltax
