#include "shop/sql/loader.h"

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <vector>

#include "mariadb/bulk_loader.h"
#include "mariadb/data_set_record.h"
#include "mariadb/parallel_load.h"
#include "mariadb/settle.h"
#include "shop/load_order.h"
#include "shop/sql/values.h"

namespace waltax::shop {

namespace {

using mariadb::BulkLoader;

const std::vector<mariadb::BulkTable>& BulkTables() {
  static const std::vector<mariadb::BulkTable> tables = {
      {"customers", "customer_id, name, address, age"},
      {"products",
       "product_id, name, category, price, quantity, posted, description, "
       "changes"},
      {"orders", "order_id, customer_id, product_id, quantity, ordered"}};
  return tables;
}

void AddRow(const Customer& row, BulkLoader* loader) {
  loader->BeginRow(static_cast<size_t>(Table::kCustomers));
  loader->Number(row.id);
  loader->Text(row.name);
  loader->Text(row.address);
  loader->Number(uint64_t{row.age});
  loader->EndRow();
}

void AddRow(const Product& row, BulkLoader* loader) {
  loader->BeginRow(static_cast<size_t>(Table::kProducts));
  loader->Number(row.id);
  loader->Text(row.name);
  loader->Text(row.category);
  loader->Text(PriceText(row.price_cents));
  loader->Number(int64_t{row.quantity});
  loader->Number(uint64_t{row.posted});
  loader->Text(row.description);
  loader->Number(uint64_t{row.changes});
  loader->EndRow();
}

void AddRow(const Order& row, BulkLoader* loader) {
  loader->BeginRow(static_cast<size_t>(Table::kOrders));
  loader->Number(row.id);
  loader->Number(row.customer_id);
  loader->Number(row.product_id);
  loader->Number(uint64_t{row.quantity});
  loader->Text(TimeText(row.ordered_s));
  loader->EndRow();
}

Status LoadRows(const SqlPlace& place, const Population& population,
                const LoadOrder& order, BulkLoader::Order bulk_order,
                int threads,
                const std::function<void(const SqlLoaded&)>& report,
                SqlLoaded* loaded) {
  std::mutex mutex;  // of `loaded`
  const auto load = [&](uint64_t number, mariadb::Connection& connection) {
    BulkLoader loader(&connection, place.engine, BulkTables(), bulk_order);
    const LoadStep& step = order.steps()[number];
    WriteStep(population, order, step, [&](const auto& row) {
      AddRow(row, &loader);
      return loader.status().ok();
    });
    const Status status = loader.Finish();
    const std::scoped_lock lock(mutex);
    loaded->rows += loader.rows(static_cast<size_t>(step.table));
    loaded->bytes += loader.bytes();
    return status;
  };
  const auto report_loaded = [&] {
    std::unique_lock lock(mutex);
    const SqlLoaded so_far = *loaded;
    lock.unlock();
    report(so_far);
  };
  return mariadb::RunParallelLoad(
      {place.server, threads, order.steps().size(), load, report_loaded});
}

}  // namespace

Status LoadSql(const SqlPlace& place, const DataOptions& data, uint64_t seed,
               int threads, const std::function<void(const SqlLoaded&)>& report,
               SqlLoaded* loaded) {
  *loaded = {};
  std::unique_ptr<mariadb::Connection> connection;
  Status status = mariadb::Connection::Open(place.server, &connection);
  if (status.ok()) status = mariadb::WantEmptyDatabase(*connection);
  if (status.ok()) status = CreateTables(*connection, place);
  if (!status.ok()) return status;
  const Population population(data.rows, seed);
  // Each bulk load of MyRocks writes files of the index, too: those of two
  // parts of the orders would overlap, which it refuses.
  const bool files = place.engine == "myrocks" && data.sorted();
  const LoadOrder order(population, data.sorted(), /*orders_at_once=*/files);
  status = LoadRows(
      place, population, order,
      data.sorted() ? BulkLoader::Order::kByKey : BulkLoader::Order::kAny,
      threads, report, loaded);
  if (status.ok()) {
    status = mariadb::Settle(*connection, place.engine,
                             "customers, products, orders");
  }
  if (!status.ok()) return status;
  return mariadb::WriteDataSetRecord(*connection, place.engine, kWorkload,
                                     kLayoutVersion, ToRecord(data, seed));
}

Status VerifySqlDataSet(mariadb::Connection& connection, const SqlPlace& place,
                        const DataOptions& data, uint64_t* seed) {
  nlohmann::json record;
  const Status status = mariadb::ReadDataSetRecord(connection, kWorkload,
                                                   kLayoutVersion, &record);
  return status.ok() ? ReadRecord(record, place.Name(), data, seed) : status;
}

}  // namespace waltax::shop
