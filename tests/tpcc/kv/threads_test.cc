// What many threads leave behind that work on one warehouse, with stock and
// payments of another.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "driver/random.h"
#include "tests/tpcc/kv/small_world.h"

namespace waltax::tpcc {
namespace {

// What one thread did, and met.
struct Work {
  uint64_t committed_orders = 0;
  uint64_t delivered = 0;
  uint32_t retries = 0;
  std::vector<std::string> errors;

  void Note(const Reply& reply) {
    retries += reply.retries;
    if (reply.error != nullptr) errors.push_back(*reply.error);
  }
};

// Customers and items are few, so that everybody meets everybody.
void EnterOrders(Session& session, Random& random, Work* work) {
  NewOrderInput input = OrderOf(1, 1, 1, {1, 1, 1, 1, 1});
  input.d_id = static_cast<uint8_t>(1 + random.NextInt(kDistricts));
  input.c_id = static_cast<uint32_t>(1 + random.NextInt(6));
  for (auto& line : input.lines) {
    line.i_id = static_cast<uint32_t>(1 + random.NextInt(40));
    line.supply_w_id = static_cast<uint32_t>(1 + random.NextInt(2));
  }
  if (random.NextInt(20) == 0) input.lines[4].i_id = kUnusedItem;
  NewOrderOutput output;
  work->Note(session.NewOrder(input, &output));
  if (!output.rolled_back) ++work->committed_orders;
}

void Pay(Session& session, Random& random, Work* work) {
  PaymentOutput output;
  const auto d_id = static_cast<uint8_t>(1 + random.NextInt(kDistricts));
  const auto c_id = static_cast<uint32_t>(1 + random.NextInt(6));
  PaymentInput input = PaymentOf(1, d_id, c_id, 77);
  input.w_id = static_cast<uint32_t>(1 + random.NextInt(2));
  input.customer.w_id = static_cast<uint32_t>(1 + random.NextInt(2));
  work->Note(session.Payment(input, &output));
}

void Deliver(Session& session, Work* work) {
  DeliveryOutput output;
  work->Note(session.Delivery({.w_id = 1, .carrier_id = 4}, &output));
  work->delivered += static_cast<uint64_t>(
      kDistricts - std::count(output.o_ids.begin(), output.o_ids.end(), 0U));
}

Work RunThread(Store& store, uint64_t seed) {
  Work work;
  const auto session = store.NewSession(seed);
  Random random(seed);
  for (int i = 0; i < 250; ++i) {
    EnterOrders(*session, random, &work);
    Pay(*session, random, &work);
    if (i % 8 == 0) Deliver(*session, &work);
  }
  return work;
}

std::vector<Work> RunThreads(Store& store) {
  std::vector<Work> works(8);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < works.size(); ++t) {
    threads.emplace_back(
        [&store, &works, t] { works[t] = RunThread(store, t); });
  }
  for (auto& thread : threads) thread.join();
  return works;
}

class KvManyThreadsTest : public testing::Test {
 protected:
  void SetUp() override { works_ = RunThreads(world_.store()); }

  template <typename Number>
  Number SumOf(Number Work::* column) {
    Number sum = 0;
    for (const Work& work : works_) sum += work.*column;
    return sum;
  }

  SmallWorld world_;
  std::vector<Work> works_;
};

TEST_F(KvManyThreadsTest, NeverMeetADeadlock) {
  for (const Work& work : works_) {
    EXPECT_EQ(work.errors, std::vector<std::string>());
    // Nobody looks for deadlocks: one would end by a lock that cannot be had.
    EXPECT_EQ(work.retries, 0);
  }
}

TEST_F(KvManyThreadsTest, LoseNoPayment) {
  std::map<uint32_t, Cents> of_districts;
  std::map<uint32_t, Cents> of_history;
  world_.ForEach<District>(Table::kDistrict,
                           [&](const auto& key, const District& row) {
                             of_districts[WarehouseOf(key)] += row.ytd;
                           });
  world_.ForEach<History>(Table::kHistory,
                          [&](const auto&, const History& row) {
                            of_history[row.w_id] += row.amount;
                          });
  for (const uint32_t w : {1U, 2U}) {
    EXPECT_EQ(world_.warehouse(w)->ytd, of_districts[w]);
    EXPECT_EQ(world_.warehouse(w)->ytd, of_history[w]);
  }
  EXPECT_EQ(of_history[1] + of_history[2],
            2 * 10 * 6 * SmallWorld::kPaidBefore + 8 * 250 * 77);
}

TEST_F(KvManyThreadsTest, LoseNoOrderAndNoUpdateOfStock) {
  uint64_t numbers = 0;
  world_.ForEach<District>(
      Table::kDistrict,
      [&](const auto&, const District& row) { numbers += row.next_o_id - 7; });
  EXPECT_EQ(numbers, SumOf(&Work::committed_orders));
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> ordered;
  world_.ForEach<OrderLine>(
      Table::kOrderLine, [&](const auto& key, const OrderLine& row) {
        if (NumberOf(key) > 6) {
          ordered[{row.supply_w_id, row.i_id}] += row.quantity;
        }
      });
  world_.ForEach<Stock>(Table::kStock, [&](const auto& key, const Stock& row) {
    EXPECT_EQ(row.ytd, (ordered[{WarehouseOf(key), ItemOf(key)}]));
  });
}

TEST_F(KvManyThreadsTest, DeliverEachOrderOnce) {
  uint64_t delivered = 0;
  std::map<std::string, Cents> balances;
  world_.ForEach<Customer>(
      Table::kCustomer, [&](const auto& key, const Customer& row) {
        delivered += row.delivery_cnt;
        balances[key.ToString()] = row.balance + row.ytd_payment;
      });
  EXPECT_EQ(delivered, SumOf(&Work::delivered));
  std::map<std::string, Cents> amounts;
  for (const auto& [key, balance] : balances) amounts[key] = 0;
  world_.ForEach<OrderLine>(
      Table::kOrderLine, [&](const auto& key, const OrderLine& row) {
        if (row.delivery_d == 0) return;
        const auto o_id = NumberOf(key);
        const auto w = WarehouseOf(key);
        const auto d = DistrictOf(key);
        const uint32_t c = world_.order(w, d, o_id)->c_id;
        amounts[KeyOfCustomer(w, d, c).slice().ToString()] += row.amount;
      });
  EXPECT_EQ(balances, amounts);
}

}  // namespace
}  // namespace waltax::tpcc
