#include "ycsb/kv/loader.h"

#include <numeric>

#include "driver/rocksdb/bulk_load.h"
#include "ycsb/kv/row_codec.h"

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
            int threads, const ReportLoaded& report, RecordsLoaded* loaded) {
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
  load.report = [&](const LoadedRows& so_far) {
    report({so_far.rows[0], so_far.bytes});
  };
  LoadedRows rows;
  const Status status = RunBulkLoad(load, &rows);
  if (status.ok()) *loaded = {rows.rows[0], rows.bytes};
  return status;
}

}  // namespace waltax::ycsb
