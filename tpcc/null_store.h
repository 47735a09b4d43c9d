// A store that does nothing: what a run costs without one.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tpcc/store.h"

namespace waltax::tpcc {

class NullSession : public Session {
 public:
  NullSession() = default;
  // What a session is that could not be opened: all that is asked of it fails
  // for that reason.
  explicit NullSession(std::string refused) : refused_(std::move(refused)) {
    reply_.fatal = true;
    reply_.error = &refused_;
  }
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
  std::string refused_;
  Reply reply_;
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
