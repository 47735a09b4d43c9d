#include "driver/rocksdb/data_set_record.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/rocksdb/status.h"

namespace waltax {
namespace {

constexpr char kRecordKey[] = "meta";

std::string TextOf(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "unknown" : value.dump();
}

}  // namespace

Status WriteDataSetRecord(RocksdbEngine& engine, const std::string& workload,
                          int layout, nlohmann::json record) {
  record["workload"] = workload;
  record["layout"] = layout;
  rocksdb::DB* db = engine.base();
  rocksdb::WriteOptions options;
  options.disableWAL = true;
  rocksdb::Status status =
      db->Put(options, engine.column_family(0), kRecordKey, record.dump());
  if (status.ok()) {
    status = db->Flush(rocksdb::FlushOptions(), engine.column_family(0));
  }
  if (status.ok()) return Status::Ok();
  return Explained(status, "write the data set's description", db->GetName());
}

Status ReadDataSetRecord(RocksdbEngine& engine, const std::string& workload,
                         int layout, const std::string& db_dir,
                         nlohmann::json* record) {
  std::string text;
  const rocksdb::Status status = engine.base()->Get(
      rocksdb::ReadOptions(), engine.column_family(0), kRecordKey, &text);
  *record = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (status.IsNotFound() || (status.ok() && !record->is_object())) {
    return Status::Usage(fmt::format(
        "--db: the data set in {} is incomplete: remove it and load again",
        db_dir));
  }
  if (!status.ok()) {
    return Explained(status, "read the data set's description", db_dir);
  }
  // As JSON, since a damaged record may have any types.
  const nlohmann::json found_workload = (*record)["workload"];
  const nlohmann::json found_layout = (*record)["layout"];
  if (found_workload == workload && found_layout == layout) {
    return Status::Ok();
  }
  return Status::Usage(fmt::format(
      "--db: the data set in {} is {} layout {}, want {} layout {}: load again",
      db_dir, TextOf(found_workload), TextOf(found_layout), workload, layout));
}

}  // namespace waltax
