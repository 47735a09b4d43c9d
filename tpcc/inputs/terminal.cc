#include "tpcc/inputs/terminal.h"

#include "tpcc/draws.h"

namespace waltax::tpcc {

Home HomeOf(int terminal, int terminals, uint32_t warehouses) {
  const auto t = static_cast<uint64_t>(terminal);
  const auto of = static_cast<uint64_t>(terminals);
  const uint64_t place =
      of >= warehouses ? t % warehouses : t * warehouses / of;
  return {
      static_cast<uint32_t>(1 + place),
      static_cast<uint8_t>(1 + (t / warehouses + t % warehouses) % kDistricts)};
}

Terminal::Terminal(int number, const Home& home, uint32_t warehouses,
                   const NuRandConstants& constants, uint64_t seed)
    : home_(home),
      warehouses_(warehouses),
      constants_(constants),
      random_(seed, static_cast<uint64_t>(number)) {}

void Terminal::Draw(Inputs* inputs) {
  inputs->op = deck_.Deal(random_);
  switch (inputs->op) {
    case Op::kNewOrder:
      return DrawNewOrder(&inputs->new_order);
    case Op::kPayment:
      return DrawPayment(&inputs->payment);
    case Op::kOrderStatus:
      inputs->order_status.customer.w_id = home_.w_id;
      inputs->order_status.customer.d_id = DrawDistrict();
      return DrawCustomer(&inputs->order_status.customer);
    case Op::kDelivery:
      return DrawDelivery(&inputs->delivery);
    case Op::kStockLevel:
      return DrawStockLevel(&inputs->stock_level);
  }
}

// Clause 2.4.1.
void Terminal::DrawNewOrder(NewOrderInput* input) {
  input->w_id = home_.w_id;
  input->d_id = DrawDistrict();
  input->c_id = kCustomerField.Draw(random_, constants_.customer);
  input->ol_cnt =
      static_cast<uint8_t>(Uniform(random_, kMinOrderLines, kMaxOrderLines));
  const bool rolls_back = DrawPercent(1);
  for (size_t i = 0; i < input->ol_cnt; ++i) {
    NewOrderInput::Line& line = input->lines[i];
    line.i_id = kItemField.Draw(random_, constants_.item);
    line.supply_w_id = home_.w_id;
    if (warehouses_ > 1 && DrawPercent(1)) {
      line.supply_w_id = DrawOtherWarehouse();
    }
    line.quantity = static_cast<uint8_t>(Uniform(random_, 1, 10));
  }
  if (rolls_back) {
    NewOrderInput::Line& last = input->lines[input->ol_cnt - 1U];
    last.i_id = kUnusedItem;
    last.supply_w_id = home_.w_id;  // nobody supplies it
  }
}

// Clause 2.5.1.
void Terminal::DrawPayment(PaymentInput* input) {
  input->w_id = home_.w_id;
  input->d_id = DrawDistrict();
  input->customer.w_id = input->w_id;
  input->customer.d_id = input->d_id;
  if (warehouses_ > 1 && DrawPercent(15)) {
    input->customer.w_id = DrawOtherWarehouse();
    input->customer.d_id = DrawDistrict();
  }
  DrawCustomer(&input->customer);
  input->amount = Uniform(random_, 100, 500'000);
}

void Terminal::DrawDelivery(DeliveryInput* input) {
  input->w_id = home_.w_id;
  input->carrier_id = static_cast<uint8_t>(Uniform(random_, 1, 10));
}

void Terminal::DrawStockLevel(StockLevelInput* input) {
  input->w_id = home_.w_id;
  input->d_id = home_.stock_level_d_id;
  input->threshold = static_cast<int32_t>(Uniform(random_, 10, 20));
}

// Clauses 2.5.1.2 and 2.6.1.2.
void Terminal::DrawCustomer(CustomerChoice* customer) {
  if (DrawPercent(60)) {
    customer->c_id = 0;
    customer->last =
        LastName(kLastNameField.Draw(random_, constants_.last_name));
  } else {
    customer->c_id = kCustomerField.Draw(random_, constants_.customer);
    customer->last = {};
  }
}

uint32_t Terminal::DrawOtherWarehouse() {
  const uint32_t drawn = Uniform(random_, 1, warehouses_ - 1);
  return drawn < home_.w_id ? drawn : drawn + 1;
}

}  // namespace waltax::tpcc
