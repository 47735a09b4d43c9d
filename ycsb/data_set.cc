#include "ycsb/data_set.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace waltax::ycsb {

namespace {

std::string Text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

nlohmann::json ToRecord(const DataOptions& data, uint64_t seed) {
  return {{"seed", seed}, {"data", ToJson(data)}};
}

Status CompareRecord(const nlohmann::json& record, const std::string& where,
                     const DataOptions& data) {
  const nlohmann::json loaded = record.value("data", nlohmann::json::object());
  const nlohmann::json wanted = ToJson(data);
  // Others follow from the number of records.
  std::vector<std::string> flags = {"recordcount"};
  for (const auto& item : wanted.items()) flags.push_back(item.key());
  for (const std::string& flag : flags) {
    const nlohmann::json found = loaded.value(flag, nlohmann::json());
    if (found == wanted[flag]) continue;
    return Status::Usage(
        fmt::format("--{}: found {}, but the data set in {} was loaded with "
                    "{}: pass that, or load another",
                    flag, Text(wanted[flag]), where, Text(found)));
  }
  return Status::Ok();
}

}  // namespace waltax::ycsb
