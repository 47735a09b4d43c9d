#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "driver/random.h"
#include "tests/tpcc/sql/fixture.h"
#include "tpcc/draws.h"
#include "tpcc/keys.h"
#include "tpcc/terminal.h"

namespace waltax::tpcc {
namespace {

constexpr int kThreads = 8;

template <typename Body>
void OnThreads(int threads, const Body& body) {
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(body, i);
  for (std::thread& thread : all) thread.join();
}

using SqlTransactions = ConsistentSqlTest;

TEST_F(SqlTransactions, LeaveNothingOfAnOrderThatRollsBack) {
  constexpr std::array kWritten = {Table::kDistrict,        Table::kOrder,
                                   Table::kOrderByCustomer, Table::kNewOrder,
                                   Table::kOrderLine,       Table::kStock};
  const auto rows = [&](Table table) {
    return RowsOf(*store_, table, KeyOfWarehouse(1).slice().ToStringView());
  };
  std::vector<Rows> before;
  for (const Table table : kWritten) before.push_back(rows(table));
  const auto session = store_->NewSession(1);
  NewOrderInput input = SqlOrder(1, 3, 7);
  input.lines[4].i_id = kUnusedItem;
  NewOrderOutput output;
  ASSERT_TRUE(Done(session->NewOrder(input, &output)));
  EXPECT_TRUE(output.rolled_back);
  for (size_t i = 0; i < kWritten.size(); ++i) {
    EXPECT_TRUE(rows(kWritten[i]) == before[i]);
  }
  // The number is given out again.
  NewOrderOutput next;
  ASSERT_TRUE(Done(session->NewOrder(SqlOrder(1, 3, 7), &next)));
  EXPECT_EQ(next.o_id, output.o_id);
}

TEST_F(SqlTransactions, TakeTwiceFromTheStockOfAnItemOfTwoLines) {
  const auto session = store_->NewSession(1);
  NewOrderInput input = SqlOrder(1, 4, 8);
  input.lines[1].i_id = input.lines[0].i_id;
  NewOrderOutput output;
  ASSERT_TRUE(Done(session->NewOrder(input, &output)));
  const int32_t first = output.lines[0].s_quantity;
  EXPECT_EQ(output.lines[1].s_quantity,
            first - 3 < 10 ? first + 88 : first - 3);
}

TEST_F(SqlTransactions, DeliverNoOrderTwiceFromTwoSessions) {
  constexpr int kDeliveries = 30;
  std::array<std::vector<DeliveryOutput>, 4> outputs;
  OnThreads(4, [&](int i) {
    const auto session = store_->NewSession(static_cast<uint64_t>(i));
    for (int n = 0; n < kDeliveries; ++n) {
      DeliveryOutput& output = outputs[i].emplace_back();
      EXPECT_TRUE(Done(session->Delivery({2, 5}, &output)));
    }
  });
  std::set<std::pair<size_t, uint32_t>> delivered;
  for (const auto& of_thread : outputs) {
    for (const DeliveryOutput& output : of_thread) {
      for (size_t d = 0; d < kDistricts; ++d) {
        EXPECT_NE(output.o_ids[d], 0U);
        EXPECT_TRUE(delivered.emplace(d, output.o_ids[d]).second);
      }
    }
  }
  EXPECT_EQ(delivered.size(), 4U * kDeliveries * kDistricts);
}

// Few rows, in any order, and from both warehouses: without one order of locks
// these would wait for each other.
TEST_F(SqlTransactions, NeverWaitForEachOtherInACircle) {
  // A circle must not pass for a long wait, nor a long wait for a circle.
  const mariadb::GlobalSetting wait(Flags(), mariadb::LockWaitVariable(), 50);
  std::optional<mariadb::GlobalSetting> detect;
  if (mariadb::TestEngine() == "myrocks") {
    detect.emplace(Flags(), "rocksdb_deadlock_detect", 1);
  }
  std::atomic<uint32_t> conflicts = 0;
  OnThreads(kThreads, [&](int i) {
    Random random(7, static_cast<uint64_t>(i));
    const auto session = store_->NewSession(static_cast<uint64_t>(i));
    for (int n = 0; n < 60; ++n) {
      const uint32_t w = Uniform(random, 1, 2);
      const uint32_t other = 3 - w;
      const auto d = static_cast<uint8_t>(Uniform(random, 1, 10));
      Reply reply;
      if (n % 10 == 9) {
        DeliveryOutput output;
        reply = session->Delivery({w, 3}, &output);
      } else if (n % 3 == 0) {
        PaymentOutput output;
        reply =
            session->Payment({w, d, {other, 1, n % 5 + 1U, {}}, 100}, &output);
      } else {
        NewOrderInput input = SqlOrder(w, d, 1);
        for (auto& line : input.lines) {
          line.i_id = Uniform(random, 1, 12);
          line.supply_w_id = Uniform(random, 1, 2);
          line.quantity = 2;
        }
        NewOrderOutput output;
        reply = session->NewOrder(input, &output);
      }
      EXPECT_TRUE(Done(reply));
      conflicts += reply.retries;
    }
  });
  EXPECT_EQ(conflicts, 0U);
}

// Locks that another session holds all the time, each in the way of another
// transaction; these wait at the same time, since each has one retry, and a
// second for each lock.
using SqlLocks = ConsistentSqlTest;

TEST_F(SqlLocks, AreCountedByTheTransactionsThatWaitForThem) {
  const mariadb::GlobalSetting wait(Flags(), mariadb::LockWaitVariable(), 1);
  struct Case {
    std::string lock;
    std::function<Reply(Session*)> transaction;
  };
  NewOrderOutput order;
  NewOrderOutput other;
  DeliveryOutput delivery;
  const std::array<Case, 3> cases = {{
      {"SELECT d_tax FROM district WHERE d_w_id = 1 FOR UPDATE",
       [&](Session* session) {
         return session->NewOrder(SqlOrder(1, 1, 1), &order);
       }},
      {"SELECT s_i_id FROM stock WHERE s_w_id = 2 AND s_i_id IN (11, 13) "
       "FOR UPDATE",
       [&](Session* session) {
         return session->NewOrder(SqlOrder(2, 1, 1), &other);
       }},
      {"SELECT no_o_id FROM new_orders FORCE INDEX (PRIMARY) WHERE no_w_id = 1 "
       "AND no_d_id = 4 ORDER BY no_o_id LIMIT 1 FOR UPDATE",
       [&](Session* session) { return session->Delivery({1, 3}, &delivery); }},
  }};
  mariadb::MustExecute(*connection_, "BEGIN");
  for (const Case& one : cases) {
    mariadb::MustExecute(*connection_, one.lock);
  }
  OnThreads(3, [&](int i) {
    const auto store = NewSqlStore(Flags(), 1);
    const Reply reply = cases[i].transaction(store->NewSession(1).get());
    ASSERT_NE(reply.error, nullptr) << cases[i].lock;
    EXPECT_NE(reply.error->find("1205"), std::string::npos) << *reply.error;
    EXPECT_EQ(reply.retries, 1U) << cases[i].lock;
  });
  mariadb::MustExecute(*connection_, "ROLLBACK");
  const auto session = store_->NewSession(1);
  for (const Case& one : cases) {
    EXPECT_TRUE(Done(one.transaction(session.get())));
  }
  EXPECT_NE(delivery.o_ids[3], 0U);
}

TEST_F(SqlTransactions, EndWithTheReasonWhenNoServerAnswers) {
  mariadb::ServerFlags flags = Flags();
  flags.socket += ".not";
  const auto session = NewSqlStore(flags, 1)->NewSession(1);
  StockLevelOutput output;
  const Reply reply = session->StockLevel({1, 1, 15}, &output);
  ASSERT_NE(reply.error, nullptr);
  EXPECT_NE(reply.error->find(flags.socket), std::string::npos);
}

}  // namespace
}  // namespace waltax::tpcc
