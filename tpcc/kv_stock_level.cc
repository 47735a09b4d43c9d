#include "tpcc/kv_stock_level.h"

#include <rocksdb/iterator.h>

#include <algorithm>

namespace waltax::tpcc {
namespace {

constexpr uint32_t kExaminedOrders = 20;  // clause 2.8.2.2

}  // namespace

rocksdb::Status KvStockLevel::Read(const StockLevelInput& input,
                                   const rocksdb::Snapshot* snapshot,
                                   StockLevelOutput* output) {
  rocksdb::Status status =
      rows_.Get(Table::kDistrict, KeyOfDistrict(input.w_id, input.d_id).slice(),
                snapshot, &district_);
  if (status.ok()) status = FindItems(input, snapshot);
  if (status.ok()) status = CountLow(input, snapshot, output);
  stock_.Clear();  // else it would hold on to the engine's blocks
  return status;
}

// The distinct items of the district's last orders, ascending.
rocksdb::Status KvStockLevel::FindItems(const StockLevelInput& input,
                                        const rocksdb::Snapshot* snapshot) {
  const uint32_t next = district_.row.next_o_id;
  const uint32_t first = next > kExaminedOrders ? next - kExaminedOrders : 0;
  const OrderKey end = KeyOfOrder(input.w_id, input.d_id, next);
  const auto lines = rows_.NewIterator(Table::kOrderLine, snapshot);
  items_.clear();
  for (lines->Seek(KeyOfOrder(input.w_id, input.d_id, first).slice());
       lines->Valid() && lines->key().compare(end.slice()) < 0; lines->Next()) {
    OrderLine line;
    const rocksdb::Status status =
        KvRows::Decode(Table::kOrderLine, lines->value(), &line);
    if (!status.ok()) return status;
    items_.push_back(line.i_id);
  }
  std::sort(items_.begin(), items_.end());
  items_.erase(std::unique(items_.begin(), items_.end()), items_.end());
  return lines->status();
}

rocksdb::Status KvStockLevel::CountLow(const StockLevelInput& input,
                                       const rocksdb::Snapshot* snapshot,
                                       StockLevelOutput* output) {
  for (const uint32_t i_id : items_) stock_.Add(KeyOfStock(input.w_id, i_id));
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  stock_.Run(rows_.tables().db, options, rows_.tables()[Table::kStock], true);
  output->low_stock = 0;
  for (size_t i = 0; i < stock_.size(); ++i) {
    rocksdb::Status status = stock_.status(i);
    if (status.IsNotFound()) status = MissingRow(Table::kStock);
    Stock stock;
    if (status.ok()) {
      status = KvRows::Decode(Table::kStock, stock_.value(i), &stock);
    }
    if (!status.ok()) return status;
    if (stock.quantity < input.threshold) ++output->low_stock;
  }
  return rocksdb::Status::OK();
}

}  // namespace waltax::tpcc
