#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <thread>

#include "tests/temporary_file.h"
#include "tests/workloads/mix/drive.h"
#include "tests/workloads/mix/example.h"
#include "tests/workloads/mix/kv_mix.h"
#include "workloads/mix/workload.h"

namespace waltax::mix {
namespace {

using Texts = std::vector<std::string>;

// Their places in the example with deletes.
constexpr size_t kCustomers = 0;
constexpr size_t kProducts = 1;
constexpr size_t kOrders = 2;
constexpr size_t kLog = 3;
constexpr size_t kNewOrder = 1;
constexpr size_t kRename = 2;
constexpr size_t kCancel = 4;

// Rows that are made up.
class ShownStore : public Store {
 public:
  using See = std::function<void(ShownStore& store)>;
  explicit ShownStore(See see) : see_(std::move(see)) {}

  void Show(size_t table, uint64_t number, const Row& row) const {
    if (table == table_) (*visit_)(number, &row);
  }
  std::unique_ptr<Session> NewSession(uint64_t /*seed*/) override {
    return std::make_unique<Session>();
  }
  Status Scan(size_t table, const Visit& visit) override {
    table_ = table;
    visit_ = &visit;
    see_(*this);
    return Status::Ok();
  }

 private:
  See see_;
  size_t table_ = 0;
  const Visit* visit_ = nullptr;
};

// A log that is made up, against rows that are.
class MixAckCheck : public testing::Test {
 protected:
  // Adds a request that begins now, and is acknowledged at once.
  LoggedRequest& Log(size_t operation, std::vector<uint64_t> drawn) {
    LoggedRequest& each = log_.emplace_back();
    each.request = {operation, std::move(drawn), 100 + lines_};
    each.begin = lines_++;
    each.end = lines_++;
    each.number = acknowledged_++;
    return each;
  }
  // Of the products 0 to 2, five of each; inserts two orders and a line.
  void LogOrder(uint64_t order, uint64_t line) {
    Log(kNewOrder, {0, 0, 1, 2, 0, 5, order, line});
  }
  // The last one that was added had not ended when its process did.
  void Open() {
    log_.back().end.reset();
    --acknowledged_;
  }
  const Row& Make(size_t table, uint64_t number, uint64_t stamp = kLoaded) {
    values_.Make(table, number, stamp, &row_);
    return row_;
  }
  // A product that so many orders took.
  const Row& Sold(uint64_t number, int64_t orders) {
    Make(kProducts, number);
    row_.cells[0].number -= 5 * orders;
    row_.cells[1].number += orders;
    return row_;
  }
  // What is said of those rows of a table, and of all that are not there.
  Texts Told(size_t table, const std::vector<uint64_t>& there) {
    return Told([&](ShownStore& store) {
      for (const uint64_t row : there) store.Show(table, row, Make(table, row));
    });
  }
  Texts Told(const ShownStore::See& see) {
    ShownStore store(see);
    CheckResult result;
    EXPECT_TRUE(Check(values_, store, nullptr, &log_, &result).ok());
    // Most rows are not there, which is told, too.
    Texts lost = result.violations;
    std::erase_if(lost, [](const std::string& each) {
      return !each.starts_with("acknowledged: ");
    });
    const Acknowledged all = result.acknowledged.value_or(Acknowledged{});
    EXPECT_EQ(all.count, acknowledged_);
    EXPECT_EQ(all.lost, lost.size());
    return lost;
  }

  Mix mix_ = ReadWhole(kDeletes);
  Values values_{mix_, 7};
  std::vector<LoggedRequest> log_;
  uint64_t lines_ = 0;
  uint64_t acknowledged_ = 0;
  Row row_;
};

TEST_F(MixAckCheck, MissesARowThatWasInserted) {
  LogOrder(500, 400);
  const Texts lost = {
      "acknowledged: orders: row 501: it is missing, request 0"};
  const auto see = [this](ShownStore& store) {
    store.Show(kOrders, 500, Make(kOrders, 500));
    store.Show(kLog, 400, Make(kLog, 400));
  };
  EXPECT_EQ(Told(see), lost);
  Open();
  EXPECT_EQ(Told(kOrders, {}), Texts{});
}

TEST_F(MixAckCheck, AllowsThatARowIsMissingWhichSomebodyBeganToDelete) {
  LogOrder(500, 400);
  Log(kCancel, {500});
  Open();
  const auto see = [this](ShownStore& store) {
    store.Show(kOrders, 501, Make(kOrders, 501));
    store.Show(kLog, 400, Make(kLog, 400));
  };
  EXPECT_EQ(Told(see), Texts{});
}

TEST_F(MixAckCheck, FindsARowThatWasDeletedUnlessItsNumberCameAgain) {
  Log(kCancel, {7});
  EXPECT_EQ(
      Told(kOrders, {7}),
      (Texts{
          "acknowledged: orders: row 7: it was deleted and is there, request "
          "0"}));
  EXPECT_EQ(Told(kOrders, {6}), Texts{});
  Open();
  EXPECT_EQ(Told(kOrders, {7}), Texts{});
  log_.clear();
  Log(kCancel, {500});
  LogOrder(500, 400);
  acknowledged_ = 2;
  const auto see = [this](ShownStore& store) {
    store.Show(kOrders, 500, Make(kOrders, 500));
    store.Show(kOrders, 501, Make(kOrders, 501));
    store.Show(kLog, 400, Make(kLog, 400));
  };
  EXPECT_EQ(Told(see), Texts{});
}

TEST_F(MixAckCheck, MissesWhatWasAddedOfTheNewest) {
  // Without what inserts.
  auto& steps = mix_.operations[kNewOrder].steps;
  steps.erase(steps.begin() + 5);
  steps.erase(steps.begin() + 3);
  for (int i = 0; i < 3; ++i) LogOrder(0, 0);
  const auto told = [&](int64_t orders) {
    return Told(
        [&](ShownStore& store) { store.Show(kProducts, 1, Sold(1, orders)); });
  };
  EXPECT_EQ(told(3), Texts{});
  // Somebody may not have been told yet.
  EXPECT_EQ(told(5), Texts{});
  const Texts two = told(1);
  ASSERT_EQ(two.size(), 2);
  EXPECT_EQ(two.front(),
            "acknowledged: products: row 1: changes lacks what was added, "
            "request 1");
  Open();
  EXPECT_EQ(told(1).size(), 1);
  // What some request lowers may have any sum.
  mix_.tables[kProducts].columns[1].raised = false;
  EXPECT_EQ(told(-9), Texts{});
}

TEST_F(MixAckCheck, FindsATextOfAnOlderWrite) {
  for (int i = 0; i < 3; ++i) Log(kRename, {3});
  const auto told = [&](uint64_t stamp) {
    return Told([&](ShownStore& store) {
      store.Show(kCustomers, 3, Make(kCustomers, 3, stamp));
    });
  };
  EXPECT_EQ(told(104), Texts{});
  EXPECT_EQ(told(102),
            (Texts{"acknowledged: customers: row 3: name is older, request "
                   "2"}));
  EXPECT_EQ(told(kLoaded).size(), 3);
  // The last two overlapped, so that either may have been the later one.
  std::swap(log_[1].end, log_[2].end);
  EXPECT_EQ(told(102), Texts{});
  EXPECT_EQ(told(100).size(), 2);
}

TEST_F(MixAckCheck, MissesARowThatWasPut) {
  mix_ = ReadWhole(kPuts);
  Log(0, {1, 2, 3, 4, 5, 0});
  const uint64_t stamp = log_[0].request.stamp;
  const auto see = [&](ShownStore& store) {
    for (uint64_t i = 1; i < 5; ++i) store.Show(0, i, Make(0, i, stamp));
  };
  EXPECT_EQ(Told(see),
            (Texts{"acknowledged: t: row 5: it is missing, request 0"}));
}

TEST(MixRequestLog, KeepsWhatHonestClientsAreToldAndNothingIsLost) {
  for (const std::string_view text : {kExample, kDeletes, kPuts}) {
    KvMix kv(ReadWhole(text));
    waltax::TemporaryFile file;
    std::unique_ptr<AckLog> log;
    ASSERT_TRUE(AckLog::Open(file.path(), &log).ok());
    TableStates states;
    ASSERT_TRUE(Survey(kv.values, &kv.store, &states).ok());
    const auto workload =
        NewMixWorkload(kv.values, &kv.store, 4, std::move(states), log.get());
    std::atomic<uint64_t> committed = 0;
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i) {
      clients.emplace_back([&, i] {
        const auto worker = workload->NewWorker(i, 7);
        for (int k = 0; k < 200; ++k) {
          worker->Draw();
          committed += worker->Execute().committed ? 1 : 0;
        }
      });
    }
    for (std::thread& client : clients) client.join();
    std::vector<LoggedRequest> logged;
    ASSERT_TRUE(ReadRequestLog(file.path(), kv.mix, &logged).ok());
    CheckResult result;
    ASSERT_TRUE(Check(kv.values, kv.store, nullptr, &logged, &result).ok());
    EXPECT_EQ(result.violations, Texts{});
    EXPECT_GT(committed, 100);
    EXPECT_EQ(result.acknowledged.value_or(Acknowledged{}).count, committed);
  }
}

TEST(MixRequestLog, OfAnotherMixIsRefused) {
  const Mix puts = ReadWhole(kPuts);
  waltax::TemporaryFile file;
  std::vector<LoggedRequest> logged;
  // Of three numbers in place of eight, and of an operation that it has not.
  for (const char* line : {"? 7 0 1\n", "? 7 9 1 2 3 4 5 0\n"}) {
    std::ofstream(file.path()) << line;
    EXPECT_FALSE(ReadRequestLog(file.path(), puts, &logged).ok()) << line;
  }
}

}  // namespace
}  // namespace waltax::mix
