#include <nlohmann/json.hpp>

#include "driver/engine.h"
#include "driver/sql/server_engine.h"
#include "tests/driver/sql/server.h"

namespace waltax::mariadb {
namespace {

class DataSetRecordTest : public ServerTest {
 protected:
  DataSetRecordTest() {
    const Status status = ServerEngine::Open({flags_, TestEngine()}, &engine_);
    if (!status.ok()) throw std::runtime_error(status.message());
  }
  Status Write() {
    return WriteDataSetRecord(*engine_, "linkbench", 3,
                              {{"seed", 7}, {"text", "it's \\ \"so\""}});
  }
  Status Read(const std::string& workload, int layout) {
    return ReadDataSetRecord(*engine_, workload, layout, &record_);
  }
  std::unique_ptr<ServerEngine> engine_;
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
  EXPECT_NE(status.message().find("database unit on "), std::string::npos)
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

}  // namespace
}  // namespace waltax::mariadb
