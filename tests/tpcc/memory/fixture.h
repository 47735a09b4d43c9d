// Two warehouses in memory, and what a test reads from them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/tpcc/memory/store.h"
#include "tests/tpcc/store_reading.h"
#include "tpcc/check/check.h"
#include "tpcc/keys.h"

namespace waltax::tpcc {

// Each test begins with the initial population.
class Memory : public ::testing::Test {
 protected:
  static constexpr uint32_t kWarehouses = 2;
  static constexpr uint8_t kD = 4;

  StoredRow<Warehouse> warehouse(uint32_t w) {
    return {store_, Table::kWarehouse, KeyOfWarehouse(w)};
  }
  StoredRow<District> district(uint32_t w, uint8_t d) {
    return {store_, Table::kDistrict, KeyOfDistrict(w, d)};
  }
  StoredRow<Customer> customer(uint32_t w, uint8_t d, uint32_t c) {
    return {store_, Table::kCustomer, KeyOfCustomer(w, d, c)};
  }
  StoredRow<Order> order(uint8_t d, uint32_t o) {
    return {store_, Table::kOrder, KeyOfOrder(1, d, o)};
  }
  StoredRow<OrderLine> line(uint8_t d, uint32_t o, uint8_t number) {
    return {store_, Table::kOrderLine, KeyOfOrderLine(1, d, o, number)};
  }
  StoredRow<Stock> stock(uint32_t w, uint32_t i) {
    return {store_, Table::kStock, KeyOfStock(w, i)};
  }
  StoredRow<Item> item(uint32_t i) {
    return {store_, Table::kItem, KeyOfItem(i)};
  }
  uint32_t Mark(uint8_t d) {
    const Rows rows = RowsOf(store_, Table::kNewOrder,
                             KeyOfOldestNewOrder(1, d).slice().ToStringView());
    uint32_t mark = 0;
    std::memcpy(&mark, rows.at(0).second.data(), sizeof(mark));
    return mark;
  }
  // Numbers of the customers of that name, in the order of their first names.
  std::vector<uint32_t> Namesakes(uint8_t d, std::string_view last) {
    std::vector<std::pair<std::string, uint32_t>> found;
    for (uint32_t c = 1; c <= kCustomersPerDistrict; ++c) {
      const auto row = customer(1, d, c);
      if (row->last == last) found.emplace_back(row->first, c);
    }
    std::sort(found.begin(), found.end());
    std::vector<uint32_t> numbers;
    for (const auto& [first, c] : found) numbers.push_back(c);
    return numbers;
  }
  static NewOrderInput OrderOf(uint32_t c, std::vector<NewOrderInput::Line> l) {
    NewOrderInput input;
    input.w_id = 1;
    input.d_id = kD;
    input.c_id = c;
    input.ol_cnt = static_cast<uint8_t>(l.size());
    std::copy(l.begin(), l.end(), input.lines.begin());
    return input;
  }
  // Of district kD of warehouse 1; must succeed.
  NewOrderOutput Buy(uint32_t c, std::vector<NewOrderInput::Line> lines) {
    NewOrderOutput output;
    EXPECT_EQ(session_->NewOrder(OrderOf(c, std::move(lines)), &output).error,
              nullptr);
    return output;
  }
  std::vector<std::string> Violations() {
    CheckResult result;
    const Status status = CheckConsistency(store_, kWarehouses, 2, {}, &result);
    EXPECT_TRUE(status.ok()) << status.message();
    return result.violations;
  }

  MemoryStore store_{{kWarehouses, 1, 1'700'000'000'000}, 2};
  std::unique_ptr<Session> session_ = store_.NewSession(0);
};

}  // namespace waltax::tpcc
