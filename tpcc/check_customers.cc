#include "tpcc/check_customers.h"

#include <fmt/format.h>

#include "tpcc/keys.h"
#include "tpcc/money.h"

namespace waltax::tpcc {

void CustomersCheck::Report(const char* condition, uint32_t c,
                            const std::string& sentence) {
  findings_.Violation(
      fmt::format("{}: warehouse {}: district {}: customer {}: "
                  "{}",
                  condition, w_, d_, c, sentence));
}

void CustomersCheck::AddCustomer(uint32_t c, const Customer& row) {
  Facts& customer = customers_[c - 1];
  customer.exists = true;
  customer.payment_cnt = row.payment_cnt;
  customer.delivery_cnt = row.delivery_cnt;
  customer.balance = row.balance;
  customer.ytd_payment = row.ytd_payment;
  AppendCustomerByName(w_, d_, row.last, row.first, c, &customer.name);
  deliveries_ += row.delivery_cnt;
}

void CustomersCheck::AddName(uint32_t c, std::string_view key) {
  Facts& customer = customers_[c - 1];
  if (customer.name == key) {
    customer.named = true;
    return;
  }
  Report("customer index", c,
         customer.exists ? "the index has a row of another name"
                         : "the index has a row, the table has none");
}

// The load's own deliveries are not counted (clause 4.3.3.1).
void CustomersCheck::AddOrder(uint32_t o, const Order& row) {
  if (row.c_id < 1 || row.c_id > kCustomersPerDistrict) return;
  if (o < kFirstUndelivered || row.carrier_id == 0) return;
  ++customers_[row.c_id - 1].deliveries;
}

void CustomersCheck::AddLine(uint32_t c, const OrderLine& row) {
  if (c < 1 || c > kCustomersPerDistrict || row.delivery_d == 0) return;
  customers_[c - 1].delivered += row.amount;
}

void CustomersCheck::AddPayment(uint32_t c, const History& row) {
  Facts& customer = customers_[c - 1];
  ++customer.payments;
  customer.paid += row.amount;
}

void CustomersCheck::Verify() {
  for (uint32_t c = 1; c <= kCustomersPerDistrict; ++c) {
    const Facts& customer = customers_[c - 1];
    if (customer.exists) {
      VerifyCustomer(c, customer);
    } else {
      Report("customer", c, "the row is missing");
    }
  }
}

void CustomersCheck::VerifyCustomer(uint32_t c, const Facts& customer) {
  if (customer.balance != customer.delivered - customer.paid) {
    Report("condition 10", c,
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

}  // namespace waltax::tpcc
