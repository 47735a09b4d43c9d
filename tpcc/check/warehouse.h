// All that is checked of one warehouse.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/findings.h"
#include "tpcc/check/district.h"
#include "tpcc/check/rows.h"
#include "tpcc/check/shared.h"

namespace waltax::tpcc {

// By i - 1; empty where there is no such item.
using ItemPrices = std::vector<std::optional<Cents>>;

// What the checks of all warehouses share.
struct CheckContext {
  const RowReader& reader;
  const ExpectedOrders& expected;
  const ItemPrices& prices;
  Findings* findings;
  YtdCheck* ytd;
  StockTotals* stock;
};

// Used once, by one thread.
class WarehouseCheck {
 public:
  WarehouseCheck(const CheckContext& context, uint32_t w);
  // Leaves to `ytd` and `stock` what other warehouses have a share in.
  void Run();

 private:
  struct District {
    District(uint32_t w, uint8_t d, Findings* findings)
        : orders(w, d, findings), customers(w, d, findings) {}
    std::optional<uint32_t> next_o_id;
    OrdersCheck orders;
    CustomersCheck customers;
  };

  District& DistrictOfKey(const rocksdb::Slice& key);
  void ReadYtd();
  void ReadCustomers();
  void ReadHistory();
  void ReadOrders();
  void ReadNewOrders();
  void ReadLines();
  // A line of an order that was added since the load.
  void CheckNewLine(const rocksdb::Slice& key, const OrderLine& row);
  void ReadStock();
  void VerifyDistrict(uint8_t d);

  const CheckContext& context_;
  const RowReader& reader_;
  uint32_t w_;
  std::vector<District> districts_;
  StockCheck stock_;
};

}  // namespace waltax::tpcc
