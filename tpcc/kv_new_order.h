// New-Order (clause 2.4) on RocksDB.
#pragma once

#include <array>
#include <cstdint>

#include "tpcc/keys.h"
#include "tpcc/kv_multi_get.h"
#include "tpcc/kv_rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

class KvNewOrder {
 public:
  explicit KvNewOrder(KvRows* rows) : rows_(*rows) {}

  // One attempt in the transaction of the rows' loop.
  rocksdb::Status Try(const NewOrderInput& input, NewOrderOutput* output);

 private:
  rocksdb::Status Enter(const NewOrderInput& input, NewOrderOutput* output);
  rocksdb::Status TakeNumber(const NewOrderInput& input,
                             NewOrderOutput* output);
  rocksdb::Status ReadUnchanging(const NewOrderInput& input,
                                 NewOrderOutput* output);
  rocksdb::Status ReadItems(const NewOrderInput& input,
                            const rocksdb::Snapshot* snapshot,
                            NewOrderOutput* output);
  void CollectStock(const NewOrderInput& input);
  rocksdb::Status LockStock();
  rocksdb::Status ReadStock();
  rocksdb::Status InsertOrder(const NewOrderInput& input,
                              const NewOrderOutput& output);
  rocksdb::Status InsertLines(const NewOrderInput& input,
                              NewOrderOutput* output);
  rocksdb::Status InsertLine(const NewOrderInput& input, uint8_t number,
                             const Stock& stock, const NewOrderOutput& output);
  rocksdb::Status WriteStock();
  [[nodiscard]] bool IsKnown(size_t line) const {
    return items_.status(line).ok();
  }
  Stock* StockOf(const NewOrderInput::Line& line);

  KvRows& rows_;
  Stored<District> district_;
  Stored<Warehouse> warehouse_;
  Stored<Customer> customer_;
  // By line.
  MultiGet<ItemKey> items_;
  std::array<Item, kMaxOrderLines> item_{};
  // The order's stock rows, each once and ascending; lines may share one.
  std::array<uint64_t, kMaxOrderLines> stock_ids_{};
  size_t stocks_ = 0;
  MultiGet<StockKey> stock_rows_;
  std::array<Stock, kMaxOrderLines> stock_{};
};

}  // namespace waltax::tpcc
