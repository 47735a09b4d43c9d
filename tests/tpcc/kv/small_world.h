// A small TPC-C database, and its rows.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>

#include "tests/tpcc/kv/fixture.h"
#include "tpcc/keys.h"
#include "tpcc/schema.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// A row that was read back, with the bytes of its text.
template <typename Row>
class ReadBack {
 public:
  ReadBack(const KvTables& tables, Table table, const rocksdb::Slice& key)
      : bytes_(std::make_unique<std::string>()) {
    const auto status = tables.db->Get(rocksdb::ReadOptions(), tables[table],
                                       key, bytes_.get());
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_TRUE(DecodeRow(*bytes_, &row_));
  }
  const Row* operator->() const { return &row_; }
  const Row& operator*() const { return row_; }

 private:
  std::unique_ptr<std::string> bytes_;
  Row row_;
};

// Two warehouses whose districts hold six customers and their six orders, of
// which the last two wait for delivery. Small, but in TPC-C's consistent state.
//   1 to 3 are namesakes: Carl, Anna and Bert;
//   4 and 5 are, too: Zoe and Yan;
//   6 is alone, and of bad credit.
class SmallWorld {
 public:
  static constexpr uint32_t kWarehouses = 2;
  static constexpr uint32_t kCustomers = 6;
  static constexpr uint32_t kFirstWaiting = 5;
  static constexpr uint32_t kLines = 5;
  static constexpr uint32_t kItemsSold = 40;
  static constexpr int32_t kStocked = 50;
  static constexpr Cents kPaidBefore = 1000;
  // OL_AMOUNT of each line of the orders that wait.
  static constexpr Cents kLineAmount = 111;
  static constexpr Cents kOrderAmount = kLines * kLineAmount;
  static constexpr Timestamp kLongAgo = 1'000'000;

  SmallWorld()
      : tables_(database_.tables()),
        store_(NewKvStore(database_.engine(), 100)) {
    for (uint32_t i = 1; i <= kItemsSold; ++i) AddItem(i);
    for (uint32_t w = 1; w <= kWarehouses; ++w) AddWarehouse(w);
  }

  const KvTables& tables() { return tables_; }
  Store& store() { return *store_; }
  std::unique_ptr<Session> NewSession() { return store_->NewSession(1); }

  template <typename Row>
  void Put(Table table, const rocksdb::Slice& key, const Row& row) {
    std::string bytes;
    EncodeRow(row, &bytes);
    PutBytes(table, key, bytes);
  }
  void PutBytes(Table table, const rocksdb::Slice& key,
                const rocksdb::Slice& value) {
    const auto status =
        tables_.db->Put(rocksdb::WriteOptions(), tables_[table], key, value);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  bool Has(Table table, const rocksdb::Slice& key) {
    std::string value;
    return tables_.db->Get(rocksdb::ReadOptions(), tables_[table], key, &value)
        .ok();
  }
  // Shows every row of a table, typed.
  template <typename Row>
  void ForEach(
      Table table,
      const std::function<void(const rocksdb::Slice&, const Row&)>& visit) {
    const std::unique_ptr<rocksdb::Iterator> rows(
        tables_.db->NewIterator(rocksdb::ReadOptions(), tables_[table]));
    for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
      Row row;
      EXPECT_TRUE(DecodeRow(rows->value().ToStringView(), &row));
      visit(rows->key(), row);
    }
  }
  uint64_t Count(Table table) {
    uint64_t count = 0;
    const std::unique_ptr<rocksdb::Iterator> rows(
        tables_.db->NewIterator(rocksdb::ReadOptions(), tables_[table]));
    for (rows->SeekToFirst(); rows->Valid(); rows->Next()) ++count;
    return count;
  }

  ReadBack<Warehouse> warehouse(uint32_t w) {
    return {tables_, Table::kWarehouse, KeyOfWarehouse(w).slice()};
  }
  ReadBack<District> district(uint32_t w, uint8_t d) {
    return {tables_, Table::kDistrict, KeyOfDistrict(w, d).slice()};
  }
  ReadBack<Customer> customer(uint32_t w, uint8_t d, uint32_t c) {
    return {tables_, Table::kCustomer, KeyOfCustomer(w, d, c).slice()};
  }
  ReadBack<Order> order(uint32_t w, uint8_t d, uint32_t o) {
    return {tables_, Table::kOrder, KeyOfOrder(w, d, o).slice()};
  }
  ReadBack<OrderLine> line(uint32_t w, uint8_t d, uint32_t o, uint8_t number) {
    return {tables_, Table::kOrderLine,
            KeyOfOrderLine(w, d, o, number).slice()};
  }
  ReadBack<Stock> stock(uint32_t w, uint32_t i) {
    return {tables_, Table::kStock, KeyOfStock(w, i).slice()};
  }
  ReadBack<Item> item(uint32_t i) {
    return {tables_, Table::kItem, KeyOfItem(i).slice()};
  }
  uint32_t mark(uint32_t w, uint8_t d) {
    std::string bytes;
    EXPECT_TRUE(tables_.db
                    ->Get(rocksdb::ReadOptions(), tables_[Table::kNewOrder],
                          KeyOfOldestNewOrder(w, d).slice(), &bytes)
                    .ok());
    uint32_t mark = 0;
    EXPECT_EQ(bytes.size(), sizeof(mark));
    std::memcpy(&mark, bytes.data(), sizeof(mark));
    return mark;
  }

 private:
  void AddItem(uint32_t i) {
    Put(Table::kItem, KeyOfItem(i).slice(),
        Item{.im_id = i,
             .price = i * 10,
             .name = "thing",
             .data = i % 2 == 0 ? "anORIGINALthing" : "an ordinary thing"});
  }
  void AddWarehouse(uint32_t w) {
    const Cents paid = kPaidBefore * kCustomers;
    Put(Table::kWarehouse, KeyOfWarehouse(w).slice(),
        Warehouse{.tax = 1000,
                  .ytd = paid * kDistricts,
                  .name = "North",
                  .address = {"1 Road", "", "Town", "AB", "123411111"}});
    for (uint32_t i = 1; i <= kItemsSold; ++i) AddStock(w, i);
    for (uint8_t d = 1; d <= kDistricts; ++d) AddDistrict(w, d, paid);
  }
  void AddStock(uint32_t w, uint32_t i) {
    std::string dists;
    for (uint32_t d = 1; d <= kDistricts; ++d) {
      dists.append(Stock::kDistBytes, static_cast<char>('a' + d - 1));
    }
    Put(Table::kStock, KeyOfStock(w, i).slice(),
        Stock{.quantity = kStocked,
              .dists = dists,
              .data = i % 4 == 0 ? "ORIGINAL" : "ordinary"});
  }
  void AddDistrict(uint32_t w, uint8_t d, Cents paid) {
    Put(Table::kDistrict, KeyOfDistrict(w, d).slice(),
        District{.next_o_id = kCustomers + 1,
                 .tax = 500,
                 .ytd = paid,
                 .name = "Upper",
                 .address = {"2 Road", "", "Town", "AB", "123411111"}});
    const uint32_t mark = kFirstWaiting;
    PutBytes(Table::kNewOrder, KeyOfOldestNewOrder(w, d).slice(),
             {reinterpret_cast<const char*>(&mark), sizeof(mark)});
    for (uint32_t c = 1; c <= kCustomers; ++c) {
      AddCustomer(w, d, c);
      AddOrder(w, d, c, c);
    }
  }
  void AddCustomer(uint32_t w, uint8_t d, uint32_t c) {
    const char* const firsts[] = {"Carl", "Anna", "Bert", "Zoe", "Yan", "Max"};
    const char* const lasts[] = {"BARBARBAR",       "BARBARBAR",
                                 "BARBARBAR",       "OUGHTOUGHTOUGHT",
                                 "OUGHTOUGHTOUGHT", "ABLEABLEABLE"};
    const std::string_view first = firsts[c - 1];
    const std::string_view last = lasts[c - 1];
    Put(Table::kCustomer, KeyOfCustomer(w, d, c).slice(),
        Customer{.balance = -kPaidBefore,
                 .ytd_payment = kPaidBefore,
                 .payment_cnt = 1,
                 .delivery_cnt = 0,
                 .credit_lim = 5'000'000,
                 .discount = 2000,
                 .since = kLongAgo,
                 .first = first,
                 .middle = "OE",
                 .last = last,
                 .phone = "0123456789012345",
                 .credit = c == 6 ? "BC" : "GC",
                 .address = {"3 Road", "", "Town", "AB", "123411111"},
                 .data = "first data"});
    std::string name;
    AppendCustomerByName(w, d, last, first, c, &name);
    PutBytes(Table::kCustomerByName, name, "");
    Put(Table::kHistory, KeyOfHistory(w, d, c, 1).slice(),
        History{.w_id = w,
                .d_id = d,
                .date = kLongAgo,
                .amount = kPaidBefore,
                .data = "loaded"});
  }
  void AddOrder(uint32_t w, uint8_t d, uint32_t o, uint32_t c) {
    const bool waits = o >= kFirstWaiting;
    Put(Table::kOrder, KeyOfOrder(w, d, o).slice(),
        Order{.c_id = c,
              .entry_d = kLongAgo,
              .carrier_id = waits ? uint8_t{0} : uint8_t{1},
              .ol_cnt = kLines,
              .all_local = 1});
    PutBytes(Table::kOrderByCustomer, KeyOfOrderByCustomer(w, d, c, o).slice(),
             "");
    if (waits) {
      PutBytes(Table::kNewOrder, KeyOfNewOrder(w, d, o).slice(), "");
    }
    for (uint8_t number = 1; number <= kLines; ++number) {
      Put(Table::kOrderLine, KeyOfOrderLine(w, d, o, number).slice(),
          OrderLine{.i_id = number,
                    .supply_w_id = w,
                    .delivery_d = waits ? 0 : kLongAgo,
                    .quantity = 5,
                    .amount = waits ? kLineAmount : 0,
                    .dist_info = "abcdefghijklmnopqrstuvwx"});
    }
  }

  TemporaryDatabase database_;
  KvTables tables_;
  std::unique_ptr<Store> store_;
};

// An order of the items, three of each, from the home warehouse.
inline NewOrderInput OrderOf(uint32_t w, uint8_t d, uint32_t c,
                             std::initializer_list<uint32_t> items) {
  NewOrderInput input;
  input.w_id = w;
  input.d_id = d;
  input.c_id = c;
  for (const uint32_t i_id : items) {
    input.lines[input.ol_cnt++] = {
        .i_id = i_id, .supply_w_id = w, .quantity = 3};
  }
  return input;
}

inline PaymentInput PaymentOf(uint32_t w, uint8_t d, uint32_t c, Cents amount) {
  return {.w_id = w,
          .d_id = d,
          .customer = {.w_id = w, .d_id = d, .c_id = c, .last = {}},
          .amount = amount};
}

inline OrderStatusInput StatusOf(uint32_t w, uint8_t d, uint32_t c) {
  return {.customer = {.w_id = w, .d_id = d, .c_id = c, .last = {}}};
}

// Gives the reason in the test's output when a transaction was given up.
inline testing::AssertionResult Done(const Reply& reply) {
  if (reply.error == nullptr) return testing::AssertionSuccess();
  return testing::AssertionFailure() << *reply.error;
}

}  // namespace waltax::tpcc
