// The shop as the driver sees it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "driver/acknowledged.h"
#include "driver/random.h"
#include "driver/workload.h"
#include "shop/options.h"
#include "shop/store.h"

namespace waltax::shop {

enum class Op : uint8_t { kCustomerOrders, kNewOrder, kSetQuantity };
inline constexpr size_t kOps = 3;
// The study's shares, of which it says the second: half of all.
inline constexpr std::array<double, kOps> kShares = {.25, .5, .25};

struct Request {
  Op op = Op::kCustomerOrders;
  // Of a new order all but its id, which is known when it is executed; else its
  // customer alone.
  Order order;
  std::array<uint64_t, kLookedAt> product_ids{};  // of kSetQuantity: the first
  int32_t quantity = 0;                           // of kSetQuantity
};

// The requests of one worker. Not thread-safe.
class RequestStream {
 public:
  RequestStream(const Known& known, int index, uint64_t seed)
      : known_(known), random_(seed, static_cast<uint64_t>(index)) {}
  void Draw(Request* request);
  // Adds what was drawn for each of ShopWorkload::InputRules() since the last
  // call, and starts anew.
  void TakeInputs(std::vector<InputCount>* counts);

 private:
  uint64_t DrawCustomer();
  uint64_t DrawProduct();

  Known known_;
  Random random_;
  std::array<uint64_t, kOps> drawn_{};
};

// What the workers of a run share. Thread-safe.
struct Shared {
  explicit Shared(const Before& before)
      : before(before), orders(before.next_order) {}

  Before before;
  AcknowledgedCounter orders;
  std::atomic<uint64_t> changes = 0;  // of quantities, that were acknowledged
  std::atomic<uint64_t> doubtful_changes = 0;
};

class ShopWorkload : public Workload {
 public:
  ShopWorkload(const Options& options, Store* store, int threads,
               const Before& before);

  [[nodiscard]] const std::vector<std::string_view>& OperationNames()
      const override;
  [[nodiscard]] nlohmann::json Describe() const override;
  [[nodiscard]] Throughput throughput() const override {
    return {"transactions/s", std::nullopt, 1};
  }
  [[nodiscard]] std::vector<InputRule> InputRules() const override;
  std::unique_ptr<Worker> NewWorker(int index, uint64_t seed) override;
  Status Check(CheckResult* result) override;

 private:
  Options options_;
  Store& store_;
  int threads_;
  Shared shared_;
};

}  // namespace waltax::shop
