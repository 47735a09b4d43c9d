// Rows of a population on their way to a server.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "mariadb/bulk_loader.h"
#include "tpcc/population.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

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

}  // namespace waltax::tpcc
