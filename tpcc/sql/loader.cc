#include "tpcc/sql/loader.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "mariadb/bulk_loader.h"
#include "mariadb/connection.h"
#include "mariadb/data_set_record.h"
#include "mariadb/parallel_load.h"
#include "tpcc/keys.h"
#include "tpcc/population.h"
#include "tpcc/row_codec.h"
#include "tpcc/schema.h"
#include "tpcc/sql/schema.h"
#include "tpcc/sql/text.h"

namespace waltax::tpcc {

namespace {

// Hands the rows of a chunk to a bulk loader of BulkTables(), column by column.
// Rows of the two indexes are counted only: the server makes its own.
class SqlSink : public RowSink {
 public:
  explicit SqlSink(mariadb::BulkLoader* loader) : loader_(*loader) {}
  void Put(Table table, const rocksdb::Slice& key,
           const rocksdb::Slice& value) override;
  // By table, as Store::Scan will show them.
  [[nodiscard]] const std::array<uint64_t, kTables>& rows() const {
    return rows_;
  }

 private:
  // Each writes what follows the key's columns, in the order of the table's.
  void Write(const Warehouse& row);
  void Write(const District& row);
  void Write(const Customer& row);
  void Write(const History& row);
  void Write(const Order& row);
  void Write(const OrderLine& row);
  void Write(const Item& row);
  void Write(const Stock& row);
  void WriteKey(Table table, const rocksdb::Slice& key);
  void WriteRow(Table table, const rocksdb::Slice& value);
  template <typename Row>
  void Decode(const rocksdb::Slice& value);
  template <typename Number>
  void Add(Number number) {
    loader_.Number(static_cast<uint64_t>(number));
  }
  void AddMoney(Cents cents);
  void AddRate(TenThousandths rate);
  void AddTime(Timestamp time);
  void AddAddress(const Address& address);

  mariadb::BulkLoader& loader_;
  std::array<uint64_t, kTables> rows_{};
  Table last_ = Table::kWarehouse;
  Timestamp known_time_ = 0;  // most rows have the same
  std::string known_time_text_;
};

// The row that Delivery in RocksDB seeks from; no table has it.
bool IsLowWaterMark(Table table, const rocksdb::Slice& key) {
  return table == Table::kNewOrder && NumberOf(key) == 0;
}

void SqlSink::Put(Table table, const rocksdb::Slice& key,
                  const rocksdb::Slice& value) {
  if (IsLowWaterMark(table, key)) return;
  ++rows_[static_cast<size_t>(table)];
  const size_t place = BulkTableOf(table);
  if (place == kNoBulkTable) return;
  // MyRocks sorts a secondary key among the rows that came before those of
  // another table. Customers are too many for one round trip, and their names
  // are sorted by district: all of a warehouse must be in before the next
  // table.
  if (last_ == Table::kCustomer && table != last_) (void)loader_.Finish();
  last_ = table;
  loader_.BeginRow(place);
  WriteKey(table, key);
  WriteRow(table, value);
  loader_.EndRow();
}

void SqlSink::WriteKey(Table table, const rocksdb::Slice& key) {
  Add(GetBigEndian<uint32_t>(key.data()));  // a warehouse, or an item
  switch (table) {
    case Table::kWarehouse:
    case Table::kItem:
      return;
    case Table::kStock:
      return Add(ItemOf(key));
    case Table::kDistrict:
      return Add(DistrictOf(key));
    default:
      Add(DistrictOf(key));
      Add(NumberOf(key));
  }
  if (table == Table::kHistory) Add(PaymentOf(key));
  if (table == Table::kOrderLine) Add(LineOf(key));
}

void SqlSink::WriteRow(Table table, const rocksdb::Slice& value) {
  switch (table) {
    case Table::kWarehouse:
      return Decode<Warehouse>(value);
    case Table::kDistrict:
      return Decode<District>(value);
    case Table::kCustomer:
      return Decode<Customer>(value);
    case Table::kHistory:
      return Decode<History>(value);
    case Table::kOrder:
      return Decode<Order>(value);
    case Table::kOrderLine:
      return Decode<OrderLine>(value);
    case Table::kItem:
      return Decode<Item>(value);
    case Table::kStock:
      return Decode<Stock>(value);
    default:
      return;  // a row that is all key
  }
}

template <typename Row>
void SqlSink::Decode(const rocksdb::Slice& value) {
  Row row;
  if (DecodeRow(value.ToStringView(), &row)) Write(row);
}

void SqlSink::AddMoney(Cents cents) { loader_.Text(Money(cents)); }

void SqlSink::AddRate(TenThousandths rate) { loader_.Text(RateText(rate)); }

void SqlSink::AddTime(Timestamp time) {
  if (time == 0) return loader_.Null();
  if (time != known_time_) {
    known_time_ = time;
    known_time_text_ = TimeText(time);
  }
  loader_.Text(known_time_text_);
}

void SqlSink::AddAddress(const Address& address) {
  for (const std::string_view part :
       {address.street_1, address.street_2, address.city, address.state,
        address.zip}) {
    loader_.Text(part);
  }
}

void SqlSink::Write(const Warehouse& row) {
  AddRate(row.tax);
  AddMoney(row.ytd);
  loader_.Text(row.name);
  AddAddress(row.address);
}

void SqlSink::Write(const District& row) {
  Add(row.next_o_id);
  AddRate(row.tax);
  AddMoney(row.ytd);
  loader_.Text(row.name);
  AddAddress(row.address);
}

void SqlSink::Write(const Customer& row) {
  AddMoney(row.balance);
  AddMoney(row.ytd_payment);
  Add(row.payment_cnt);
  Add(row.delivery_cnt);
  AddMoney(row.credit_lim);
  AddRate(row.discount);
  AddTime(row.since);
  loader_.Text(row.first);
  loader_.Text(row.middle);
  loader_.Text(row.last);
  loader_.Text(row.phone);
  loader_.Text(row.credit);
  AddAddress(row.address);
  loader_.Text(row.data);
}

void SqlSink::Write(const History& row) {
  Add(row.w_id);
  Add(row.d_id);
  AddTime(row.date);
  AddMoney(row.amount);
  loader_.Text(row.data);
}

void SqlSink::Write(const Order& row) {
  Add(row.c_id);
  AddTime(row.entry_d);
  if (row.carrier_id == 0) {
    loader_.Null();
  } else {
    Add(row.carrier_id);
  }
  Add(row.ol_cnt);
  Add(row.all_local);
}

void SqlSink::Write(const OrderLine& row) {
  Add(row.i_id);
  Add(row.supply_w_id);
  AddTime(row.delivery_d);
  Add(row.quantity);
  AddMoney(row.amount);
  loader_.Text(row.dist_info);
}

void SqlSink::Write(const Item& row) {
  Add(row.im_id);
  AddMoney(row.price);
  loader_.Text(row.name);
  loader_.Text(row.data);
}

void SqlSink::Write(const Stock& row) {
  loader_.Number(int64_t{row.quantity});
  Add(row.order_cnt);
  Add(row.remote_cnt);
  Add(row.ytd);
  for (uint32_t d = 1; d <= kDistricts; ++d) loader_.Text(row.dist(d));
  loader_.Text(row.data);
}

// A key of the data set's description: a server may have both engines.
constexpr char kEngine[] = "engine";

// Writes the whole population.
Status LoadRows(const mariadb::ServerFlags& flags, const std::string& engine,
                const PopulationOptions& options, int threads,
                const std::function<void(const LoadedRows&)>& report,
                LoadedRows* loaded) {
  const uint64_t chunks = PopulationChunks(options.warehouses);
  *loaded = {};
  loaded->rows.resize(kTables);
  std::mutex mutex;  // of `loaded`
  const auto load = [&](uint64_t step, mariadb::Connection& connection) {
    mariadb::BulkLoader loader(&connection, engine, BulkTables());
    SqlSink sink(&loader);
    // Warehouses are alike; the items and the rest of chunk 0 are less, and
    // come last.
    WriteChunk(options, step + 1 < chunks ? step + 1 : 0, &sink);
    Status status = loader.Finish();
    if (!status.ok()) return status;
    const std::scoped_lock lock(mutex);
    ++loaded->chunks;
    for (size_t i = 0; i < kTables; ++i) loaded->rows[i] += sink.rows()[i];
    return status;
  };
  const auto report_loaded = [&] {
    std::unique_lock lock(mutex);
    const LoadedRows so_far = *loaded;
    lock.unlock();
    report(so_far);
  };
  return mariadb::RunParallelLoad(
      {flags, threads, chunks, load, report_loaded});
}

}  // namespace

Status LoadServer(const mariadb::ServerFlags& flags, const std::string& engine,
                  const PopulationOptions& options, int threads,
                  const std::function<void(const LoadedRows&)>& report,
                  LoadedRows* loaded) {
  std::unique_ptr<mariadb::Connection> connection;
  Status status = mariadb::Connection::Open(flags, &connection);
  if (status.ok()) status = mariadb::WantEmptyDatabase(*connection);
  if (status.ok()) status = CreateTables(*connection, engine);
  if (!status.ok()) return status;
  status = LoadRows(flags, engine, options, threads, report, loaded);
  if (status.ok()) status = FinishTables(*connection, engine);
  if (!status.ok()) return status;
  nlohmann::json record = ToRecord(DescribeLoad(options, loaded->rows));
  record[kEngine] = engine;
  return mariadb::WriteDataSetRecord(*connection, engine,
                                     std::string(kWorkload), kSqlLayoutVersion,
                                     std::move(record));
}

Status ReadServerDataSet(mariadb::Connection& connection,
                         const std::string& engine, DataSet* data_set) {
  nlohmann::json record;
  const Status status = mariadb::ReadDataSetRecord(
      connection, std::string(kWorkload), kSqlLayoutVersion, &record);
  if (!status.ok()) return status;
  const auto found = record.find(kEngine);
  if (found == record.end() || !found->is_string() ||
      found->get<std::string>() != engine) {
    return Status::Usage(fmt::format(
        "--store: found \"{}\", but the data set was loaded with {}", engine,
        found == record.end() ? "another engine" : found->dump()));
  }
  const std::string fault = FromRecord(record, data_set);
  if (fault.empty()) return Status::Ok();
  return Status::Usage(fmt::format(
      "--database: the data set in it does not describe itself ({}): load "
      "again",
      fault));
}

}  // namespace waltax::tpcc
