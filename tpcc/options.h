// What a TPC-C run looks like.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "driver/flags.h"
#include "driver/status.h"

namespace CLI {
class App;
}  // namespace CLI

namespace waltax::tpcc {

// The transactions, in the order of clause 2.
enum class Op : uint32_t {
  kNewOrder,
  kPayment,
  kOrderStatus,
  kDelivery,
  kStockLevel,
};
inline constexpr size_t kOps = 5;
inline constexpr std::array<std::string_view, kOps> kOpNames = {
    "NEW_ORDER", "PAYMENT", "ORDER_STATUS", "DELIVERY", "STOCK_LEVEL"};

struct Options {
  // 0: as many as the data set has. A run on fewer would leave warehouses
  // cold, which is another workload, so any other number is refused.
  uint64_t warehouses = 0;
  // Terminals have a home warehouse and a deck each; a thread drives several of
  // them in turn, as many as every other. 0: one for each thread. More of them
  // spread the load over more warehouses without more concurrency.
  int terminals = 0;
  // Conflicts after which a transaction is an error.
  int max_retries = 100;
};

// Fills in what is 0 for "as many as", and refuses what cannot be. REQUIRES:
// `data_warehouses` > 0.
Status Resolve(const RunFlags& run, uint32_t data_warehouses, Options* options);

// Every effective value, under its flag's name.
nlohmann::json ToJson(const Options& options);

// The flags of a run, and the one of them that a check has, too.
void AddTerminalFlags(CLI::App* app, Options* options);
void AddWarehousesFlag(CLI::App* app, Options* options);

}  // namespace waltax::tpcc
