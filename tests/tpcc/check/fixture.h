// Two loaded warehouses, whole transactions on them, and their check.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/tpcc/row_store.h"
#include "tpcc/check/check.h"
#include "tpcc/keys.h"

namespace waltax::tpcc {

using Sentences = std::vector<std::string>;

// Two warehouses as they were loaded; each test plants one fault, and the check
// must name it, and nothing else.
class CheckTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    store_ = std::make_unique<RowStore>(PopulationOptions{2, 7, kNow});
  }
  static void TearDownTestSuite() { store_.reset(); }
  void TearDown() override { store_->Restore(); }

  static CheckResult Result(const CheckExpectations& expect) {
    CheckResult result;
    const Status status = CheckConsistency(*store_, 2, 2, expect, &result);
    EXPECT_TRUE(status.ok()) << status.message();
    std::sort(result.violations.begin(), result.violations.end());
    return result;
  }
  static Sentences Violations(const CheckExpectations& expect = {}) {
    return Result(expect).violations;
  }

  static Order OrderOf(uint32_t o) {
    return store_->Get<Order>(Table::kOrder, KeyOfOrder(1, 2, o).slice());
  }
  static Customer CustomerRow(uint32_t c) {
    return store_->Get<Customer>(Table::kCustomer,
                                 KeyOfCustomer(1, 2, c).slice());
  }
  template <typename Function>
  static void ChangeCustomer(uint32_t c, Function change) {
    store_->Change<Customer>(Table::kCustomer, KeyOfCustomer(1, 2, c).slice(),
                             change);
  }
  template <typename Function>
  static void ChangeOrder(uint32_t o, Function change) {
    store_->Change<Order>(Table::kOrder, KeyOfOrder(1, 2, o).slice(), change);
  }
  template <typename Function>
  static void ChangeLine(uint32_t o, uint8_t number, Function change) {
    store_->Change<OrderLine>(Table::kOrderLine,
                              KeyOfOrderLine(1, 2, o, number).slice(), change);
  }
  template <typename Function>
  static void ChangeStock(uint32_t w, uint32_t i, Function change) {
    store_->Change<Stock>(Table::kStock, KeyOfStock(w, i).slice(), change);
  }

  // All rows of a New-Order in district 2 of warehouse 1 by customer 4, whose
  // five lines want 3 of item 11 and so on; the last is supplied by warehouse
  // 2. Its number is 3001.
  static void PlaceOrder() {
    store_->Change<District>(Table::kDistrict, KeyOfDistrict(1, 2).slice(),
                             [](District* row) { ++row->next_o_id; });
    store_->WriteRow(Table::kOrder, KeyOfOrder(1, 2, 3001).slice(),
                     Order{4, kNow, 0, 5, 0});
    store_->Write(Table::kOrderByCustomer,
                  KeyOfOrderByCustomer(1, 2, 4, 3001).slice(), "");
    store_->Write(Table::kNewOrder, KeyOfNewOrder(1, 2, 3001).slice(), "");
    for (uint8_t number = 1; number <= 5; ++number) {
      const uint32_t supplier = number == 5 ? 2 : 1;
      const uint32_t item = 10U + number;
      const Cents price =
          store_->Get<Item>(Table::kItem, KeyOfItem(item).slice()).price;
      store_->WriteRow(Table::kOrderLine,
                       KeyOfOrderLine(1, 2, 3001, number).slice(),
                       OrderLine{item, supplier, 0, 3, 3 * price, "dist"});
      ChangeStock(supplier, item, [supplier](Stock* row) {
        row->ytd += 3;
        ++row->order_cnt;
        row->remote_cnt += supplier - 1;
      });
    }
  }

  // All rows of a payment of 12.34 in district 3 of warehouse 2 by customer 4
  // of district 2 of warehouse 1.
  static void Pay() {
    store_->Change<Warehouse>(Table::kWarehouse, KeyOfWarehouse(2).slice(),
                              [](Warehouse* row) { row->ytd += 1234; });
    store_->Change<District>(Table::kDistrict, KeyOfDistrict(2, 3).slice(),
                             [](District* row) { row->ytd += 1234; });
    ChangeCustomer(4, [](Customer* row) {
      row->balance -= 1234;
      row->ytd_payment += 1234;
      ++row->payment_cnt;
    });
    store_->WriteRow(Table::kHistory, KeyOfHistory(1, 2, 4, 2).slice(),
                     History{2, 3, kNow, 1234, "data"});
  }

  // All rows of the delivery of order 2101 in district 2 of warehouse 1, except
  // its customer.
  static Cents TakeToCustomer() {
    store_->Erase(Table::kNewOrder, KeyOfNewOrder(1, 2, 2101).slice());
    Cents amount = 0;
    const uint8_t lines = OrderOf(2101).ol_cnt;
    ChangeOrder(2101, [](Order* row) { row->carrier_id = 7; });
    for (uint8_t number = 1; number <= lines; ++number) {
      ChangeLine(2101, number, [&amount](OrderLine* row) {
        row->delivery_d = kNow;
        amount += row->amount;
      });
    }
    return amount;
  }
  static void CreditCustomer(uint32_t c, Cents amount) {
    ChangeCustomer(c, [amount](Customer* row) {
      row->balance += amount;
      ++row->delivery_cnt;
    });
  }

  static constexpr Timestamp kNow = 1'700'000'000'000;
  inline static std::unique_ptr<RowStore> store_;
};

}  // namespace waltax::tpcc
