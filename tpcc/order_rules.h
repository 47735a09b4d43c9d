// What New-Order and Payment compute (clauses 2.4.2.2 and 2.5.2.2), wherever
// the rows lie.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tpcc/schema.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

inline constexpr uint32_t kExaminedOrders = 20;  // clause 2.8.2.2
inline constexpr std::string_view kBadCredit = "BC";
inline constexpr size_t kMostCustomerData = 500;   // clause 2.5.2.2
inline constexpr size_t kShownCustomerData = 200;  // clause 2.5.3.4

// The lines of a New-Order: their items, the stock they take from, and what is
// shown of them. A store calls the methods in their order. Used by one thread.
class OrderEntry {
 public:
  void Begin(const NewOrderInput& input, NewOrderOutput* output) {
    input_ = &input;
    output_ = output;
    known_.fill(false);
    output->rolled_back = false;
    output->total_amount = 0;
    output->entry_d = Now();
  }
  // The item of this line is there.
  void TakeItem(size_t line, const Item& item) {
    known_[line] = true;
    original_[line] = IsOriginal(item.data);
    NewOrderOutput::Line& shown = output_->lines[line];
    shown.i_name = item.name;
    shown.i_price = item.price;
    shown.amount = input_->lines[line].quantity * item.price;
  }
  // No more items come. Those that did not are unused ones (clause 2.4.1.5).
  void CollectStock() {
    stocks_ = 0;
    for (size_t i = 0; i < input_->ol_cnt; ++i) {
      if (known_[i]) {
        stock_ids_[stocks_++] = IdOf(input_->lines[i]);
      } else {
        output_->rolled_back = true;
      }
    }
    auto* const begin = stock_ids_.begin();
    std::sort(begin, begin + stocks_);
    stocks_ = static_cast<size_t>(std::unique(begin, begin + stocks_) - begin);
  }

  [[nodiscard]] bool knows(size_t line) const { return known_[line]; }
  // The rows of stock that the order takes from, each once though lines may
  // share one, in the order of their keys: whoever locks them in it never waits
  // for another order that waits for him.
  [[nodiscard]] size_t stocks() const { return stocks_; }
  [[nodiscard]] uint32_t supplier(size_t stock) const {
    return static_cast<uint32_t>(stock_ids_[stock] >> 32);
  }
  [[nodiscard]] uint32_t item(size_t stock) const {
    return static_cast<uint32_t>(stock_ids_[stock]);
  }
  // Which of them a line takes from. REQUIRES: its item is known.
  [[nodiscard]] size_t StockOf(const NewOrderInput::Line& line) const {
    const auto* const begin = stock_ids_.begin();
    return static_cast<size_t>(
        std::lower_bound(begin, begin + stocks_, IdOf(line)) - begin);
  }
  // Takes what a line orders from its stock, which is filled up when less than
  // 10 would remain. A second line of the same item meets what the first one
  // left.
  void TakeFromStock(size_t line, Stock* stock) {
    const NewOrderInput::Line& ordered = input_->lines[line];
    stock->quantity -= ordered.quantity;
    if (stock->quantity < 10) stock->quantity += 91;
    stock->ytd += ordered.quantity;
    ++stock->order_cnt;
    if (ordered.supply_w_id != input_->w_id) ++stock->remote_cnt;
    NewOrderOutput::Line& shown = output_->lines[line];
    shown.s_quantity = stock->quantity;
    shown.brand_generic =
        original_[line] && IsOriginal(stock->data) ? 'B' : 'G';
  }
  // sum(OL_AMOUNT) * (1 - C_DISCOUNT) * (1 + W_TAX + D_TAX); nothing for an
  // order that rolls back.
  void ShowTotal() {
    if (output_->rolled_back) return;
    constexpr Cents kOne = 10'000;
    Cents sum = 0;
    for (size_t i = 0; i < input_->ol_cnt; ++i) sum += output_->lines[i].amount;
    const Cents scaled = sum * (kOne - output_->c_discount) *
                         (kOne + output_->w_tax + output_->d_tax);
    output_->total_amount = (scaled + kOne * kOne / 2) / (kOne * kOne);
  }
  [[nodiscard]] uint8_t all_local() const {
    const auto* const begin = input_->lines.begin();
    return std::all_of(begin, begin + input_->ol_cnt,
                       [this](const NewOrderInput::Line& line) {
                         return line.supply_w_id == input_->w_id;
                       })
               ? 1
               : 0;
  }

 private:
  // Sorts as the keys of stock do.
  static uint64_t IdOf(const NewOrderInput::Line& line) {
    return uint64_t{line.supply_w_id} << 32 | line.i_id;
  }
  // Whether I_DATA or S_DATA has the marker of clause 4.3.3.1.
  static bool IsOriginal(std::string_view data) {
    return data.find("ORIGINAL") != std::string_view::npos;
  }

  const NewOrderInput* input_ = nullptr;
  NewOrderOutput* output_ = nullptr;
  std::array<bool, kMaxOrderLines> known_{};
  std::array<bool, kMaxOrderLines> original_{};
  std::array<uint64_t, kMaxOrderLines> stock_ids_{};
  size_t stocks_ = 0;
};

// Of the customers with the wanted last name, ordered by first name, the one at
// position n/2, rounded up (clauses 2.5.2.2 and 2.6.2.2). REQUIRES: there is
// one.
inline uint32_t MiddleOf(const std::vector<uint32_t>& namesakes) {
  return namesakes[(namesakes.size() + 1) / 2 - 1];
}

// What a payment of bad credit puts to the left of C_DATA.
inline void WriteCreditNote(const PaymentInput& input, uint32_t c_id,
                            std::string* note) {
  note->clear();
  fmt::format_to(std::back_inserter(*note), "{} {} {} {} {} {} ", c_id,
                 input.customer.d_id, input.customer.w_id, input.d_id,
                 input.w_id, Money(input.amount));
}

// H_DATA.
inline void WriteHistoryData(std::string_view w_name, std::string_view d_name,
                             std::string* data) {
  data->assign(w_name).append(4, ' ').append(d_name);
}

// What is shown of a payment, of its customer's row after it.
inline void ShowPaid(uint32_t c_id, const Customer& customer,
                     PaymentOutput* output) {
  output->c_id = c_id;
  output->c_balance = customer.balance;
  output->c_credit_lim = customer.credit_lim;
  output->c_discount = customer.discount;
  output->c_credit = customer.credit;
  output->c_data.clear();
  if (customer.credit == kBadCredit) {
    output->c_data = customer.data.substr(0, kShownCustomerData);
  }
}

}  // namespace waltax::tpcc
