#include "tests/tpcc/memory/store.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "tpcc/keys.h"

namespace waltax::tpcc {

// Puts the rows of the population in their places. Chunks have no place in
// common, so that several may be written at a time.
class MemorySink : public RowSink {
 public:
  explicit MemorySink(MemoryStore* store) : store_(*store) {}

  void Put(size_t place, std::string_view key,
           std::string_view value) override {
    const auto table = static_cast<Table>(place);
    std::string row(value);
    if (table == Table::kItem) {
      store_.items_[GetBigEndian<uint32_t>(key.data()) - 1] = std::move(row);
      return;
    }
    MemoryWarehouse& warehouse = store_.warehouse(WarehouseOf(key));
    if (table == Table::kWarehouse) {
      warehouse.row = std::move(row);
    } else if (table == Table::kStock) {
      warehouse.stock[ItemOf(key) - 1] = std::move(row);
    } else {
      PutInDistrict(table, key, std::move(row),
                    &warehouse.districts[DistrictOf(key) - 1U]);
    }
  }

 private:
  static void PutInDistrict(Table table, const rocksdb::Slice& key,
                            std::string row, MemoryDistrict* district);

  MemoryStore& store_;
};

void MemorySink::PutInDistrict(Table table, const rocksdb::Slice& key,
                               std::string row, MemoryDistrict* district) {
  switch (table) {
    case Table::kDistrict:
      district->row = std::move(row);
      break;
    case Table::kCustomer:
      district->customers[NumberOf(key) - 1] = std::move(row);
      break;
    case Table::kCustomerByName:
      district->names.push_back(key.ToString());
      break;
    case Table::kHistory:
      district->history[NumberOf(key) - 1].push_back(std::move(row));
      break;
    case Table::kOrder:
      district->orders[NumberOf(key) - 1].row = std::move(row);
      break;
    case Table::kOrderByCustomer:
      district->orders_of[NumberOf(key) - 1].push_back(NewestOrderOf(key));
      break;
    case Table::kNewOrder:
      if (NumberOf(key) == 0) {
        district->oldest = std::move(row);
      } else {
        district->new_orders.push_back(NumberOf(key));
      }
      break;
    case Table::kOrderLine:
      district->orders[NumberOf(key) - 1].lines.push_back(std::move(row));
      break;
    default:  // the tables without a district
      break;
  }
}

namespace {

// Shows the rows whose keys begin with a prefix.
class Shown {
 public:
  Shown(std::string_view prefix, const table::Visit& visit)
      : prefix_(prefix), visit_(visit) {}
  void operator()(const rocksdb::Slice& key, std::string_view value) const {
    const std::string_view text = key.ToStringView();
    if (text.starts_with(prefix_)) visit_(text, value);
  }

 private:
  std::string_view prefix_;
  const table::Visit& visit_;
};

void ShowOrders(Table table, uint32_t w, uint8_t d,
                const MemoryDistrict& district, const Shown& show) {
  for (uint32_t o = 1; o <= district.orders.size(); ++o) {
    const MemoryOrder& order = district.orders[o - 1];
    if (table == Table::kOrder) {
      show(KeyOfOrder(w, d, o).slice(), order.row);
      continue;
    }
    for (size_t line = 0; line < order.lines.size(); ++line) {
      const auto number = static_cast<uint8_t>(line + 1);
      show(KeyOfOrderLine(w, d, o, number).slice(), order.lines[line]);
    }
  }
}

void ShowCustomers(Table table, uint32_t w, uint8_t d,
                   const MemoryDistrict& district, const Shown& show) {
  for (uint32_t c = 1; c <= kCustomersPerDistrict; ++c) {
    if (table == Table::kCustomer) {
      show(KeyOfCustomer(w, d, c).slice(), district.customers[c - 1]);
    } else if (table == Table::kHistory) {
      uint32_t payment = 0;
      for (const std::string& row : district.history[c - 1]) {
        show(KeyOfHistory(w, d, c, ++payment).slice(), row);
      }
    } else {
      const std::vector<uint32_t>& orders = district.orders_of[c - 1];
      for (auto o = orders.rbegin(); o != orders.rend(); ++o) {
        show(KeyOfOrderByCustomer(w, d, c, *o).slice(), {});
      }
    }
  }
}

void ShowDistrict(Table table, uint32_t w, uint8_t d,
                  const MemoryDistrict& district, const Shown& show) {
  switch (table) {
    case Table::kDistrict:
      return show(KeyOfDistrict(w, d).slice(), district.row);
    case Table::kCustomerByName:
      for (const std::string& key : district.names) show(key, {});
      return;
    case Table::kNewOrder:
      show(KeyOfOldestNewOrder(w, d).slice(), district.oldest);
      for (const uint32_t o : district.new_orders) {
        show(KeyOfNewOrder(w, d, o).slice(), {});
      }
      return;
    case Table::kOrder:
    case Table::kOrderLine:
      return ShowOrders(table, w, d, district, show);
    default:
      return ShowCustomers(table, w, d, district, show);
  }
}

void ShowWarehouse(Table table, uint32_t w, std::string_view prefix,
                   const MemoryWarehouse& warehouse, const Shown& show) {
  if (table == Table::kWarehouse) {
    return show(KeyOfWarehouse(w).slice(), warehouse.row);
  }
  if (table == Table::kStock) {
    for (uint32_t i = 1; i <= kItems; ++i) {
      show(KeyOfStock(w, i).slice(), warehouse.stock[i - 1]);
    }
    return;
  }
  for (uint8_t d = 1; d <= kDistricts; ++d) {
    const bool wanted =
        prefix.size() < sizeof(DistrictKey) || DistrictOf(prefix) == d;
    if (wanted) ShowDistrict(table, w, d, warehouse.districts[d - 1U], show);
  }
}

}  // namespace

MemoryStore::MemoryStore(const PopulationOptions& options, int threads)
    : warehouses_(options.warehouses), items_(kItems) {
  std::atomic<uint64_t> next_chunk = 0;
  const auto fill = [&] {
    MemorySink sink(this);
    for (;;) {
      const uint64_t chunk = next_chunk.fetch_add(1);
      if (chunk > options.warehouses) return;
      WriteChunk(options, chunk, &sink);
    }
  };
  std::vector<std::jthread> fillers;
  for (int i = 0; i < threads; ++i) fillers.emplace_back(fill);
}

std::unique_ptr<Session> MemoryStore::NewSession(uint64_t seed) {
  (void)seed;  // nothing here is ever retried
  return std::make_unique<MemorySession>(this);
}

Status MemoryStore::Scan(Table table, std::string_view prefix,
                         const table::Visit& visit) const {
  const Shown show(prefix, visit);
  if (table == Table::kItem) {
    for (uint32_t i = 1; i <= kItems; ++i) {
      show(KeyOfItem(i).slice(), items_[i - 1]);
    }
    return Status::Ok();
  }
  for (uint32_t w = 1; w <= warehouses_.size(); ++w) {
    const bool wanted =
        prefix.size() < sizeof(WarehouseKey) || WarehouseOf(prefix) == w;
    if (wanted) ShowWarehouse(table, w, prefix, warehouses_[w - 1], show);
  }
  return Status::Ok();
}

}  // namespace waltax::tpcc
