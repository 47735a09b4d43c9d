#include "driver/engine.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace waltax {
namespace {

// As JSON, since a damaged record may have any types.
std::string TextOf(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "unknown" : value.dump();
}

}  // namespace

Status WriteDataSetRecord(Engine& engine, const std::string& workload,
                          int layout, nlohmann::json record) {
  record["workload"] = workload;
  record["layout"] = layout;
  return engine.WriteRecord(workload, record.dump());
}

Status ReadDataSetRecord(Engine& engine, const std::string& workload,
                         int layout, nlohmann::json* record) {
  std::string text;
  TRY(engine.ReadRecord(workload, &text));
  *record = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  const DataPlace place = engine.Place();
  if (!record->is_object()) {
    return Status::Usage(
        fmt::format("{}: the data set in {} is missing or incomplete: {}",
                    place.flag, place.name, place.remedy));
  }
  const nlohmann::json found_workload = (*record)["workload"];
  const nlohmann::json found_layout = (*record)["layout"];
  if (found_workload == workload && found_layout == layout) {
    return Status::Ok();
  }
  return Status::Usage(fmt::format(
      "{}: the data set in {} is {} layout {}, want {} layout {}: load again",
      place.flag, place.name, TextOf(found_workload), TextOf(found_layout),
      workload, layout));
}

}  // namespace waltax
