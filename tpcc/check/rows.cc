#include "tpcc/check/rows.h"

#include <array>

#include "tpcc/keys.h"

namespace waltax::tpcc {

namespace {

// What follows w and d in a key.
enum class Part { kNone, kCustomer, kOrder };

struct KeyShape {
  size_t bytes;
  bool district;
  Part part;
};

// A key with names is at least so long.
constexpr size_t kShortestNameKey = 5 + 1 + 1 + 4;

KeyShape ShapeOf(Table table) {
  switch (table) {
    case Table::kWarehouse:
      return {sizeof(WarehouseKey), false, Part::kNone};
    case Table::kDistrict:
      return {sizeof(DistrictKey), true, Part::kNone};
    case Table::kCustomer:
      return {sizeof(CustomerKey), true, Part::kCustomer};
    case Table::kCustomerByName:
      return {kShortestNameKey, true, Part::kCustomer};
    case Table::kHistory:
      return {sizeof(HistoryKey), true, Part::kCustomer};
    case Table::kOrder:
    case Table::kNewOrder:
      return {sizeof(OrderKey), true, Part::kOrder};
    case Table::kOrderByCustomer:
      return {sizeof(OrderByCustomerKey), true, Part::kCustomer};
    case Table::kOrderLine:
      return {sizeof(OrderLineKey), true, Part::kOrder};
    case Table::kItem:
      return {sizeof(ItemKey), false, Part::kNone};
    case Table::kStock:
      return {sizeof(StockKey), false, Part::kNone};
  }
  return {};
}

uint32_t CustomerIn(Table table, const rocksdb::Slice& key) {
  return table == Table::kCustomerByName ? CustomerOfName(key) : NumberOf(key);
}

bool OutOf(uint32_t most, uint32_t number) {
  return number < 1 || number > most;
}

// REQUIRES: the key is as long as the table's keys.
bool HasImpossibleNumber(Table table, const rocksdb::Slice& key) {
  if (table == Table::kItem) return OutOf(kItems, NumberOfItem(key));
  if (table == Table::kStock) return OutOf(kItems, ItemOf(key));
  const KeyShape shape = ShapeOf(table);
  if (shape.district && OutOf(kDistricts, DistrictOf(key))) return true;
  return shape.part == Part::kCustomer &&
         OutOf(kCustomersPerDistrict, CustomerIn(table, key));
}

}  // namespace

std::string KeyFault(Table table, const rocksdb::Slice& key) {
  const size_t want = ShapeOf(table).bytes;
  const bool wrong_length =
      table == Table::kCustomerByName ? key.size() < want : key.size() != want;
  if (wrong_length) return fmt::format("a key of {} bytes", key.size());
  if (!HasImpossibleNumber(table, key)) return "";
  return Place(table, key) + ": there can be no such row";
}

std::string Place(Table table, const rocksdb::Slice& key) {
  if (table == Table::kItem) return fmt::format("item {}", NumberOfItem(key));
  std::string place = fmt::format("warehouse {}", WarehouseOf(key));
  if (table == Table::kStock) {
    return place + fmt::format(": item {}", ItemOf(key));
  }
  const KeyShape shape = ShapeOf(table);
  if (shape.district) place += fmt::format(": district {}", DistrictOf(key));
  if (shape.part == Part::kCustomer) {
    place += fmt::format(": customer {}", CustomerIn(table, key));
  }
  if (shape.part == Part::kOrder) {
    place += fmt::format(": order {}", NumberOf(key));
  }
  if (table == Table::kOrderLine) {
    place += fmt::format(": line {}", LineOf(key));
  }
  return place;
}

}  // namespace waltax::tpcc
