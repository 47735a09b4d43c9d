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

// Tells the findings what is wrong in a district.
class DistrictFaults {
 public:
  DistrictFaults(uint32_t w, uint8_t d, Findings* findings)
      : w_(w), d_(d), findings_(*findings) {}

 protected:
  // Unless it holds: "condition 2: warehouse 1: district 2: " and the sentence.
  template <typename... Args>
  void Want(bool holds, const char* condition,
            fmt::format_string<const Args&...> sentence,
            const Args&... args) const {
    if (holds) [[likely]]
      return;
    findings_.Violation(fmt::format("{}: warehouse {}: district {}: {}",
                                    condition, w_, d_,
                                    fmt::format(sentence, args...)));
  }

  uint32_t w_;
  uint8_t d_;

 private:
  Findings& findings_;
};

// The orders of one district for the check: conditions 2 to 7, what the columns
// of an order say about it and its lines, the index of orders, and the
// low-water mark.
//
// Takes the rows of a district table by table, and compares them at the end.
// Not thread-safe. REQUIRES: orders come first; orders and lines come in the
// order of their keys.
class OrdersCheck : DistrictFaults {
 public:
  using DistrictFaults::DistrictFaults;

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
    const uint32_t of = order == nullptr ? 0 : order->c_id;
    Want(order != nullptr, "order index",
         "customer {}: order {}: there is no such order", c, o);
    Want(order == nullptr || of == c, "order index",
         "customer {}: order {}: O_C_ID is {}", c, o, of);
    if (of == c && order != nullptr) order->indexed = true;
  }
  void AddNewOrder(uint32_t o) {
    if (new_orders_ == 0) first_new_order_ = o;
    last_new_order_ = o;
    ++new_orders_;
    Facts* order = Find(o);
    Want(order != nullptr, "condition 5",
         "order {}: a NEW-ORDER row without an order", o);
    if (order != nullptr) order->new_order = true;
  }
  void SetOldest(uint32_t o) { oldest_ = o; }
  // Returns who ordered it; 0 when there is no such order.
  uint32_t AddLine(uint32_t o, uint8_t number, const OrderLine& row) {
    ++lines_;
    Facts* order = Find(o);
    Want(order != nullptr, "condition 6", "order {}: line {} without an order",
         o, number);
    if (order == nullptr) return 0;
    ++order->lines;
    order->remote = order->remote || row.supply_w_id != w_;
    Want(number == order->last_line + 1, "order line",
         "order {}: line {} comes after line {}", o, number, order->last_line);
    order->last_line = number;
    const bool delivered = row.delivery_d != 0;
    Want(delivered == (order->carrier_id != 0), "condition 7",
         "order {}: line {}: OL_DELIVERY_D is {}, O_CARRIER_ID is {}", o,
         number, SetOrNull(delivered), SetOrNull(order->carrier_id != 0));
    return order->c_id;
  }

  void Verify(uint32_t next_o_id) {
    const uint32_t last = orders_.empty() ? 0 : orders_.back().o_id;
    Want(next_o_id == last + 1, "condition 2",
         "D_NEXT_O_ID is {}, the largest O_ID {}", next_o_id, last);
    Want(new_orders_ == 0 || next_o_id == last_new_order_ + 1, "condition 2",
         "D_NEXT_O_ID is {}, the largest NO_O_ID {}", next_o_id,
         last_new_order_);
    Want(new_orders_ == 0 ||
             uint64_t{last_new_order_} - first_new_order_ + 1 == new_orders_,
         "condition 3", "NO_O_ID is from {} to {}, NEW-ORDER has {} rows",
         first_new_order_, last_new_order_, new_orders_);
    Want(ordered_lines_ == lines_, "condition 4",
         "the sum of O_OL_CNT is {}, ORDER-LINE has {} rows", ordered_lines_,
         lines_);
    for (const Facts& order : orders_) VerifyOrder(order);
  }
  // Of a store that has low-water marks.
  void VerifyOldest(uint32_t next_o_id) {
    // The next New-Order must not fall below it, either.
    const uint32_t most = new_orders_ > 0 ? first_new_order_ : next_o_id;
    Want(oldest_.has_value(), "low-water mark", "the row is missing");
    Want(oldest_.value_or(0) <= most, "low-water mark",
         "it is {}, the oldest NEW-ORDER {}", oldest_.value_or(0), most);
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

  static const char* SetOrNull(bool set) { return set ? "set" : "NULL"; }

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
  // The ranges are those of clauses 2.7.1.2, 2.4.1.3 and 2.4.2.2; the load
  // draws from the same.
  void VerifyOrder(const Facts& order) {
    Want(order.new_order == (order.carrier_id == 0), "condition 5",
         "order {}: O_CARRIER_ID is {}, NEW-ORDER has {} row", order.o_id,
         order.carrier_id == 0 ? "NULL" : fmt::format("{}", order.carrier_id),
         order.new_order ? "a" : "no");
    Want(order.ol_cnt == order.lines, "condition 6",
         "order {}: O_OL_CNT is {}, ORDER-LINE has {} rows", order.o_id,
         order.ol_cnt, order.lines);
    Want(order.indexed, "order index", "customer {}: order {}: no index row",
         order.c_id, order.o_id);
    Want(order.carrier_id <= kCarriers, "order",
         "order {}: O_CARRIER_ID is {}, want NULL or 1 to 10", order.o_id,
         order.carrier_id);
    Want(order.ol_cnt >= kMinOrderLines && order.ol_cnt <= kMaxOrderLines,
         "order", "order {}: O_OL_CNT is {}, want 5 to 15", order.o_id,
         order.ol_cnt);
    Want(order.all_local == (order.remote ? 0 : 1), "order",
         "order {}: O_ALL_LOCAL is {}, want {} line has another supplier",
         order.o_id, order.all_local,
         order.remote ? "0, since a" : "1, since no");
  }

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
class CustomersCheck : DistrictFaults {
 public:
  CustomersCheck(uint32_t w, uint8_t d, Findings* findings)
      : DistrictFaults(w, d, findings), customers_(kCustomersPerDistrict) {}

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
    if (customer.name == key) customer.named = true;
    Want(customer.name == key, "customer index",
         "customer {}: the index has a row{}", c,
         customer.exists ? " of another name" : ", the table has none");
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
      Want(customer.exists, "customer", "customer {}: the row is missing", c);
      if (customer.exists) VerifyCustomer(c, customer);
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
    Want(customer.balance == customer.delivered - customer.paid, "condition 10",
         "customer {}: C_BALANCE is {}, the delivered lines less the payments "
         "are {} - {}",
         c, Money(customer.balance), Money(customer.delivered),
         Money(customer.paid));
    const Cents all = customer.balance + customer.ytd_payment;
    Want(all == customer.delivered, "condition 12",
         "customer {}: C_BALANCE + C_YTD_PAYMENT is {}, the delivered lines "
         "are {}",
         c, Money(all), Money(customer.delivered));
    Want(customer.payment_cnt == customer.payments, "payment count",
         "customer {}: C_PAYMENT_CNT is {}, HISTORY has {} rows", c,
         customer.payment_cnt, customer.payments);
    Want(customer.delivery_cnt == customer.deliveries, "delivery count",
         "customer {}: C_DELIVERY_CNT is {}, {} orders were delivered since "
         "the load",
         c, customer.delivery_cnt, customer.deliveries);
    Want(customer.named, "customer index",
         "customer {}: the table has a row, the index has none", c);
  }

  std::vector<Facts> customers_;  // customer c at c - 1
  uint64_t deliveries_ = 0;
};

}  // namespace waltax::tpcc
