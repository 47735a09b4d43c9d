#include "linkbench/data_set.h"

#include <array>
#include <nlohmann/json.hpp>

#include "driver/loaded_flags.h"

namespace waltax::linkbench {

namespace {

// What requests compute from; another value would ask for another graph.
// Payload sizes are not among them: a run may well write other sizes.
constexpr std::array<const char*, 8> kBinding = {
    "startid1",      "maxid1",         "link_type_count", "nlinks_func",
    "nlinks_config", "nlinks_default", "degree_cap",      "randomid2max"};

}  // namespace

nlohmann::json ToRecord(const GraphOptions& graph, const DataSet& data_set) {
  return {{"seed", data_set.seed},     {"loaded_at_ms", data_set.loaded_at_ms},
          {"graph", ToJson(graph)},    {"data_hash", data_set.data_hash},
          {"nodes", data_set.nodes},   {"links", data_set.links},
          {"counts", data_set.counts}, {"index", data_set.index}};
}

Status CompareRecord(const nlohmann::json& record, const std::string& where,
                     const GraphOptions& graph, const std::string& data_hash) {
  const nlohmann::json wanted = ToJson(graph);
  const nlohmann::json loaded = record.value("graph", nlohmann::json::object());
  for (const char* key : kBinding) {
    const Status status = CompareLoadedFlag(key, loaded, wanted, where);
    if (!status.ok()) return status;
  }
  const auto distribution = [](const std::string& hash) {
    return nlohmann::json{{"data_file", "the distribution " + hash}};
  };
  return CompareLoadedFlag(
      "data_file", distribution(record.value("data_hash", std::string())),
      distribution(data_hash), where);
}

}  // namespace waltax::linkbench
