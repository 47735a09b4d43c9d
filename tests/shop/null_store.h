// A store that does nothing.
#pragma once

#include <memory>

#include "shop/store.h"

namespace waltax::shop {

class NullSession : public Session {
 public:
  Reply CustomerOrders(uint64_t /*customer_id*/) override { return Found(1); }
  Reply NewOrder(const Order& /*order*/,
                 const std::array<uint64_t, kLookedAt>& /*ids*/) override {
    return Found(1 + kLookedAt);
  }
  Reply SetQuantity(uint64_t /*product_id*/, int32_t /*quantity*/) override {
    return Found(1);
  }

 private:
  Reply Found(uint32_t rows) {
    reply_.found = rows;
    return reply_;
  }
  Reply reply_;
};

class NullStore : public Store {
 public:
  std::unique_ptr<Session> NewSession(uint64_t /*seed*/) override {
    return std::make_unique<NullSession>();
  }
  Status Survey(int /*threads*/, Before* before) override {
    *before = {};
    return Status::Ok();
  }
  Status Check(const std::optional<Expected>& /*expected*/, int /*threads*/,
               CheckResult* /*result*/) override {
    return Status::Usage(
        "check: found the null store, which keeps nothing, want another store");
  }
};

}  // namespace waltax::shop
