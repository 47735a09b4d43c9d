#include "tpcc/workload.h"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <utility>

#include "tpcc/check/check.h"
#include "tpcc/terminal.h"

namespace waltax::tpcc {

namespace {

// Drives its terminals in turn.
class TpccWorker : public Worker {
 public:
  TpccWorker(std::vector<Terminal> terminals, std::unique_ptr<Session> session,
             AckLog* acks, std::atomic<uint64_t>* next_orders)
      : terminals_(std::move(terminals)),
        session_(std::move(session)),
        acks_(acks),
        next_orders_(*next_orders) {}

  void Draw() override {
    terminals_[next_terminal_].Draw(&inputs_);
    if (++next_terminal_ == terminals_.size()) next_terminal_ = 0;
  }
  Outcome Execute() override {
    Outcome outcome;
    outcome.operation = static_cast<uint32_t>(inputs_.op);
    const Reply reply = Dispatch(&outcome);
    outcome.committed = outcome.found > 0 && inputs_.op != Op::kOrderStatus &&
                        inputs_.op != Op::kStockLevel;
    outcome.retries = reply.retries;
    if (reply.error != nullptr) outcome.error = reply.error;
    return outcome;
  }
  void AddColumns(nlohmann::json* columns) override {
    const auto add = [columns](const char* name, uint64_t count) {
      (*columns)[name] = columns->value(name, uint64_t{0}) + count;
    };
    add("new_orders_committed", std::exchange(committed_, 0));
    add("new_orders_rolled_back", std::exchange(rolled_back_, 0));
  }

 private:
  Reply Dispatch(Outcome* outcome) {
    Reply reply;
    switch (inputs_.op) {
      case Op::kNewOrder:
        return NewOrder(outcome);
      case Op::kPayment:
        reply = session_->Payment(inputs_.payment, &payment_);
        break;
      case Op::kOrderStatus:
        reply = session_->OrderStatus(inputs_.order_status, &order_status_);
        outcome->rows = static_cast<uint32_t>(order_status_.lines.size());
        break;
      case Op::kDelivery:
        return Delivery(outcome);
      case Op::kStockLevel:
        reply = session_->StockLevel(inputs_.stock_level, &stock_level_);
        outcome->rows = stock_level_.low_stock;
        break;
    }
    outcome->found = 1;
    return reply;
  }
  Reply NewOrder(Outcome* outcome) {
    const Reply reply = session_->NewOrder(inputs_.new_order, &new_order_);
    if (reply.error != nullptr) return reply;
    if (new_order_.rolled_back) {
      ++rolled_back_;
      outcome->not_found = 1;
      return reply;
    }
    ++committed_;
    // Only the sum counts, and it is read when all threads are parked.
    next_orders_.fetch_add(1, std::memory_order_relaxed);
    outcome->found = 1;
    if (acks_ != nullptr) Acknowledge(inputs_.new_order, outcome);
    return reply;
  }
  // DEVIATION T3: executed at once, not from a queue.
  Reply Delivery(Outcome* outcome) {
    const Reply reply = session_->Delivery(inputs_.delivery, &delivery_);
    if (reply.error != nullptr) return reply;
    const auto skipped =
        std::count(delivery_.o_ids.begin(), delivery_.o_ids.end(), 0U);
    outcome->not_found = static_cast<uint32_t>(skipped);
    outcome->found = kDistricts - outcome->not_found;
    return reply;
  }
  // A commit that cannot be noted would make a later check wrong.
  void Acknowledge(const NewOrderInput& input, Outcome* outcome) {
    acknowledged_ = acks_->Acknowledge(
        {input.w_id, input.d_id, new_order_.o_id, input.c_id});
    if (!acknowledged_.ok()) outcome->error = &acknowledged_.message();
  }

  std::vector<Terminal> terminals_;
  size_t next_terminal_ = 0;
  std::unique_ptr<Session> session_;
  AckLog* acks_;
  std::atomic<uint64_t>& next_orders_;
  Inputs inputs_;
  // Over a whole slice.
  uint64_t committed_ = 0;
  uint64_t rolled_back_ = 0;
  Status acknowledged_;

  NewOrderOutput new_order_;
  PaymentOutput payment_;
  OrderStatusOutput order_status_;
  DeliveryOutput delivery_;
  StockLevelOutput stock_level_;
};

class TpccWorkload : public Workload {
 public:
  TpccWorkload(const RunPlan& plan, Store* store, AckLog* acks)
      : plan_(plan),
        store_(*store),
        acks_(acks),
        next_orders_(plan.next_orders) {}

  [[nodiscard]] const std::vector<std::string_view>& OperationNames()
      const override {
    static const std::vector<std::string_view> names(kOpNames.begin(),
                                                     kOpNames.end());
    return names;
  }
  [[nodiscard]] nlohmann::json Describe() const override {
    nlohmann::json json = ToJson(plan_.options);
    json["paced"] = false;  // DEVIATION T1
    json["isolation"] = store_.isolation();
    json["c_last_load"] = plan_.last_name_load;
    json["c_last_run"] = plan_.constants.last_name;
    json["c_id"] = plan_.constants.customer;
    json["ol_i_id"] = plan_.constants.item;
    return json;
  }
  // Clause 5.4.1: completed New-Orders per minute, those that had to roll back
  // included. DEVIATION T7: those that end inside the interval.
  [[nodiscard]] Throughput throughput() const override {
    return {"tpmC", static_cast<uint32_t>(Op::kNewOrder), 60};
  }
  std::unique_ptr<Worker> NewWorker(int index, uint64_t seed) override {
    const Options& options = plan_.options;
    const auto warehouses = static_cast<uint32_t>(options.warehouses);
    std::vector<Terminal> terminals;
    for (int t = index; t < options.terminals; t += plan_.threads) {
      terminals.emplace_back(t, HomeOf(t, options.terminals, warehouses),
                             warehouses, plan_.constants, seed);
    }
    return std::make_unique<TpccWorker>(
        std::move(terminals),
        store_.NewSession(seed + static_cast<uint64_t>(index)), acks_,
        &next_orders_);
  }
  Status Check(CheckResult* result) override {
    return CheckConsistency(store_,
                            static_cast<uint32_t>(plan_.options.warehouses),
                            plan_.threads, {next_orders_, {}}, result);
  }

 private:
  RunPlan plan_;
  Store& store_;
  AckLog* acks_;
  std::atomic<uint64_t> next_orders_;
};

}  // namespace

std::unique_ptr<Workload> NewTpccWorkload(const RunPlan& plan, Store* store,
                                          AckLog* acks) {
  return std::make_unique<TpccWorkload>(plan, store, acks);
}

}  // namespace waltax::tpcc
