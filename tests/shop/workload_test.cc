#include "shop/workload.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/shop/null_store.h"

namespace waltax::shop {
namespace {

Options Of(double known_share) {
  Options options;
  options.data.rows = 10'000;
  options.run.known_share = known_share;
  return options;
}

TEST(RequestStream, DrawsTheMixOfTheStudy) {
  RequestStream stream(Known(Of(1)), 0, 1);
  std::map<Op, int> drawn;
  Request request;
  for (int i = 0; i < 20'000; ++i) {
    stream.Draw(&request);
    ++drawn[request.op];
  }
  EXPECT_NEAR(drawn[Op::kCustomerOrders], 5'000, 250);
  EXPECT_NEAR(drawn[Op::kNewOrder], 10'000, 300);
  EXPECT_NEAR(drawn[Op::kSetQuantity], 5'000, 250);
  std::vector<InputCount> counts(3);
  stream.TakeInputs(&counts);
  EXPECT_EQ(counts[1].samples, 20'000U);
  EXPECT_EQ(counts[1].sum, static_cast<uint64_t>(drawn[Op::kNewOrder]));
}

TEST(RequestStream, OrdersTheFirstOfTheProductsThatWereLookedAt) {
  RequestStream stream(Known(Of(1)), 0, 1);
  Request request;
  std::set<uint64_t> ordered;
  for (int i = 0; i < 1'000; ++i) {
    stream.Draw(&request);
    if (request.op != Op::kNewOrder) continue;
    EXPECT_EQ(request.order.product_id, request.product_ids[0]);
    EXPECT_GE(request.order.quantity, 1U);
    EXPECT_LE(request.order.quantity, kMostOrdered);
    ordered.insert(request.order.product_id);
    for (const uint64_t id : request.product_ids) {
      const auto number = NumberOf(Table::kProducts, kLoadMachine, id);
      ASSERT_TRUE(number);
      EXPECT_LT(*number, 2'000U);
    }
  }
  EXPECT_GT(ordered.size(), 300U);
}

TEST(RequestStream, AsksOnlyForKnownKeys) {
  RequestStream stream(Known(Of(.01)), 0, 1);
  std::set<uint64_t> customers;
  std::set<uint64_t> products;
  Request request;
  for (int i = 0; i < 5'000; ++i) {
    stream.Draw(&request);
    if (request.op != Op::kSetQuantity) {
      customers.insert(request.order.customer_id);
    }
    if (request.op != Op::kCustomerOrders) {
      products.insert(request.product_ids[0]);
    }
  }
  EXPECT_EQ(customers.size(), 40U);
  EXPECT_EQ(products.size(), 20U);
}

TEST(RequestStream, DrawsTheSameFromTheSameSeed) {
  RequestStream one(Known(Of(1)), 3, 9);
  RequestStream same(Known(Of(1)), 3, 9);
  RequestStream other(Known(Of(1)), 4, 9);
  Request a;
  Request b;
  Request c;
  int different = 0;
  for (int i = 0; i < 100; ++i) {
    one.Draw(&a);
    same.Draw(&b);
    EXPECT_EQ(a.op, b.op);
    EXPECT_EQ(a.order.customer_id, b.order.customer_id);
    EXPECT_EQ(a.product_ids, b.product_ids);
    other.Draw(&c);
    different += a.product_ids == c.product_ids ? 0 : 1;
  }
  EXPECT_GT(different, 50);
}

// Answers that one row fewer is there than a transaction is about.
class EmptySession : public Session {
 public:
  Reply CustomerOrders(uint64_t /*customer_id*/) override { return {}; }
  Reply NewOrder(const Order& /*order*/,
                 const std::array<uint64_t, kLookedAt>& /*ids*/) override {
    Reply reply;
    reply.found = kLookedAt;
    return reply;
  }
  Reply SetQuantity(uint64_t /*product_id*/, int32_t /*quantity*/) override {
    return {};
  }
};

// Keeps what a check is told.
class TellingStore : public NullStore {
 public:
  explicit TellingStore(bool empty) : empty_(empty) {}
  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    if (empty_) return std::make_unique<EmptySession>();
    return NullStore::NewSession(seed);
  }
  Status Check(const std::optional<Expected>& expected, int /*threads*/,
               CheckResult* /*result*/) override {
    told = expected;
    return Status::Ok();
  }
  std::optional<Expected> told;

 private:
  bool empty_;
};

TEST(Workload, TellsACheckWhatWasAcknowledged) {
  TellingStore store(false);
  ShopWorkload workload(Of(1), &store, 1, {5, 100});
  const auto worker = workload.NewWorker(0, 1);
  uint64_t orders = 0;
  uint64_t changes = 0;
  for (int i = 0; i < 300; ++i) {
    worker->Draw();
    const Outcome outcome = worker->Execute();
    ASSERT_EQ(outcome.error, nullptr) << *outcome.error;
    const auto op = static_cast<Op>(outcome.operation);
    orders += op == Op::kNewOrder ? 1 : 0;
    changes += op == Op::kCustomerOrders ? 0 : 1;
  }
  CheckResult result;
  ASSERT_TRUE(workload.Check(&result).ok());
  EXPECT_EQ(store.told->before.changes, 100U);
  EXPECT_EQ(store.told->before.next_order, 5U);
  EXPECT_EQ(store.told->next_order, 5 + orders);
  EXPECT_TRUE(store.told->doubtful.empty());
  EXPECT_EQ(store.told->changes, changes);
  EXPECT_EQ(store.told->doubtful_changes, 0U);
}

TEST(Workload, ComplainsOfWhatIsNotThere) {
  TellingStore store(true);
  ShopWorkload workload(Of(1), &store, 1, {});
  const auto worker = workload.NewWorker(0, 1);
  std::set<std::string> errors;
  for (int i = 0; i < 100; ++i) {
    worker->Draw();
    const Outcome outcome = worker->Execute();
    ASSERT_NE(outcome.error, nullptr);
    EXPECT_FALSE(outcome.fatal);
    errors.insert(*outcome.error);
  }
  EXPECT_EQ(errors,
            (std::set<std::string>{
                "CUSTOMER-ORDERS: found 0 of the 1 customers and products that "
                "it is about",
                "NEW-ORDER: found 10 of the 11 customers and products that it "
                "is about",
                "SET-QUANTITY: found 0 of the 1 customers and products that it "
                "is about"}));
  CheckResult result;
  ASSERT_TRUE(workload.Check(&result).ok());
  EXPECT_EQ(store.told->changes, 0U);
  EXPECT_EQ(store.told->doubtful.size(), store.told->next_order - 1);
}

TEST(Workload, SaysHowManyBytesItsDataAndItsWorkingSetHave) {
  NullStore store;
  const nlohmann::json said = ShopWorkload(Of(.1), &store, 1, {}).Describe();
  EXPECT_EQ(said["logical_bytes"], 3'172'000);
  EXPECT_EQ(said["working_set_bytes"], 400 * 187 + 200 * 1148 + 400 * 48);
  EXPECT_EQ(said["known_share"], .1);
}

}  // namespace
}  // namespace waltax::shop
