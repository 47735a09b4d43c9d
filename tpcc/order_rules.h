// What New-Order and Payment compute (clauses 2.4.2.2 and 2.5.2.2), wherever
// the rows lie.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "tpcc/schema.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

inline constexpr uint32_t kExaminedOrders = 20;  // clause 2.8.2.2
inline constexpr std::string_view kBadCredit = "BC";
inline constexpr size_t kMostCustomerData = 500;   // clause 2.5.2.2
inline constexpr size_t kShownCustomerData = 200;  // clause 2.5.3.4

// Sorts as the keys of stock do.
inline uint64_t StockId(const NewOrderInput::Line& line) {
  return uint64_t{line.supply_w_id} << 32 | line.i_id;
}

// What is ordered leaves the stock, which is filled up when less than 10 would
// remain.
inline int32_t QuantityAfter(int32_t quantity, uint8_t ordered) {
  quantity -= ordered;
  return quantity < 10 ? quantity + 91 : quantity;
}

// Whether I_DATA or S_DATA has the marker of clause 4.3.3.1.
inline bool IsOriginal(std::string_view data) {
  return data.find("ORIGINAL") != std::string_view::npos;
}

inline char BrandGeneric(bool item_is_original, bool stock_is_original) {
  return item_is_original && stock_is_original ? 'B' : 'G';
}

// sum(OL_AMOUNT) * (1 - C_DISCOUNT) * (1 + W_TAX + D_TAX).
inline Cents TotalAmount(Cents sum, const NewOrderOutput& output) {
  constexpr Cents kOne = 10'000;
  const Cents scaled =
      sum * (kOne - output.c_discount) * (kOne + output.w_tax + output.d_tax);
  return (scaled + kOne * kOne / 2) / (kOne * kOne);
}

inline bool IsLocal(const NewOrderInput& input) {
  return std::all_of(input.lines.begin(), input.lines.begin() + input.ol_cnt,
                     [&input](const NewOrderInput::Line& line) {
                       return line.supply_w_id == input.w_id;
                     });
}

// What a payment of bad credit puts to the left of C_DATA.
inline void WriteCreditNote(const PaymentInput& input, uint32_t c_id,
                            std::string* note) {
  note->clear();
  fmt::format_to(std::back_inserter(*note), "{} {} {} {} {} {} ", c_id,
                 input.customer.d_id, input.customer.w_id, input.d_id,
                 input.w_id, Money(input.amount));
}

}  // namespace waltax::tpcc
