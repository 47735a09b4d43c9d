// What the shop is told.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/status.h"
#include "shop/rows.h"

namespace CLI {
class App;
}

namespace waltax::shop {

// What the loader writes. A run must use what its data set was loaded with.
struct DataOptions {
  // Of all three tables. The study has 10.6, 18.0 and 35.0 million, which are
  // 3.13, 5.32 and 10.34 GiB.
  uint64_t rows = 10'000;
  // "sorted": by key, so that an engine gets its files or pages in order;
  // "unsorted": as the rows were made, which the study found extremely long.
  std::string load_order = "sorted";

  [[nodiscard]] bool sorted() const { return load_order == "sorted"; }
};

struct RunOptions {
  // The share of customers and products that requests ask for. The study's
  // driver knew a stored subset of the keys, whose size it does not say: that
  // alone may make a large data set look like a small one.
  double known_share = 1;
  int max_retries = 100;  // conflicts after which a transaction is an error
};

struct Options {
  DataOptions data;
  RunOptions run;
};

// Whom requests ask for: the first numbers, whose keys lie anywhere.
struct Known {
  explicit Known(const Options& options);

  uint64_t customers;
  uint64_t products;
  // What requests touch of the loaded rows, by the types of the columns: these
  // customers and products, and the customers' orders with their entries in the
  // index.
  uint64_t working_set_bytes;
};

// Every effective value, under its flag's name.
nlohmann::json ToJson(const DataOptions& data);
// The same with what follows from them: the bytes of all rows by their types,
// and those of the working set.
nlohmann::json ToJson(const Options& options);

void AddDataFlags(CLI::App* app, DataOptions* data);
void AddRunFlags(CLI::App* app, RunOptions* run);

// The record of a data set, and whether it was loaded with other flags than
// these; `where` names the data set.
inline constexpr char kWorkload[] = "shop";
// What a change of a layout or of what rows hold must increase: older data sets
// are then refused.
inline constexpr int kLayoutVersion = 1;
nlohmann::json ToRecord(const DataOptions& data, uint64_t seed);
Status ReadRecord(const nlohmann::json& record, const std::string& where,
                  const DataOptions& data, uint64_t* seed);

}  // namespace waltax::shop
