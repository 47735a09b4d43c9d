// What the check verifies of one district: its orders and its customers; and
// what it leaves to the sums over all of them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/findings.h"
#include "driver/table/reader.h"
#include "tpcc/check/check.h"
#include "tpcc/keys.h"
#include "tpcc/schema.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

// What no warehouse can settle alone: payments are filed under their customer,
// and lines under their order, who may be of another warehouse. So the atomic
// ones are complete only when all rows were read.
struct WarehouseSums {
  std::optional<Cents> ytd;
  std::array<std::optional<Cents>, kDistricts> district_ytd;
  std::array<std::atomic<Cents>, kDistricts> paid{};  // H_AMOUNT
  uint64_t stock_rows = 0;
  // What STOCK has more than the order lines that it supplied since the load:
  // the load's own are not counted (clause 4.3.3.1).
  std::atomic<int64_t> s_ytd = 0;
  std::atomic<int64_t> s_order_cnt = 0;
  std::atomic<int64_t> s_remote_cnt = 0;
};

struct NumberedOrder {
  AcknowledgedOrder order;
  uint64_t number = 0;  // of its acknowledgement, from 0
};

inline void ReportLost(const NumberedOrder& acknowledged,
                       const std::string& sentence, Findings* findings) {
  const AcknowledgedOrder& order = acknowledged.order;
  findings->Lost(
      acknowledged.number,
      fmt::format(
          "acknowledged: warehouse {}: district {}: order {} of customer {}: "
          "{}",
          order.w_id, order.d_id, order.o_id, order.c_id, sentence));
}

// What the checks of all warehouses share.
struct SharedFacts {
  const table::RowReader<Table>& reader;
  bool low_water_marks;
  Findings& findings;
  // By i - 1; empty where there is no such item.
  std::vector<std::optional<Cents>> prices;
  // By warehouse and district, in the order of the log.
  std::map<std::pair<uint32_t, uint8_t>, std::vector<NumberedOrder>>
      acknowledged;
  mutable std::vector<WarehouseSums> warehouses;  // w at w - 1
};

// Conditions 2 to 7 and 10 to 12, what the columns of orders, lines and
// customers say about each other, both indexes, and the low-water mark.
//
// Takes the rows of a district table by table, and compares them at the end.
// Not thread-safe. REQUIRES: customers come first, orders before what is of
// them; orders and lines come in the order of their keys.
class DistrictCheck {
 public:
  DistrictCheck(uint32_t w, uint8_t d, const SharedFacts& shared)
      : w_(w), d_(d), shared_(shared), customers_(kCustomersPerDistrict) {}

  void Take(std::string_view /*key*/, const District& row) {
    shared_.warehouses[w_ - 1].district_ytd[d_ - 1U] = row.ytd;
    next_o_id_ = row.next_o_id;
  }
  void Take(std::string_view key, const Customer& row) {
    const uint32_t c = NumberOf(key);
    CustomerFacts& customer = customers_[c - 1];
    customer.exists = true;
    customer.payment_cnt = row.payment_cnt;
    customer.delivery_cnt = row.delivery_cnt;
    customer.balance = row.balance;
    customer.ytd_payment = row.ytd_payment;
    AppendCustomerByName(w_, d_, row.last, row.first, c, &customer.name);
    delivery_cnt_ += row.delivery_cnt;
  }
  void Take(std::string_view key, const CustomerName& /*row*/) {
    const uint32_t c = CustomerOfName(key);
    CustomerFacts& customer = customers_[c - 1];
    if (customer.name == key) customer.named = true;
    Want(customer.name == key, "customer index",
         "customer {}: the index has a row{}", c,
         customer.exists ? " of another name" : ", the table has none");
  }
  void Take(std::string_view key, const History& row) {
    CustomerFacts& customer = customers_[NumberOf(key) - 1];
    ++customer.payments;
    customer.paid += row.amount;
    if (row.w_id >= 1 && row.w_id <= shared_.warehouses.size() &&
        row.d_id >= 1 && row.d_id <= kDistricts) {
      shared_.warehouses[row.w_id - 1].paid[row.d_id - 1U] += row.amount;
      return;
    }
    shared_.findings.Violation(fmt::format(
        "history: {}: it was paid in warehouse {}, district {}, which cannot "
        "be",
        PlaceOf(TableOf(Table::kHistory), key), row.w_id, row.d_id));
  }
  void Take(std::string_view key, const Order& row) {
    const uint32_t o = NumberOf(key);
    orders_.push_back({o, row});
    ordered_lines_ += row.ol_cnt;
    // The load's own deliveries are not counted (clause 4.3.3.1).
    CustomerFacts* customer = FindCustomer(row.c_id);
    if (customer != nullptr && o >= kFirstUndelivered && row.carrier_id != 0) {
      ++customer->deliveries;
    }
  }
  void Take(std::string_view key, const CustomerOrder& /*row*/) {
    const uint32_t c = NumberOf(key);
    const uint32_t o = NewestOrderOf(key);
    OrderFacts* order = FindOrder(o);
    Want(order != nullptr, "order index",
         "customer {}: order {}: there is no such order", c, o);
    if (order == nullptr) return;
    order->indexed = order->indexed || order->row.c_id == c;
    Want(order->row.c_id == c, "order index",
         "customer {}: order {}: O_C_ID is {}", c, o, order->row.c_id);
  }
  void Take(std::string_view key, const NewOrderRow& row) {
    const uint32_t o = NumberOf(key);
    const bool is_mark = o == 0 && shared_.low_water_marks;
    uint32_t oldest = 0;
    std::string_view rest = row.mark;
    if ((is_mark && !table::Take(&rest, &oldest)) || !rest.empty()) {
      return shared_.reader.ReportGarbled(Table::kNewOrder, key);
    }
    if (is_mark) {
      oldest_ = oldest;
      return;
    }
    if (new_orders_ == 0) first_new_order_ = o;
    last_new_order_ = o;
    ++new_orders_;
    OrderFacts* order = FindOrder(o);
    Want(order != nullptr, "condition 5",
         "order {}: a NEW-ORDER row without an order", o);
    if (order != nullptr) order->new_order = true;
  }
  void Take(std::string_view key, const OrderLine& row) {
    const uint32_t o = NumberOf(key);
    ++lines_;
    OrderFacts* order = FindOrder(o);
    Want(order != nullptr, "condition 6", "order {}: line {} without an order",
         o, LineOf(key));
    if (order != nullptr) TakeLineOf(order, LineOf(key), row);
    if (o > kOrdersPerDistrict) TakeNewLine(key, row);
  }

  // REQUIRES: all rows of the warehouse were taken.
  void Verify() {
    for (uint32_t c = 1; c <= kCustomersPerDistrict; ++c) {
      const CustomerFacts& customer = customers_[c - 1];
      Want(customer.exists, "customer", "customer {}: the row is missing", c);
      if (customer.exists) VerifyCustomer(c, customer);
    }
    if (next_o_id_) VerifyOrders(*next_o_id_);
    VerifyAcknowledged();
    constexpr uint64_t kDeliveredAtLoad = kFirstUndelivered - 1;
    Want(orders_.size() == new_orders_ + kDeliveredAtLoad + delivery_cnt_,
         "condition 11",
         "{} orders less {} NEW-ORDER rows, want {} and the {} of "
         "C_DELIVERY_CNT",
         orders_.size(), new_orders_, kDeliveredAtLoad, delivery_cnt_);
  }

 private:
  static constexpr uint8_t kCarriers = 10;

  struct OrderFacts {
    uint32_t o_id = 0;
    Order row;
    uint16_t lines = 0;
    uint8_t last_line = 0;  // OL_NUMBER
    bool indexed = false;
    bool new_order = false;
    bool remote = false;  // a line has another supplier
  };
  struct CustomerFacts {
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

  static const char* SetOrNull(bool set) { return set ? "set" : "NULL"; }
  // Unless it holds: "condition 2: warehouse 1: district 2: " and the sentence.
  template <typename... Args>
  void Want(bool holds, const char* condition,
            fmt::format_string<const Args&...> sentence,
            const Args&... args) const {
    if (holds) [[likely]]
      return;
    shared_.findings.Violation(fmt::format("{}: warehouse {}: district {}: {}",
                                           condition, w_, d_,
                                           fmt::format(sentence, args...)));
  }
  OrderFacts* FindOrder(uint32_t o) {
    const auto found =
        std::lower_bound(orders_.begin(), orders_.end(), o,
                         [](const OrderFacts& order, uint32_t wanted) {
                           return order.o_id < wanted;
                         });
    return found != orders_.end() && found->o_id == o ? &*found : nullptr;
  }
  // Of any number: what an order says.
  CustomerFacts* FindCustomer(uint32_t c) {
    return c < 1 || c > kCustomersPerDistrict ? nullptr : &customers_[c - 1];
  }
  void TakeLineOf(OrderFacts* order, uint8_t number, const OrderLine& row) {
    ++order->lines;
    order->remote = order->remote || row.supply_w_id != w_;
    Want(number == order->last_line + 1, "order line",
         "order {}: line {} comes after line {}", order->o_id, number,
         order->last_line);
    order->last_line = number;
    const bool delivered = row.delivery_d != 0;
    Want(delivered == (order->row.carrier_id != 0), "condition 7",
         "order {}: line {}: OL_DELIVERY_D is {}, O_CARRIER_ID is {}",
         order->o_id, number, SetOrNull(delivered),
         SetOrNull(order->row.carrier_id != 0));
    CustomerFacts* customer = FindCustomer(order->row.c_id);
    if (delivered && customer != nullptr) customer->delivered += row.amount;
  }
  // Clause 2.4.2.2, of an order that was added since the load, which draws its
  // amounts (clause 4.3.3.1). Items have the price that they had when they were
  // ordered: no transaction changes one.
  void TakeNewLine(std::string_view key, const OrderLine& row) {
    if (row.supply_w_id < 1 || row.supply_w_id > shared_.warehouses.size() ||
        row.i_id < 1 || row.i_id > kItems) {
      return shared_.findings.Violation(fmt::format(
          "order line: {}: there is no stock of item {} in warehouse {}",
          PlaceOf(TableOf(Table::kOrderLine), key), row.i_id, row.supply_w_id));
    }
    WarehouseSums& supplier = shared_.warehouses[row.supply_w_id - 1];
    supplier.s_ytd -= row.quantity;
    --supplier.s_order_cnt;
    supplier.s_remote_cnt -= row.supply_w_id == w_ ? 0 : 1;
    const std::optional<Cents>& price = shared_.prices[row.i_id - 1];
    if (!price || row.amount == row.quantity * *price) return;
    shared_.findings.Violation(
        fmt::format("order line: {}: OL_AMOUNT is {}, want {} times {}",
                    PlaceOf(TableOf(Table::kOrderLine), key), Money(row.amount),
                    row.quantity, Money(*price)));
  }
  void VerifyOrders(uint32_t next_o_id) {
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
    for (const OrderFacts& order : orders_) VerifyOrder(order);
    if (!shared_.low_water_marks) return;
    // The next New-Order must not fall below it, either.
    const uint32_t most = new_orders_ > 0 ? first_new_order_ : next_o_id;
    Want(oldest_.has_value(), "low-water mark", "the row is missing");
    Want(oldest_.value_or(0) <= most, "low-water mark",
         "it is {}, the oldest NEW-ORDER {}", oldest_.value_or(0), most);
  }
  void VerifyAcknowledged() {
    const auto here = shared_.acknowledged.find({w_, d_});
    if (here == shared_.acknowledged.end()) return;
    std::set<uint32_t> seen;
    for (const NumberedOrder& each : here->second) {
      const OrderFacts* order = FindOrder(each.order.o_id);
      if (order == nullptr) {
        ReportLost(each, "there is no such order", &shared_.findings);
      } else if (order->row.c_id != each.order.c_id) {
        ReportLost(each, fmt::format("O_C_ID is {}", order->row.c_id),
                   &shared_.findings);
      }
      if (!seen.insert(each.order.o_id).second) {
        ReportLost(each, "its number was given out twice", &shared_.findings);
      }
    }
  }
  // The ranges are those of clauses 2.7.1.2, 2.4.1.3 and 2.4.2.2; the load
  // draws from the same.
  void VerifyOrder(const OrderFacts& order) {
    Want(order.new_order == (order.row.carrier_id == 0), "condition 5",
         "order {}: O_CARRIER_ID is {}, NEW-ORDER has {} row", order.o_id,
         order.row.carrier_id == 0 ? "NULL"
                                   : fmt::format("{}", order.row.carrier_id),
         order.new_order ? "a" : "no");
    Want(order.row.ol_cnt == order.lines, "condition 6",
         "order {}: O_OL_CNT is {}, ORDER-LINE has {} rows", order.o_id,
         order.row.ol_cnt, order.lines);
    Want(order.indexed, "order index", "customer {}: order {}: no index row",
         order.row.c_id, order.o_id);
    Want(order.row.carrier_id <= kCarriers, "order",
         "order {}: O_CARRIER_ID is {}, want NULL or 1 to 10", order.o_id,
         order.row.carrier_id);
    Want(order.row.ol_cnt >= kMinOrderLines &&
             order.row.ol_cnt <= kMaxOrderLines,
         "order", "order {}: O_OL_CNT is {}, want 5 to 15", order.o_id,
         order.row.ol_cnt);
    Want(order.row.all_local == (order.remote ? 0 : 1), "order",
         "order {}: O_ALL_LOCAL is {}, want {} line has another supplier",
         order.o_id, order.row.all_local,
         order.remote ? "0, since a" : "1, since no");
  }
  void VerifyCustomer(uint32_t c, const CustomerFacts& customer) {
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

  uint32_t w_;
  uint8_t d_;
  const SharedFacts& shared_;
  std::optional<uint32_t> next_o_id_;
  std::vector<CustomerFacts> customers_;  // customer c at c - 1
  std::vector<OrderFacts> orders_;
  uint64_t delivery_cnt_ = 0;   // sum of C_DELIVERY_CNT
  uint64_t ordered_lines_ = 0;  // sum of O_OL_CNT
  uint64_t lines_ = 0;
  uint64_t new_orders_ = 0;
  uint32_t first_new_order_ = 0;
  uint32_t last_new_order_ = 0;
  std::optional<uint32_t> oldest_;
};

}  // namespace waltax::tpcc
