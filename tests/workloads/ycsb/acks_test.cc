#include <gtest/gtest.h>

#include "tests/temporary_file.h"
#include "tests/workloads/ycsb/memory/store.h"
#include "tests/workloads/ycsb/operations.h"
#include "workloads/ycsb/workload.h"

namespace waltax::ycsb {
namespace {

class AcksTest : public testing::Test {
 protected:
  AcksTest() {
    options_.requests.proportions = {0, 0, 1, 0, 0};
    EXPECT_TRUE(Resolve(&options_).ok());
  }

  // Inserts so many records of a run into `store`.
  void Insert(MemoryStore* store, int records) {
    std::unique_ptr<AckLog> log;
    ASSERT_TRUE(AckLog::Open(file_.path(), kAcks, &log).ok());
    store->Fill(1);
    const auto workload =
        NewYcsbWorkload(std::make_shared<RequestModel>(options_), store, 1,
                        Totals{1000, 0}, log.get());
    const auto worker = workload->NewWorker(0, 1);
    for (int i = 0; i < records; ++i) {
      worker->Draw();
      ASSERT_EQ(worker->Execute().error, nullptr);
    }
  }
  CheckResult Checked(MemoryStore* store) {
    CheckResult result;
    Expected expected;
    EXPECT_TRUE(
        ReadAckLog(file_.path(), &expected.acknowledged.emplace()).ok());
    EXPECT_TRUE(CheckRecords(options_.data, expected, 1, store, &result).ok());
    return result;
  }

  Options options_;
  // Of this process alone: tests run beside each other.
  TemporaryFile file_;
};

TEST_F(AcksTest, AreThoseOfTheInsertsThatAreThere) {
  MemoryStore store(options_.data);
  Insert(&store, 5);
  const CheckResult result = Checked(&store);
  EXPECT_EQ(result.violation_count, 0U);
  ASSERT_TRUE(result.acknowledged);
  EXPECT_EQ(result.acknowledged->count, 5U);
  EXPECT_EQ(result.acknowledged->lost, 0U);
}

TEST_F(AcksTest, FindEachInsertThatIsLost) {
  MemoryStore store(options_.data);
  Insert(&store, 3);
  MemoryStore emptied(options_.data);
  emptied.Fill(1);
  const std::string text(100, 'x');
  ycsb::Insert(*emptied.NewSession(1), "user" + std::to_string(Fnv64(1000)),
               {std::nullopt, std::vector<std::string_view>(10, text), {}});
  const CheckResult result = Checked(&emptied);
  EXPECT_EQ(result.violation_count, 2U);
  EXPECT_EQ(result.violations[0].substr(0, 18), "acknowledged: user");
  EXPECT_EQ(result.acknowledged->lost, 2U);
  EXPECT_EQ(result.acknowledged->oldest_lost, 1U);
}

}  // namespace
}  // namespace waltax::ycsb
