#include "tpcc/kv/loader.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/rocksdb/data_set_record.h"
#include "tpcc/keys.h"
#include "tpcc/kv/rows.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

namespace {

// Hands rows on to the files of a chunk, and keeps the first failure.
class FileSink : public RowSink {
 public:
  explicit FileSink(LoadChunk* chunk) : chunk_(*chunk) {}
  void Put(Table table, const rocksdb::Slice& key,
           const rocksdb::Slice& value) override {
    if (!status_.ok()) return;
    status_ = chunk_.Put(static_cast<size_t>(table), key, value);
  }
  [[nodiscard]] const rocksdb::Status& status() const { return status_; }

 private:
  LoadChunk& chunk_;
  rocksdb::Status status_;
};

BulkLoad PlanLoad(RocksdbEngine& engine, const PopulationOptions& options,
                  int threads) {
  BulkLoad load;
  load.db = engine.db();
  const KvTables tables(engine);
  load.tables.assign(tables.handles.begin(), tables.handles.end());
  load.threads = threads;
  // Warehouses are alike; the items and the rest of chunk 0 are less.
  for (uint32_t w = 1; w <= options.warehouses; ++w) load.chunks.push_back(w);
  load.chunks.push_back(0);
  load.write = [&options](uint64_t number, LoadChunk* chunk) {
    FileSink sink(chunk);
    WriteChunk(options, number, &sink);
    return sink.status();
  };
  return load;
}

}  // namespace

Status Load(RocksdbEngine& engine, const PopulationOptions& options,
            int threads, const std::function<void(const LoadedRows&)>& report,
            LoadedRows* loaded) {
  BulkLoad load = PlanLoad(engine, options, threads);
  load.report = report;
  const Status status = RunBulkLoad(load, loaded);
  if (!status.ok()) return status;
  return WriteDataSet(engine, DescribeLoad(options, loaded->rows));
}

Status WriteDataSet(RocksdbEngine& engine, const DataSet& data_set) {
  return WriteDataSetRecord(engine, std::string(kWorkload), kLayoutVersion,
                            ToRecord(data_set));
}

Status ReadDataSet(RocksdbEngine& engine, const std::string& db_dir,
                   DataSet* data_set) {
  nlohmann::json record;
  const Status status = ReadDataSetRecord(engine, std::string(kWorkload),
                                          kLayoutVersion, db_dir, &record);
  if (!status.ok()) return status;
  const std::string fault = FromRecord(record, data_set);
  if (fault.empty()) return Status::Ok();
  return Status::Usage(fmt::format(
      "--db: the data set in {} does not describe itself ({}): load again",
      db_dir, fault));
}

}  // namespace waltax::tpcc
