#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/driver/program/smallest.h"

namespace waltax {
namespace {

// Has a data set of one line in RocksDB.
class Described : public Smallest {
 public:
  explicit Described(int layout, bool loads = true)
      : layout_(layout), loads_(loads) {}
  [[nodiscard]] const nlohmann::json& accepted() const { return accepted_; }

 private:
  [[nodiscard]] std::vector<std::string> Tables() const override {
    return {"default"};
  }
  [[nodiscard]] Layouts layouts() const override { return {layout_, 0}; }
  [[nodiscard]] nlohmann::json Record() const override { return {{"of", 7}}; }
  Status Accept(const nlohmann::json& record,
                const std::string& where) override {
    accepted_ = record;
    return Status::Usage("accepted in " + where);
  }
  Status Load(RocksdbEngine* /*rocksdb*/, const LoadReport& /*report*/,
              Loaded* /*loaded*/) override {
    return loads_ ? Status::Ok() : Status::Failed("cut short");
  }

  int layout_;
  bool loads_;
  nlohmann::json accepted_;
};

class ProgramDataSet : public testing::Test {
 protected:
  ProgramDataSet() { std::filesystem::remove_all(place_); }
  ~ProgramDataSet() override { std::filesystem::remove_all(place_); }

  // Tests run beside each other.
  std::string place_ =
      testing::TempDir() + "waltax-" +
      testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string db_ = "--db=" + place_;
};

TEST_F(ProgramDataSet, IsDescribedByItsLoadAndAcceptedByItsRun) {
  Described program(1);
  ASSERT_EQ(program.Obey({"load", db_.c_str()}), 0) << program.said();
  EXPECT_EQ(program.Obey({"run", db_.c_str()}), 2);
  EXPECT_EQ(program.said(), "smallest: accepted in " + place_ + "\n");
  EXPECT_EQ(
      program.accepted(),
      (nlohmann::json{{"of", 7}, {"workload", "smallest"}, {"layout", 1}}));
}

TEST_F(ProgramDataSet, IsRefusedWithAnotherLayout) {
  Described older(1);
  ASSERT_EQ(older.Obey({"load", db_.c_str()}), 0) << older.said();
  Described newer(2);
  EXPECT_EQ(newer.Obey({"check", db_.c_str()}), 2);
  EXPECT_NE(newer.said().find("is smallest layout 1, want smallest layout 2"),
            std::string::npos)
      << newer.said();
}

TEST_F(ProgramDataSet, IsIncompleteAfterALoadThatWasCutShort) {
  Described program(1, /*loads=*/false);
  EXPECT_EQ(program.Obey({"load", db_.c_str()}), 1);
  EXPECT_EQ(program.said(), "smallest: cut short\n");
  EXPECT_EQ(program.Obey({"run", db_.c_str()}), 2);
  EXPECT_NE(program.said().find("incomplete"), std::string::npos)
      << program.said();
}

TEST(Program, OpensTheStoreThatWasAskedFor) {
  Smallest program;
  EXPECT_EQ(program.Obey({"run", "--store=null"}), 1);
  EXPECT_EQ(program.said(), "smallest: opened\n");
}

TEST(Program, RefusesAStoreThatTheWorkloadDoesNotHave) {
  const std::string place =
      std::filesystem::temp_directory_path() / "waltax-no-such-store";
  const std::string db = "--db=" + place;
  for (const char* command : {"load", "run", "check"}) {
    Smallest program;
    EXPECT_EQ(program.Obey({command, db.c_str()}), 2) << command;
    EXPECT_EQ(program.said(),
              std::string("smallest: --store: found \"rocksdb\", which "
                          "`smallest ") +
                  command + "` does not have, want another\n");
  }
  EXPECT_FALSE(std::filesystem::exists(place));
  Smallest program;
  EXPECT_EQ(program.Obey({"run", "--store=redis"}), 2);
}

TEST(Program, LoadsAndChecksOnlyWhatLasts) {
  for (const char* command : {"load", "check"}) {
    Smallest program;
    EXPECT_EQ(program.Obey({command, "--store=null"}), 2);
    EXPECT_NE(program.said().find("which `smallest "), std::string::npos)
        << program.said();
  }
}

}  // namespace
}  // namespace waltax
