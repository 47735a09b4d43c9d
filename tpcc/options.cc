#include "tpcc/options.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/flag_list.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

namespace {

// A thread with fewer terminals than another would ask more often for each.
Status WantEqualShares(int terminals, int threads) {
  if (terminals % threads == 0) return Status::Ok();
  const int below = terminals / threads * threads;
  const int above = below + threads;
  const std::string nearest = below == 0
                                  ? fmt::format("{}", above)
                                  : fmt::format("{} or {}", below, above);
  return Status::Usage(
      fmt::format("--terminals: found {}, want a multiple of {} threads: {}",
                  terminals, threads, nearest));
}

constexpr int64_t kMostTerminals = 10'000'000;

template <typename Reader, typename Terminals>
void ListWarehouses(const Reader& flags, Terminals* options) {
  flags("warehouses", &options->warehouses, 0, kMostWarehouses,
        "what the data set must have; 0: whatever it has");
}

template <typename Reader, typename Terminals>
void ListTerminals(const Reader& flags, Terminals* options) {
  ListWarehouses(flags, options);
  flags("terminals", &options->terminals, 0, kMostTerminals,
        "terminals, a multiple of the threads; 0: one for each");
  flags("max-retries", &options->max_retries, 0, 1'000'000,
        "conflicts after which a transaction is an error");
}

}  // namespace

Status Resolve(const RunFlags& run, uint32_t data_warehouses,
               Options* options) {
  if (options->warehouses == 0) options->warehouses = data_warehouses;
  if (options->warehouses != data_warehouses) {
    return Status::Usage(
        fmt::format("--warehouses: found {}, want {}, which the data set has",
                    options->warehouses, data_warehouses));
  }
  if (options->terminals == 0) options->terminals = run.threads;
  return WantEqualShares(options->terminals, run.threads);
}

nlohmann::json ToJson(const Options& options) {
  nlohmann::json json;
  ListTerminals(FlagValues(&json), &options);
  return json;
}

void AddTerminalFlags(CLI::App* app, Options* options) {
  ListTerminals(FlagAdder(app), options);
}

void AddWarehousesFlag(CLI::App* app, Options* options) {
  ListWarehouses(FlagAdder(app), options);
}

}  // namespace waltax::tpcc
