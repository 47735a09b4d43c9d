#include "tpcc/data_set.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/data_set_record.h"
#include "tpcc/keys.h"

namespace waltax::tpcc {

namespace {

constexpr char kWorkload[] = "tpcc";

}  // namespace

Status WriteDataSet(RocksdbEngine& engine, const DataSet& data_set) {
  nlohmann::json rows;
  for (size_t i = 0; i < kTables; ++i) {
    rows[std::string(kTableNames[i])] = data_set.rows[i];
  }
  return WriteDataSetRecord(engine, kWorkload, kLayoutVersion,
                            {{"warehouses", data_set.warehouses},
                             {"seed", data_set.seed},
                             {"c_last", data_set.c_last},
                             {"loaded_at_ms", data_set.loaded_at_ms},
                             {"rows", rows}});
}

Status ReadDataSet(RocksdbEngine& engine, const std::string& db_dir,
                   DataSet* data_set) {
  nlohmann::json record;
  const Status status =
      ReadDataSetRecord(engine, kWorkload, kLayoutVersion, db_dir, &record);
  if (!status.ok()) return status;
  try {
    record.at("warehouses").get_to(data_set->warehouses);
    record.at("seed").get_to(data_set->seed);
    record.at("c_last").get_to(data_set->c_last);
    record.at("loaded_at_ms").get_to(data_set->loaded_at_ms);
    for (size_t i = 0; i < kTables; ++i) {
      record.at("rows")
          .at(std::string(kTableNames[i]))
          .get_to(data_set->rows[i]);
    }
  } catch (const nlohmann::json::exception& error) {
    return Status::Usage(fmt::format(
        "--db: the data set in {} does not describe itself ({}): load again",
        db_dir, error.what()));
  }
  return Status::Ok();
}

}  // namespace waltax::tpcc
