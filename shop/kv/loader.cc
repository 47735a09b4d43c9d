#include "shop/kv/loader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "driver/rocksdb/bulk_load.h"
#include "driver/rocksdb/data_set_record.h"
#include "shop/kv/put_rows.h"
#include "shop/kv/unsorted.h"
#include "shop/load_order.h"

namespace waltax::shop {

namespace {

constexpr size_t kEntriesOfChunk = 65536;

using Entries = std::vector<std::pair<uint64_t, uint64_t>>;

Entries SortedEntries(const Population& population) {
  Entries entries;
  entries.reserve(population.sizes().orders);
  Order order;
  for (uint64_t number = 0; number < population.sizes().orders; ++number) {
    population.Write(number, &order);
    entries.emplace_back(order.customer_id, order.id);
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

rocksdb::Status PutEntries(const Entries& entries, size_t chunk,
                           LoadChunk* files) {
  const size_t first = chunk * kEntriesOfChunk;
  const size_t end = std::min(entries.size(), first + kEntriesOfChunk);
  rocksdb::Status status;
  for (size_t i = first; status.ok() && i < end; ++i) {
    const auto& [customer_id, order_id] = entries[i];
    status =
        files->Put(kIndexPlace, EntryKey(customer_id, order_id).slice(), {});
  }
  return status;
}

rocksdb::Status PutStep(const Population& population, const LoadOrder& order,
                        const LoadStep& step, LoadChunk* files) {
  rocksdb::Status status;
  std::string bytes;
  const auto put = [&](size_t place, const rocksdb::Slice& key,
                       const rocksdb::Slice& value) {
    return files->Put(place, key, value);
  };
  WriteStep(population, order, step, [&](const auto& row) {
    status = PutRow(row, &bytes, put);
    return status.ok();
  });
  return status;
}

// The steps of the tables are the first chunks, parts of the index the others.
Status LoadSorted(RocksdbEngine& engine, const Population& population,
                  const LoadOrder& order, int threads,
                  const std::function<void(const KvLoaded&)>& report,
                  KvLoaded* loaded) {
  const Entries entries = SortedEntries(population);
  const size_t steps = order.steps().size();
  BulkLoad load;
  load.db = engine.db();
  for (size_t i = 1; i <= 4; ++i) {
    load.tables.push_back(engine.column_family(i));
  }
  load.threads = threads;
  load.chunks.resize(steps +
                     (entries.size() + kEntriesOfChunk - 1) / kEntriesOfChunk);
  std::iota(load.chunks.begin(), load.chunks.end(), 0);
  load.write = [&](uint64_t chunk, LoadChunk* files) {
    return chunk < steps
               ? PutStep(population, order, order.steps()[chunk], files)
               : PutEntries(entries, chunk - steps, files);
  };
  const auto told = [](const LoadedRows& files) {
    return KvLoaded{files.rows[kCustomersPlace] + files.rows[kProductsPlace] +
                        files.rows[kOrdersPlace],
                    files.bytes};
  };
  load.report = [&](const LoadedRows& files) { report(told(files)); };
  LoadedRows files;
  const Status status = RunBulkLoad(load, &files);
  if (status.ok()) *loaded = told(files);
  return status;
}

}  // namespace

Status Load(RocksdbEngine& engine, const DataOptions& data, uint64_t seed,
            int threads, const std::function<void(const KvLoaded&)>& report,
            KvLoaded* loaded) {
  const Population population(data.rows, seed);
  const LoadOrder order(population, data.sorted(), /*orders_at_once=*/false);
  const auto load = data.sorted() ? LoadSorted : LoadUnsorted;
  const Status status =
      load(engine, population, order, threads, report, loaded);
  if (!status.ok()) return status;
  return WriteDataSetRecord(engine, kWorkload, kLayoutVersion,
                            ToRecord(data, seed));
}

Status VerifyDataSet(RocksdbEngine& engine, const std::string& db_dir,
                     const DataOptions& data, uint64_t* seed) {
  nlohmann::json record;
  const Status status =
      ReadDataSetRecord(engine, kWorkload, kLayoutVersion, db_dir, &record);
  return status.ok() ? ReadRecord(record, db_dir, data, seed) : status;
}

}  // namespace waltax::shop
