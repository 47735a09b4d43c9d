// What the check verifies of one district: its orders and its customers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/findings.h"
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

  void AddOrder(uint32_t o, const Order& row);
  void AddIndexRow(uint32_t c, uint32_t o);
  void AddNewOrder(uint32_t o);
  void SetOldest(uint32_t o) { oldest_ = o; }
  // Returns who ordered it; 0 when there is no such order.
  uint32_t AddLine(uint32_t o, uint8_t number, const OrderLine& row);

  void Verify(uint32_t next_o_id);
  // Of a store that has low-water marks.
  void VerifyOldest(uint32_t next_o_id);

  // Who ordered it; 0 when there is no such order.
  uint32_t CustomerOf(uint32_t o);
  [[nodiscard]] uint64_t orders() const { return orders_.size(); }
  [[nodiscard]] uint64_t new_orders() const { return new_orders_; }

 private:
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

  Facts* Find(uint32_t o);
  void VerifyNumbers(uint32_t next_o_id);
  void VerifyOrder(const Facts& order);
  void VerifyColumns(const Facts& order);
  // "condition 2: warehouse 1: district 2: " and the sentence.
  void Report(const char* condition, const std::string& sentence);

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

  void AddCustomer(uint32_t c, const Customer& row);
  // A key of the index of names.
  void AddName(uint32_t c, std::string_view key);
  // An order of the district, of any customer.
  void AddOrder(uint32_t o, const Order& row);
  // A line of one of the customer's orders. Any number: what an order says.
  void AddLine(uint32_t c, const OrderLine& row);
  void AddPayment(uint32_t c, const History& row);

  void Verify();

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

  void VerifyCustomer(uint32_t c, const Facts& customer);
  // "condition 10: warehouse 1: district 2: customer 3: " and the sentence.
  void Report(const char* condition, uint32_t c, const std::string& sentence);

  uint32_t w_;
  uint8_t d_;
  Findings& findings_;
  std::vector<Facts> customers_;  // customer c at c - 1
  uint64_t deliveries_ = 0;
};

}  // namespace waltax::tpcc
