// The store of a workload as the driver opens, observes and closes it. The
// workloads talk to their stores; this is only the measuring side.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/status.h"

namespace waltax {

class RocksdbEngine;

using Counters = std::map<std::string, uint64_t>;

// Where an engine's data are, for messages.
struct DataPlace {
  std::string flag;    // that names it: "--db"
  std::string name;    // "/data/db"
  std::string remedy;  // of data that are not whole: "remove it and load again"
};

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
  // What the data takes, in tables and in memory; 0 where nothing is stored.
  [[nodiscard]] virtual uint64_t DataBytes() const { return 0; }
  // Whether requests wait for sockets, by Reactor::Receive(), and for nothing
  // else: then a thread can carry several requesters.
  [[nodiscard]] virtual bool WaitsForSockets() const { return false; }
  // Called once on each worker thread before its first operation.
  virtual void OnThreadStart() {}

  [[nodiscard]] virtual DataPlace Place() const { return {}; }
  // The text that says what the data set of a program is (see below). One that
  // is not there is read as "".
  virtual Status WriteRecord(const std::string& /*program*/,
                             const std::string& /*text*/) {
    return Status::Ok();
  }
  virtual Status ReadRecord(const std::string& /*program*/,
                            std::string* /*text*/) {
    return Status::Ok();
  }
  // All workers must have ended. The destructor closes, too, but cannot report.
  virtual Status Close() { return Status::Ok(); }
  // Null for any other one.
  virtual RocksdbEngine* rocksdb() { return nullptr; }
};

// The engines of the nodes of a store, all of one kind; most stores have one.
using Engines = std::vector<Engine*>;

// Of a store that does nothing, of which there is nothing to observe.
class NullEngine : public Engine {
 public:
  [[nodiscard]] nlohmann::json Describe() const override {
    return {{"name", "null"}};
  }
};

// What a data set says about itself: a JSON object that its store keeps. A load
// writes it last, so that a data set without it is a load that did not finish.
//
// Makes the data set whole: adds `workload` and `layout` to `record`.
Status WriteDataSetRecord(Engine& engine, const std::string& workload,
                          int layout, nlohmann::json record);
// Fails (usage) when it is missing, or of another workload or layout.
Status ReadDataSetRecord(Engine& engine, const std::string& workload,
                         int layout, nlohmann::json* record);

}  // namespace waltax
