// A store that does nothing.
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
    return reply_;
  }
  Reply Payment(const PaymentInput&, PaymentOutput*) override { return reply_; }
  Reply OrderStatus(const OrderStatusInput&, OrderStatusOutput*) override {
    return reply_;
  }
  Reply Delivery(const DeliveryInput&, DeliveryOutput*) override {
    return reply_;
  }
  Reply StockLevel(const StockLevelInput&, StockLevelOutput*) override {
    return reply_;
  }

 private:
  Reply reply_;
};

class NullStore : public Store {
 public:
  std::unique_ptr<Session> NewSession(uint64_t) override {
    return std::make_unique<NullSession>();
  }
  Status Scan(Table, std::string_view, const table::Visit&) const override {
    return Status::Ok();
  }
  [[nodiscard]] std::string_view isolation() const override { return "none"; }
};

}  // namespace waltax::tpcc
