#include "linkbench/data_set.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace waltax::linkbench {

namespace {

// What requests compute from; another value would ask for another graph.
// Payload sizes are not among them: a run may well write other sizes.
constexpr std::array<std::pair<const char*, const char*>, 8> kBinding = {{
    {"startid1", "--startid1"},
    {"maxid1", "--maxid1"},
    {"link_type_count", "--link-type-count"},
    {"nlinks_func", "--nlinks-func"},
    {"nlinks_config", "--nlinks-config"},
    {"nlinks_default", "--nlinks-default"},
    {"degree_cap", "--degree-cap"},
    {"randomid2max", "--randomid2max"},
}};

std::string Text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Status Contradiction(const std::string& flag, const std::string& found,
                     const std::string& where, const std::string& loaded) {
  return Status::Usage(
      fmt::format("{}: found {}, but the data set in {} was loaded with {}: "
                  "pass that, or load another",
                  flag, found, where, loaded));
}

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
  for (const auto& [key, flag] : kBinding) {
    const nlohmann::json value = loaded.value(key, nlohmann::json());
    if (wanted.at(key) != value) {
      return Contradiction(flag, Text(wanted.at(key)), where, Text(value));
    }
  }
  const std::string hash = record.value("data_hash", "");
  if (hash == data_hash) return Status::Ok();
  return Contradiction("--data-file", "the distribution " + data_hash, where,
                       "the distribution " + hash);
}

}  // namespace waltax::linkbench
