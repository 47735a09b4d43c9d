#include "driver/sql/data_set_record.h"

#include <nlohmann/json.hpp>

#include "tests/driver/sql/server.h"

namespace waltax::mariadb {
namespace {

class DataSetRecordTest : public ServerTest {
 protected:
  Status Write() {
    return WriteDataSetRecord(*connection_, TestEngine(), "linkbench", 3,
                              {{"seed", 7}, {"text", "it's \\ \"so\""}});
  }
  Status Read(const std::string& workload, int layout) {
    return ReadDataSetRecord(*connection_, workload, layout, &record_);
  }
  nlohmann::json record_;
};

TEST_F(DataSetRecordTest, IsReadAsItWasWritten) {
  ASSERT_TRUE(Write().ok());
  const Status status = Read("linkbench", 3);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(record_["seed"], 7);
  EXPECT_EQ(record_["text"], "it's \\ \"so\"");
}

TEST_F(DataSetRecordTest, IsMissingFromALoadThatDidNotFinish) {
  CreateTable("linktable", "id INT PRIMARY KEY");
  const Status status = Read("linkbench", 3);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_NE(status.message().find("incomplete"), std::string::npos);
  EXPECT_NE(status.message().find("\"unit\""), std::string::npos)
      << status.message();
}

TEST_F(DataSetRecordTest, OfAnotherWorkloadIsRefused) {
  ASSERT_TRUE(Write().ok());
  const Status status = Read("tpcc", 3);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_NE(status.message().find("is linkbench layout 3, want tpcc layout 3"),
            std::string::npos)
      << status.message();
}

TEST_F(DataSetRecordTest, OfAnotherLayoutIsRefused) {
  ASSERT_TRUE(Write().ok());
  EXPECT_EQ(Read("linkbench", 4).exit_code(), 2);
}

TEST_F(DataSetRecordTest, ThatIsDamagedIsRefused) {
  ASSERT_TRUE(Write().ok());
  MustExecute(*connection_, "UPDATE data_set SET record = '[1'");
  EXPECT_EQ(Read("linkbench", 3).exit_code(), 2);
}

TEST_F(DataSetRecordTest, KeepsASecondLoadOut) {
  EXPECT_TRUE(WantEmptyDatabase(*connection_).ok());
  ASSERT_TRUE(Write().ok());
  const Status status = WantEmptyDatabase(*connection_);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_NE(status.message().find("--database: found 1 tables"),
            std::string::npos)
      << status.message();
}

}  // namespace
}  // namespace waltax::mariadb
