// The customers of one district for the check: conditions 10 and 12, the counts
// of payments and deliveries, and the index of names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/findings.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

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
