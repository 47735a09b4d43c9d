#include "ycsb/data_set.h"

#include <nlohmann/json.hpp>

#include "driver/loaded_flags.h"

namespace waltax::ycsb {

nlohmann::json ToRecord(const DataOptions& data, uint64_t seed) {
  return {{"seed", seed}, {"data", ToJson(data)}};
}

Status CompareRecord(const nlohmann::json& record, const std::string& where,
                     const DataOptions& data) {
  nlohmann::json loaded = record.value("data", nlohmann::json::object());
  nlohmann::json wanted = ToJson(data);
  // A table on one node says nothing of nodes.
  for (nlohmann::json* each : {&loaded, &wanted}) {
    (*each)["nodes"] = each->value("nodes", 1);
  }
  // Others follow from these.
  for (const char* flag : {"recordcount", "nodes"}) {
    const Status status = CompareLoadedFlag(flag, loaded, wanted, where);
    if (!status.ok()) return status;
  }
  return CompareLoadedFlags(loaded, wanted, where);
}

}  // namespace waltax::ycsb
