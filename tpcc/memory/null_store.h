// A store that does nothing: what a run costs without one.
#pragma once

#include <memory>
#include <string_view>

#include "tpcc/store.h"

namespace waltax::tpcc {

class NullSession : public Session {
 public:
  // Says that an unused item was not found, so that rollbacks are counted.
  Reply NewOrder(const NewOrderInput& input, NewOrderOutput* output) override {
    output->rolled_back = input.lines[input.ol_cnt - 1U].i_id == kUnusedItem;
    return {};
  }
  Reply Payment(const PaymentInput&, PaymentOutput*) override { return {}; }
  Reply OrderStatus(const OrderStatusInput&, OrderStatusOutput*) override {
    return {};
  }
  Reply Delivery(const DeliveryInput&, DeliveryOutput*) override { return {}; }
  Reply StockLevel(const StockLevelInput&, StockLevelOutput*) override {
    return {};
  }
};

class NullStore : public Store {
 public:
  std::unique_ptr<Session> NewSession(uint64_t) override {
    return std::make_unique<NullSession>();
  }
  Status Scan(Table, std::string_view, RowVisitor*) const override {
    return Status::Ok();
  }
  [[nodiscard]] std::string_view isolation() const override { return "none"; }
};

}  // namespace waltax::tpcc
