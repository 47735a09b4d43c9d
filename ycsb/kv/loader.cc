#include "ycsb/kv/loader.h"

#include <nlohmann/json.hpp>
#include <numeric>

#include "driver/rocksdb/data_set_record.h"
#include "ycsb/data_set.h"
#include "ycsb/kv/row_codec.h"
#include "ycsb/population.h"

namespace waltax::ycsb {

namespace {

rocksdb::Status WriteRows(const Population& population, const RowCodec& codec,
                          uint64_t chunk, LoadChunk* files) {
  rocksdb::Status status;
  Row row;
  std::string bytes;
  population.WriteChunk(chunk, [&](std::string_view key, const Values& values) {
    row.fields = values.fields;
    codec.Encode(row, &bytes);
    status = files->Put(0, key, bytes);
    return status.ok();
  });
  return status;
}

}  // namespace

Status Load(RocksdbEngine& engine, const DataOptions& data, uint64_t seed,
            int threads, const std::function<void(const LoadedRows&)>& report,
            LoadedRows* loaded) {
  const Population population(data, seed);
  const RowCodec codec(population.model().names());
  BulkLoad load;
  load.db = engine.db();
  load.tables = {engine.column_family(1)};
  load.threads = threads;
  load.chunks.resize(population.chunks());
  std::iota(load.chunks.begin(), load.chunks.end(), 0);
  load.write = [&](uint64_t number, LoadChunk* files) {
    return WriteRows(population, codec, number, files);
  };
  load.report = report;
  const Status status = RunBulkLoad(load, loaded);
  if (!status.ok()) return status;
  return WriteDataSetRecord(engine, kWorkload, kLayoutVersion,
                            ToRecord(data, seed));
}

Status VerifyDataSet(RocksdbEngine& engine, const std::string& db_dir,
                     const DataOptions& data) {
  nlohmann::json record;
  const Status status =
      ReadDataSetRecord(engine, kWorkload, kLayoutVersion, db_dir, &record);
  return status.ok() ? CompareRecord(record, db_dir, data) : status;
}

}  // namespace waltax::ycsb
