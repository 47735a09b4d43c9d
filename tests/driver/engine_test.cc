#include "driver/engine.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/driver/rocksdb/temporary_database.h"

namespace waltax {
namespace {

class DataSetRecord : public ::testing::Test {
 protected:
  void Write() {
    const Status written =
        WriteDataSetRecord(database_.engine(), "fake", 3, {{"warehouses", 5}});
    ASSERT_TRUE(written.ok()) << written.message();
  }
  Status Read(const std::string& workload, int layout) {
    return ReadDataSetRecord(database_.engine(), workload, layout, &record_);
  }
  // What a sentence of it begins with.
  [[nodiscard]] std::string DataSet() const {
    return "--db: the data set in " + database_.path();
  }

  TemporaryDatabase database_;
  nlohmann::json record_;
};

TEST_F(DataSetRecord, IsReadAsItWasWritten) {
  Write();
  const Status read = Read("fake", 3);
  EXPECT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(
      record_,
      (nlohmann::json{{"workload", "fake"}, {"layout", 3}, {"warehouses", 5}}));
}

TEST_F(DataSetRecord, IsMissingFromALoadThatDidNotFinish) {
  const Status read = Read("fake", 3);
  EXPECT_EQ(read.exit_code(), 2);
  EXPECT_EQ(read.message(),
            DataSet() + " is missing or incomplete: remove it and load again");
}

TEST_F(DataSetRecord, IsIncompleteWhenItIsNoObject) {
  ASSERT_TRUE(
      database_.db()->Put({}, database_.table(0), "meta", "{\"lay").ok());
  EXPECT_NE(Read("fake", 3).message().find("incomplete"), std::string::npos);
}

TEST_F(DataSetRecord, IsRefusedToAnotherWorkloadOrLayout) {
  Write();
  EXPECT_EQ(Read("other", 3).message(),
            DataSet() +
                " is fake layout 3, want other layout 3: "
                "load again");
  EXPECT_EQ(Read("fake", 4).message(),
            DataSet() +
                " is fake layout 3, want fake layout 4: "
                "load again");
  EXPECT_EQ(Read("fake", 4).exit_code(), 2);
}

TEST_F(DataSetRecord, IsRefusedWhenItsTypesAreDamaged) {
  ASSERT_TRUE(database_.db()
                  ->Put({}, database_.table(0), "meta",
                        R"({"workload": 7, "layout": "x"})")
                  .ok());
  EXPECT_EQ(Read("fake", 3).message(),
            DataSet() +
                " is 7 layout x, want fake layout 3: load "
                "again");
  ASSERT_TRUE(database_.db()->Put({}, database_.table(0), "meta", "{}").ok());
  EXPECT_EQ(Read("fake", 3).message(),
            DataSet() +
                " is unknown layout unknown, want fake "
                "layout 3: load again");
}

TEST_F(DataSetRecord, IsInTheTablesAndNotInTheWal) {
  const uint64_t before = database_.engine().Snapshot().at("rocksdb.wal.bytes");
  Write();
  EXPECT_EQ(database_.engine().Snapshot().at("rocksdb.wal.bytes"), before);
  std::vector<rocksdb::LiveFileMetaData> files;
  database_.db()->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].column_family_name, "default");
}

}  // namespace
}  // namespace waltax
