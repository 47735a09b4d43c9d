#include "shop/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "driver/flags.h"
#include "driver/loaded_flags.h"

namespace waltax::shop {

namespace {

// So that each table has rows to draw from.
constexpr int64_t kFewestRows = 1'000;
constexpr int64_t kMostRows = 1'000'000'000;
constexpr double kSmallestShare = 1e-6;

uint64_t ShareOf(uint64_t count, double share) {
  const double known = std::round(static_cast<double>(count) * share);
  return std::clamp<uint64_t>(static_cast<uint64_t>(known), 1, count);
}

}  // namespace

Known::Known(const Options& options) {
  const Sizes sizes(options.data.rows);
  customers = ShareOf(sizes.customers, options.run.known_share);
  products = ShareOf(sizes.products, options.run.known_share);
  const uint64_t orders = sizes.orders * customers / sizes.customers;
  working_set_bytes = kCustomerBytes * customers + kProductBytes * products +
                      (kOrderBytes + kEntryBytes) * orders;
}

nlohmann::json ToJson(const DataOptions& data) {
  return {{"rows", data.rows}, {"load_order", data.load_order}};
}

nlohmann::json ToJson(const Options& options) {
  nlohmann::json json = ToJson(options.data);
  json["known_share"] = options.run.known_share;
  json["max_retries"] = options.run.max_retries;
  json["logical_bytes"] = Sizes(options.data.rows).bytes();
  json["working_set_bytes"] = Known(options).working_set_bytes;
  return json;
}

void AddDataFlags(CLI::App* app, DataOptions* data) {
  AddWholeNumber(app, "--rows", &data->rows, kFewestRows, kMostRows,
                 "rows of all tables: 40 % customers, 20 % products, 40 % "
                 "orders; 317.2 bytes each");
  AddChoice(app, "--load-order", &data->load_order, {"sorted", "unsorted"},
            "whether rows are loaded in the order of their keys");
}

void AddRunFlags(CLI::App* app, RunOptions* run) {
  AddNumber(app, "--known-share", &run->known_share, kSmallestShare, 1,
            "share of the customers and products that requests ask for");
  AddWholeNumber(app, "--max-retries", &run->max_retries, 0, 1'000'000,
                 "conflicts after which a transaction is an error");
}

nlohmann::json ToRecord(const DataOptions& data, uint64_t seed) {
  return {{"seed", seed}, {"data", ToJson(data)}};
}

Status ReadRecord(const nlohmann::json& record, const std::string& where,
                  const DataOptions& data, uint64_t* seed) {
  *seed = record.value("seed", uint64_t{0});
  return CompareLoadedFlags(record.value("data", nlohmann::json::object()),
                            ToJson(data), where);
}

}  // namespace waltax::shop
