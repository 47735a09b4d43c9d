#include "kv/loader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "driver/loaded_flags.h"
#include "driver/rocksdb/data_set_record.h"

namespace waltax::kv {
namespace {

constexpr char kWorkload[] = "kv";
constexpr int kLayoutVersion = 1;
constexpr uint64_t kChunkKeys = 100'000;

rocksdb::Status WriteChunk(const Writes& writes, uint64_t chunk,
                           LoadChunk* files) {
  const DataOptions& data = writes.options().data;
  const uint64_t end = std::min(data.num, (chunk + 1) * kChunkKeys);
  rocksdb::Status status;
  std::string key;
  std::string value;
  for (uint64_t i = chunk * kChunkKeys; i < end && status.ok(); ++i) {
    writes.EncodeKey(i, &key);
    writes.EncodeValue(i, kLoaded, &value);
    status = files->Put(i % data.column_families, key, value);
  }
  return status;
}

}  // namespace

Status Load(RocksdbEngine& engine, const Writes& writes, int threads,
            const std::function<void(const LoadedRows&)>& report,
            LoadedRows* loaded) {
  const DataOptions& data = writes.options().data;
  BulkLoad load;
  load.db = engine.db();
  for (uint64_t i = 0; i < data.column_families; ++i) {
    load.tables.push_back(engine.column_family(1 + i));
  }
  load.threads = threads;
  load.chunks.resize((data.num + kChunkKeys - 1) / kChunkKeys);
  std::iota(load.chunks.begin(), load.chunks.end(), 0);
  load.write = [&](uint64_t number, LoadChunk* files) {
    return WriteChunk(writes, number, files);
  };
  load.report = report;
  const Status status = RunBulkLoad(load, loaded);
  if (!status.ok()) return status;
  return WriteDataSetRecord(engine, kWorkload, kLayoutVersion,
                            {{"data", ToJson(data)}});
}

Status VerifyDataSet(RocksdbEngine& engine, const std::string& db_dir,
                     const DataOptions& data) {
  nlohmann::json record;
  const Status status =
      ReadDataSetRecord(engine, kWorkload, kLayoutVersion, db_dir, &record);
  if (!status.ok()) return status;
  return CompareLoadedFlags(record.value("data", nlohmann::json::object()),
                            ToJson(data), db_dir);
}

}  // namespace waltax::kv
