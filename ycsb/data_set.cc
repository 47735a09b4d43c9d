#include "ycsb/data_set.h"

#include <nlohmann/json.hpp>

#include "driver/loaded_flags.h"

namespace waltax::ycsb {

nlohmann::json ToRecord(const DataOptions& data, uint64_t seed) {
  return {{"seed", seed}, {"data", ToJson(data)}};
}

Status CompareRecord(const nlohmann::json& record, const std::string& where,
                     const DataOptions& data) {
  const nlohmann::json loaded = record.value("data", nlohmann::json::object());
  const nlohmann::json wanted = ToJson(data);
  // Others follow from the number of records.
  const Status status = CompareLoadedFlag("recordcount", loaded, wanted, where);
  return status.ok() ? CompareLoadedFlags(loaded, wanted, where) : status;
}

}  // namespace waltax::ycsb
