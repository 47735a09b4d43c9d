#include "shop/workload.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace waltax::shop {

namespace {

constexpr std::array<std::string_view, kOps> kOpNames = {
    "CUSTOMER-ORDERS", "NEW-ORDER", "SET-QUANTITY"};
constexpr std::array<std::string_view, kOps> kShareRules = {
    "share of readings of a customer's orders", "share of new orders",
    "share of new quantities"};

class ShopWorker : public Worker {
 public:
  ShopWorker(const Known& known, std::unique_ptr<Session> session,
             Shared* shared, int index, uint64_t seed)
      : stream_(known, index, seed),
        session_(std::move(session)),
        shared_(*shared) {}

  void Draw() override { stream_.Draw(&request_); }
  Outcome Execute() override;
  void TakeInputs(std::vector<InputCount>* counts) override {
    stream_.TakeInputs(counts);
  }

 private:
  Reply Dispatch();
  Reply NewOrder();
  Reply SetQuantity();
  // Takes down a change that was acknowledged, or that failed and may be there.
  void CountChange(const Reply& reply, bool found);
  // Customers and products that a request must find.
  [[nodiscard]] uint32_t Wanted() const {
    return request_.op == Op::kNewOrder ? 1 + kLookedAt : 1;
  }

  RequestStream stream_;
  std::unique_ptr<Session> session_;
  Shared& shared_;
  Request request_;
  std::string error_;
};

Outcome ShopWorker::Execute() {
  Outcome outcome;
  outcome.operation = static_cast<uint32_t>(request_.op);
  const Reply reply = Dispatch();
  outcome.retries = reply.retries;
  outcome.error = reply.error;
  outcome.fatal = reply.fatal;
  outcome.committed = request_.op != Op::kCustomerOrders;
  if (reply.error != nullptr) return outcome;
  outcome.rows = reply.orders;
  outcome.found = reply.found;
  if (reply.found == Wanted()) return outcome;
  outcome.not_found = Wanted() - reply.found;
  error_ = fmt::format(
      "{}: found {} of the {} customers and products that it is about",
      kOpNames[outcome.operation], reply.found, Wanted());
  outcome.error = &error_;
  return outcome;
}

Reply ShopWorker::Dispatch() {
  switch (request_.op) {
    case Op::kCustomerOrders:
      return session_->CustomerOrders(request_.order.customer_id);
    case Op::kNewOrder:
      return NewOrder();
    case Op::kSetQuantity:
      return SetQuantity();
  }
  return {};
}

Reply ShopWorker::NewOrder() {
  const uint64_t number = shared_.orders.Take();
  request_.order.id = UidOf(Table::kOrders, kRunMachine, number);
  const Reply reply = session_->NewOrder(request_.order, request_.product_ids);
  const bool found = reply.found == Wanted();
  CountChange(reply, found);
  if (reply.error == nullptr && found) shared_.orders.Acknowledge(number);
  return reply;
}

Reply ShopWorker::SetQuantity() {
  const Reply reply =
      session_->SetQuantity(request_.product_ids[0], request_.quantity);
  CountChange(reply, reply.found == Wanted());
  return reply;
}

void ShopWorker::CountChange(const Reply& reply, bool found) {
  if (reply.error != nullptr) {
    shared_.doubtful_changes.fetch_add(1, std::memory_order_relaxed);
  } else if (found) {
    shared_.changes.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace

void RequestStream::Draw(Request* request) {
  const double share = random_.NextDouble();
  if (share < kShares[0]) {
    request->op = Op::kCustomerOrders;
    request->order.customer_id = DrawCustomer();
  } else if (share < kShares[0] + kShares[1]) {
    request->op = Op::kNewOrder;
    request->order.customer_id = DrawCustomer();
    for (uint64_t& id : request->product_ids) id = DrawProduct();
    request->order.product_id = request->product_ids[0];
    request->order.quantity =
        static_cast<uint32_t>(1 + random_.NextInt(kMostOrdered));
    request->order.ordered_s =
        kFirstOrderedS + static_cast<uint32_t>(random_.NextInt(kOrderedS));
  } else {
    request->op = Op::kSetQuantity;
    request->product_ids[0] = DrawProduct();
    request->quantity = static_cast<int32_t>(random_.NextInt(kMostInStock));
  }
  ++drawn_[static_cast<size_t>(request->op)];
}

uint64_t RequestStream::DrawCustomer() {
  return UidOf(Table::kCustomers, kLoadMachine,
               random_.NextInt(known_.customers));
}

uint64_t RequestStream::DrawProduct() {
  return UidOf(Table::kProducts, kLoadMachine,
               random_.NextInt(known_.products));
}

void RequestStream::TakeInputs(std::vector<InputCount>* counts) {
  uint64_t all = 0;
  for (const uint64_t drawn : drawn_) all += drawn;
  for (size_t i = 0; i < kOps; ++i) {
    (*counts)[i].samples += all;
    (*counts)[i].sum += drawn_[i];
  }
  drawn_ = {};
}

ShopWorkload::ShopWorkload(const Options& options, Store* store, int threads,
                           const Before& before)
    : options_(options), store_(*store), threads_(threads), shared_(before) {}

const std::vector<std::string_view>& ShopWorkload::OperationNames() const {
  static const std::vector<std::string_view> names(kOpNames.begin(),
                                                   kOpNames.end());
  return names;
}

nlohmann::json ShopWorkload::Describe() const { return ToJson(options_); }

std::vector<InputRule> ShopWorkload::InputRules() const {
  std::vector<InputRule> rules;
  for (size_t i = 0; i < kOps; ++i) {
    const double share = kShares[i];
    rules.push_back({kShareRules[i], share, share * (1 - share), share, share});
  }
  return rules;
}

std::unique_ptr<Worker> ShopWorkload::NewWorker(int index, uint64_t seed) {
  return std::make_unique<ShopWorker>(
      Known(options_), store_.NewSession(seed + static_cast<uint64_t>(index)),
      &shared_, index, seed);
}

Status ShopWorkload::Check(CheckResult* result) {
  return store_.Check(
      Expected{shared_.before, shared_.orders.next(), shared_.orders.Doubtful(),
               shared_.changes, shared_.doubtful_changes},
      threads_, result);
}

}  // namespace waltax::shop
