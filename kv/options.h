// What the workload of the write path is told.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/status.h"

namespace CLI {
class App;
}

namespace waltax::kv {

// What the loader writes. A run must use what its data set was loaded with.
struct DataOptions {
  uint64_t num = 1'000'000;  // loaded keys, and those that random writes draw
  uint64_t key_size = 16;
  uint64_t value_size = 100;
  double compression_ratio = .5;  // share of a value that is random bytes
  uint64_t column_families = 1;   // of the loaded keys, and of those filled in
};

struct Options {
  DataOptions data;
  std::string shape = "fillseq";
  uint64_t batch_size = 1;  // keys of one write
  // "none": a write is a batch. "pessimistic": a transaction that locks its
  // keys. "optimistic": one that looks for conflicts when it commits.
  std::string transactions = "none";
  std::optional<bool> two_phase;  // prepares, then commits

  [[nodiscard]] bool overwrites() const { return shape == "overwrite"; }
  [[nodiscard]] bool sequential() const { return shape == "fillseq"; }
  [[nodiscard]] bool optimistic() const { return transactions == "optimistic"; }
};

nlohmann::json ToJson(const DataOptions& data);
nlohmann::json ToJson(const Options& options);

void AddDataFlags(CLI::App* app, DataOptions* data);
void AddWriteFlags(CLI::App* app, Options* options);
// Fails for two phases of what has no second one.
Status CheckWriteFlags(const Options& options);

// Of RocksDB: "default" for the data set's record, then the families of the
// loaded keys, then as many that begin empty, for those that are filled in.
std::vector<std::string> TableNames(const DataOptions& data);

}  // namespace waltax::kv
