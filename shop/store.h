// The seam between the workload and what stores it: three transactions on
// customers, products, orders, and the index of orders by customer.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/answering.h"
#include "driver/status.h"
#include "driver/workload.h"
#include "shop/rows.h"

namespace waltax::shop {

// Products that a customer looks at before she orders the first of them.
inline constexpr size_t kLookedAt = 10;

// How a transaction went.
struct Reply {
  // That were asked for by their keys and are there: customers and products.
  uint32_t found = 0;
  uint32_t orders = 0;  // of the customer
  bool fatal = false;   // no later transaction can succeed
  uint32_t retries = 0;
  // Null when it succeeded; otherwise owned by the session until its next call.
  const std::string* error = nullptr;
};

// One worker's access to the store. Not thread-safe; sessions of one store may
// run concurrently. What is read is read whole.
class Session : protected Answering<Reply> {
 public:
  using Answering<Reply>::Answering;
  virtual ~Session() = default;
  // Reads a customer, and by the index all her orders.
  virtual Reply CustomerOrders(uint64_t /*customer_id*/) { return Answer(); }
  // Reads the order's customer and these products, inserts the order, and takes
  // its quantity off the first product's, which counts that. Writes nothing
  // when one of them is not there. REQUIRES: the order is of the first product,
  // and no session has written its id.
  virtual Reply NewOrder(
      const Order& /*order*/,
      const std::array<uint64_t, kLookedAt>& /*product_ids*/) {
    return Answer();
  }
  // Replaces a product's quantity, and counts that.
  virtual Reply SetQuantity(uint64_t /*product_id*/, int32_t /*quantity*/) {
    return Answer();
  }
};

// What a run finds.
struct Before {
  // The number after the last one of earlier runs; the first run's is 1.
  uint64_t next_order = 1;
  uint64_t changes = 0;  // of all products
};

// What a run did, beside what its data set says.
struct Expected {
  Before before;
  // The numbers from Before::next_order to before this one were taken, and all
  // but the `doubtful` ones acknowledged.
  uint64_t next_order = 0;
  std::vector<uint64_t> doubtful;
  uint64_t changes = 0;           // that were acknowledged
  uint64_t doubtful_changes = 0;  // that failed, and may be there
};

// Thread-safe, except Survey() and Check(), which want all sessions idle.
class Store {
 public:
  virtual ~Store() = default;
  // `seed` spreads the pauses between retries.
  virtual std::unique_ptr<Session> NewSession(uint64_t seed) = 0;
  virtual Status Survey(int threads, Before* before) = 0;
  // Verifies all tables on `threads` threads (shop/check.h). `expected` is
  // empty when nobody knows what was run.
  virtual Status Check(const std::optional<Expected>& expected, int threads,
                       CheckResult* result) = 0;
};

}  // namespace waltax::shop
