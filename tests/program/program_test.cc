#include "program/program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace waltax {
namespace {

// Has no store but the one that does nothing, and no flag of its own.
class Smallest : public Program {
 public:
  Smallest() : Program("smallest", "a workload without stores") {}

  int Obey(std::vector<const char*> words) {
    words.insert(words.begin(), "smallest");
    testing::internal::CaptureStderr();
    const int exit_code = Main(static_cast<int>(words.size()), words.data());
    said_ = testing::internal::GetCapturedStderr();
    return exit_code;
  }
  [[nodiscard]] const std::string& said() const { return said_; }

 private:
  void AddFlags(const Commands& /*commands*/) override {}
  Status OpenNull() override { return Status::Failed("opened"); }
  Status NewWorkload(std::unique_ptr<Workload>* /*workload*/) override {
    return Status::Failed("not reached");
  }

  std::string said_;
};

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
              "smallest: --store: found \"rocksdb\", which smallest does not "
              "have, want another\n");
  }
  EXPECT_FALSE(std::filesystem::exists(place));
  Smallest program;
  EXPECT_EQ(program.Obey({"run", "--store=redis"}), 2);
}

TEST(Program, LoadsAndChecksOnlyWhatLasts) {
  for (const char* command : {"load", "check"}) {
    Smallest program;
    EXPECT_EQ(program.Obey({command, "--store=null"}), 2);
    EXPECT_NE(program.said().find("want one of: rocksdb myrocks innodb"),
              std::string::npos)
        << program.said();
  }
}

}  // namespace
}  // namespace waltax
