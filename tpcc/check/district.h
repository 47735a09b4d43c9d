// What the check verifies of one district: its orders and its customers.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/findings.h"
#include "tpcc/keys.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

// The orders of one district for the check: conditions 2 to 7, what the columns
// of an order say about it and its lines, the index of orders, and the
// low-water mark.
//
// Takes the rows of a district table by table, and compares them at the end.
// Not thread-safe. REQUIRES: orders come first; orders and lines come in the
// order of their keys.
class OrdersCheck {
 public:
  OrdersCheck(uint32_t w, uint8_t d, Findings* findings)
      : w_(w), d_(d), findings_(*findings) {}

  void AddOrder(uint32_t o, const Order& row) {
    Facts order;
    order.o_id = o;
    order.c_id = row.c_id;
    order.ol_cnt = row.ol_cnt;
    order.carrier_id = row.carrier_id;
    order.all_local = row.all_local;
    orders_.push_back(order);
    ordered_lines_ += row.ol_cnt;
  }
  void AddIndexRow(uint32_t c, uint32_t o) {
    Facts* order = Find(o);
    if (order != nullptr && order->c_id == c) {
      order->indexed = true;
      return;
    }
    Report("order index",
           fmt::format("customer {}: order {}: {}", c, o,
                       order == nullptr
                           ? "there is no such order"
                           : fmt::format("O_C_ID is {}", order->c_id)));
  }
  void AddNewOrder(uint32_t o) {
    if (new_orders_ == 0) first_new_order_ = o;
    last_new_order_ = o;
    ++new_orders_;
    Facts* order = Find(o);
    if (order != nullptr) {
      order->new_order = true;
    } else {
      Report("condition 5",
             fmt::format("order {}: a NEW-ORDER row without an order", o));
    }
  }
  void SetOldest(uint32_t o) { oldest_ = o; }
  // Returns who ordered it; 0 when there is no such order.
  uint32_t AddLine(uint32_t o, uint8_t number, const OrderLine& row) {
    ++lines_;
    Facts* order = Find(o);
    if (order == nullptr) {
      Report("condition 6",
             fmt::format("order {}: line {} without an order", o, number));
      return 0;
    }
    ++order->lines;
    order->remote = order->remote || row.supply_w_id != w_;
    if (number != order->last_line + 1) {
      Report("order line", fmt::format("order {}: line {} comes after line {}",
                                       o, number, order->last_line));
    }
    order->last_line = number;
    const bool delivered = row.delivery_d != 0;
    if (delivered == (order->carrier_id != 0)) return order->c_id;
    Report(
        "condition 7",
        fmt::format("order {}: line {}: OL_DELIVERY_D is {}, O_CARRIER_ID is "
                    "{}",
                    o, number, delivered ? "set" : "NULL",
                    Carrier(order->carrier_id)));
    return order->c_id;
  }

  void Verify(uint32_t next_o_id) {
    VerifyNumbers(next_o_id);
    if (ordered_lines_ != lines_) {
      Report("condition 4",
             fmt::format("the sum of O_OL_CNT is {}, ORDER-LINE has {} rows",
                         ordered_lines_, lines_));
    }
    for (const Facts& order : orders_) {
      VerifyOrder(order);
      VerifyColumns(order);
    }
  }
  // Of a store that has low-water marks.
  void VerifyOldest(uint32_t next_o_id) {
    if (!oldest_) {
      Report("low-water mark", "the row is missing");
      return;
    }
    // The next New-Order must not fall below it, either.
    const uint32_t most = new_orders_ > 0 ? first_new_order_ : next_o_id;
    if (*oldest_ > most) {
      Report("low-water mark",
             fmt::format("it is {}, the oldest NEW-ORDER {}", *oldest_, most));
    }
  }

  // Who ordered it; 0 when there is no such order.
  uint32_t CustomerOf(uint32_t o) {
    const Facts* order = Find(o);
    return order == nullptr ? 0 : order->c_id;
  }
  [[nodiscard]] uint64_t orders() const { return orders_.size(); }
  [[nodiscard]] uint64_t new_orders() const { return new_orders_; }

 private:
  static constexpr uint8_t kCarriers = 10;

  static std::string Carrier(uint8_t carrier_id) {
    return carrier_id == 0 ? "NULL" : fmt::format("{}", carrier_id);
  }
  struct Facts {
    uint32_t o_id = 0;
    uint32_t c_id = 0;
    uint16_t lines = 0;
    uint8_t ol_cnt = 0;
    uint8_t carrier_id = 0;
    uint8_t all_local = 0;
    uint8_t last_line = 0;  // OL_NUMBER
    bool indexed : 1 = false;
    bool new_order : 1 = false;
    bool remote : 1 = false;  // a line has another supplier
  };

  OrdersCheck::Facts* Find(uint32_t o) {
    const auto found =
        std::lower_bound(orders_.begin(), orders_.end(), o,
                         [](const Facts& order, uint32_t wanted) {
                           return order.o_id < wanted;
                         });
    return found != orders_.end() && found->o_id == o ? &*found : nullptr;
  }
  void VerifyNumbers(uint32_t next_o_id) {
    const uint32_t last = orders_.empty() ? 0 : orders_.back().o_id;
    if (next_o_id != last + 1) {
      Report("condition 2",
             fmt::format("D_NEXT_O_ID is {}, the largest O_ID {}", next_o_id,
                         last));
    }
    if (new_orders_ == 0) return;
    if (next_o_id != last_new_order_ + 1) {
      Report("condition 2",
             fmt::format("D_NEXT_O_ID is {}, the largest NO_O_ID {}", next_o_id,
                         last_new_order_));
    }
    const uint64_t span = uint64_t{last_new_order_} - first_new_order_ + 1;
    if (span != new_orders_) {
      Report("condition 3",
             fmt::format("NO_O_ID is from {} to {}, NEW-ORDER has {} rows",
                         first_new_order_, last_new_order_, new_orders_));
    }
  }
  void VerifyOrder(const Facts& order) {
    if (order.new_order != (order.carrier_id == 0)) {
      Report("condition 5",
             fmt::format("order {}: O_CARRIER_ID is {}, NEW-ORDER has {} row",
                         order.o_id, Carrier(order.carrier_id),
                         order.new_order ? "a" : "no"));
    }
    if (order.ol_cnt != order.lines) {
      Report("condition 6",
             fmt::format("order {}: O_OL_CNT is {}, ORDER-LINE has {} rows",
                         order.o_id, order.ol_cnt, order.lines));
    }
    if (!order.indexed) {
      Report("order index", fmt::format("customer {}: order {}: no index row",
                                        order.c_id, order.o_id));
    }
  }
  // Clauses 2.7.1.2, 2.4.1.3 and 2.4.2.2; the load draws from the same ranges.
  void VerifyColumns(const Facts& order) {
    const auto report = [&](const char* column, uint8_t is, const char* want) {
      Report("order", fmt::format("order {}: {} is {}, want {}", order.o_id,
                                  column, is, want));
    };
    if (order.carrier_id > kCarriers) {
      report("O_CARRIER_ID", order.carrier_id, "NULL or 1 to 10");
    }
    if (order.ol_cnt < kMinOrderLines || order.ol_cnt > kMaxOrderLines) {
      report("O_OL_CNT", order.ol_cnt, "5 to 15");
    }
    if (order.all_local != (order.remote ? 0 : 1)) {
      report("O_ALL_LOCAL", order.all_local,
             order.remote ? "0, since a line has another supplier"
                          : "1, since no line has another supplier");
    }
  }
  // "condition 2: warehouse 1: district 2: " and the sentence.
  void Report(const char* condition, const std::string& sentence) {
    findings_.Violation(fmt::format("{}: warehouse {}: district {}: {}",
                                    condition, w_, d_, sentence));
  }

  uint32_t w_;
  uint8_t d_;
  Findings& findings_;
  std::vector<Facts> orders_;
  uint64_t ordered_lines_ = 0;  // sum of O_OL_CNT
  uint64_t lines_ = 0;
  uint64_t new_orders_ = 0;
  uint32_t first_new_order_ = 0;
  uint32_t last_new_order_ = 0;
  std::optional<uint32_t> oldest_;
};

// The customers of one district for the check: conditions 10 and 12, the counts
// of payments and deliveries, and the index of names.
//
// Takes the rows of a district table by table, and compares them at the end.
// Not thread-safe. REQUIRES: customers come first; numbers of customers are
// from 1 to kCustomersPerDistrict where nothing else is said.
class CustomersCheck {
 public:
  CustomersCheck(uint32_t w, uint8_t d, Findings* findings)
      : w_(w), d_(d), findings_(*findings), customers_(kCustomersPerDistrict) {}

  void AddCustomer(uint32_t c, const Customer& row) {
    Facts& customer = customers_[c - 1];
    customer.exists = true;
    customer.payment_cnt = row.payment_cnt;
    customer.delivery_cnt = row.delivery_cnt;
    customer.balance = row.balance;
    customer.ytd_payment = row.ytd_payment;
    AppendCustomerByName(w_, d_, row.last, row.first, c, &customer.name);
    deliveries_ += row.delivery_cnt;
  }
  // A key of the index of names.
  void AddName(uint32_t c, std::string_view key) {
    Facts& customer = customers_[c - 1];
    if (customer.name == key) {
      customer.named = true;
      return;
    }
    Report("customer index", c,
           customer.exists ? "the index has a row of another name"
                           : "the index has a row, the table has none");
  }
  // An order of the district, of any customer.
  // The load's own deliveries are not counted (clause 4.3.3.1).
  void AddOrder(uint32_t o, const Order& row) {
    if (row.c_id < 1 || row.c_id > kCustomersPerDistrict) return;
    if (o < kFirstUndelivered || row.carrier_id == 0) return;
    ++customers_[row.c_id - 1].deliveries;
  }
  // A line of one of the customer's orders. Any number: what an order says.
  void AddLine(uint32_t c, const OrderLine& row) {
    if (c < 1 || c > kCustomersPerDistrict || row.delivery_d == 0) return;
    customers_[c - 1].delivered += row.amount;
  }
  void AddPayment(uint32_t c, const History& row) {
    Facts& customer = customers_[c - 1];
    ++customer.payments;
    customer.paid += row.amount;
  }

  void Verify() {
    for (uint32_t c = 1; c <= kCustomersPerDistrict; ++c) {
      const Facts& customer = customers_[c - 1];
      if (customer.exists) {
        VerifyCustomer(c, customer);
      } else {
        Report("customer", c, "the row is missing");
      }
    }
  }

  // Sum of C_DELIVERY_CNT.
  [[nodiscard]] uint64_t deliveries() const { return deliveries_; }

 private:
  struct Facts {
    bool exists = false;
    bool named = false;
    uint32_t payment_cnt = 0;
    uint32_t delivery_cnt = 0;
    uint32_t deliveries = 0;  // orders that were delivered since the load
    uint32_t payments = 0;    // HISTORY rows
    Cents balance = 0;
    Cents ytd_payment = 0;
    Cents paid = 0;       // sum of H_AMOUNT
    Cents delivered = 0;  // sum of OL_AMOUNT of delivered lines
    std::string name;     // the key that the index must have
  };

  void VerifyCustomer(uint32_t c, const Facts& customer) {
    if (customer.balance != customer.delivered - customer.paid) {
      Report(
          "condition 10", c,
          fmt::format("C_BALANCE is {}, the delivered lines less the payments "
                      "are {} - {}",
                      Money(customer.balance), Money(customer.delivered),
                      Money(customer.paid)));
    }
    if (customer.balance + customer.ytd_payment != customer.delivered) {
      Report("condition 12", c,
             fmt::format("C_BALANCE + C_YTD_PAYMENT is {}, the delivered lines "
                         "are {}",
                         Money(customer.balance + customer.ytd_payment),
                         Money(customer.delivered)));
    }
    if (customer.payment_cnt != customer.payments) {
      Report("payment count", c,
             fmt::format("C_PAYMENT_CNT is {}, HISTORY has {} rows",
                         customer.payment_cnt, customer.payments));
    }
    if (customer.delivery_cnt != customer.deliveries) {
      Report("delivery count", c,
             fmt::format("C_DELIVERY_CNT is {}, {} orders were delivered since "
                         "the load",
                         customer.delivery_cnt, customer.deliveries));
    }
    if (!customer.named) {
      Report("customer index", c, "the table has a row, the index has none");
    }
  }
  // "condition 10: warehouse 1: district 2: customer 3: " and the sentence.
  void Report(const char* condition, uint32_t c, const std::string& sentence) {
    findings_.Violation(
        fmt::format("{}: warehouse {}: district {}: customer {}: "
                    "{}",
                    condition, w_, d_, c, sentence));
  }

  uint32_t w_;
  uint8_t d_;
  Findings& findings_;
  std::vector<Facts> customers_;  // customer c at c - 1
  uint64_t deliveries_ = 0;
};

}  // namespace waltax::tpcc
