#include "tpcc/kv/loader.h"

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
  return RunBulkLoad(load, loaded);
}

}  // namespace waltax::tpcc
