#include "kv/options.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/flags.h"

namespace waltax::kv {

nlohmann::json ToJson(const DataOptions& data) {
  return {{"num", data.num},
          {"key_size", data.key_size},
          {"value_size", data.value_size},
          {"compression_ratio", data.compression_ratio},
          {"column_families", data.column_families}};
}

nlohmann::json ToJson(const Options& options) {
  nlohmann::json json = ToJson(options.data);
  json["shape"] = options.shape;
  json["batch_size"] = options.batch_size;
  json["transactions"] = options.transactions;
  json["two_phase"] = options.two_phase.value_or(false);
  return json;
}

void AddDataFlags(CLI::App* app, DataOptions* data) {
  AddWholeNumber(app, "--num", &data->num, 1, 1'000'000'000,
                 "loaded keys, and those that random writes draw from");
  AddWholeNumber(app, "--key-size", &data->key_size, 8, 1024, "bytes of a key");
  AddWholeNumber(app, "--value-size", &data->value_size, 8, 65'536,
                 "bytes of a value");
  AddNumber(app, "--compression-ratio", &data->compression_ratio, .01, 1,
            "share of a value that does not repeat itself");
  AddWholeNumber(app, "--column-families", &data->column_families, 1, 64,
                 "families over which keys are spread");
}

void AddWriteFlags(CLI::App* app, Options* options) {
  AddChoice(app, "--shape", &options->shape,
            {"fillseq", "fillrandom", "overwrite"},
            "ascending or random keys into empty families, or random loaded "
            "ones");
  AddWholeNumber(app, "--batch-size", &options->batch_size, 1, 10'000,
                 "keys of one write");
  AddChoice(app, "--transactions", &options->transactions,
            {"none", "pessimistic", "optimistic"},
            "what a write is: a batch, or a transaction that locks its keys, "
            "or one that looks for conflicts when it commits");
  AddSwitch(app, "--two-phase", &options->two_phase,
            "prepare each pessimistic transaction before its commit; with "
            "durability off there is no log to prepare it in");
}

Status CheckWriteFlags(const Options& options) {
  if (!options.two_phase.value_or(false) ||
      options.transactions == "pessimistic") {
    return Status::Ok();
  }
  return Status::Usage(fmt::format(
      "--two-phase: found --transactions={}, which cannot be prepared, want "
      "--transactions=pessimistic",
      options.transactions));
}

std::vector<std::string> TableNames(const DataOptions& data) {
  std::vector<std::string> names = {"default"};
  for (const char* kind : {"loaded", "filled"}) {
    for (uint64_t i = 0; i < data.column_families; ++i) {
      names.push_back(fmt::format("{}{}", kind, i));
    }
  }
  return names;
}

}  // namespace waltax::kv
