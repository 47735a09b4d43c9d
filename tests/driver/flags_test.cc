#include "driver/flags.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace waltax {
namespace {

// The program that main.cc of a workload builds.
class Flags : public ::testing::Test {
 protected:
  Flags() {
    app_.require_subcommand(1);
    CLI::App* run = app_.add_subcommand("run", "runs");
    AddEngineFlags(run, &engine_);
    AddRunFlags(run, &run_);
    app_.add_subcommand("load", "loads");
  }

  // Parses "linkbench ARGUMENTS" and keeps what went to stderr.
  std::optional<int> Parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "linkbench");
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    const auto code = ParseOrExplain(app_, static_cast<int>(arguments.size()),
                                     arguments.data());
    stdout_ = testing::internal::GetCapturedStdout();
    stderr_ = testing::internal::GetCapturedStderr();
    return code;
  }

  CLI::App app_{"runs LinkBench", "linkbench"};
  EngineFlags engine_;
  RunFlags run_;
  std::string stdout_;
  std::string stderr_;
};

TEST_F(Flags, KeepTheirDefaultsWhenNotGiven) {
  EXPECT_EQ(Parse({"run"}), std::nullopt);
  EXPECT_EQ(engine_.durability, "sync");
  EXPECT_EQ(run_.threads, 1);
}

TEST_F(Flags, AreRead) {
  EXPECT_EQ(Parse({"run", "--threads", "8", "--seed=7", "--rate", "1.5e3",
                   "--durability", "off", "--sync-every-ms", "5"}),
            std::nullopt);
  EXPECT_EQ(run_.threads, 8);
  EXPECT_EQ(run_.seed, 7U);
  EXPECT_EQ(run_.rate, 1500);
  EXPECT_EQ(engine_.durability, "off");
  EXPECT_EQ(engine_.sync_every_ms, 5U);
}

TEST_F(Flags, ExplainAWrongNumber) {
  EXPECT_EQ(Parse({"run", "--threads", "abc"}), 2);
  EXPECT_EQ(stderr_,
            "linkbench: --threads: found \"abc\", want a whole number from 1 "
            "to 1024\n");
}

TEST_F(Flags, ExplainANumberOutOfRange) {
  EXPECT_EQ(Parse({"run", "--threads", "0"}), 2);
  EXPECT_EQ(stderr_,
            "linkbench: --threads: found \"0\", want a whole number from 1 to "
            "1024\n");
}

TEST_F(Flags, RefuseANumberWithATail) {
  EXPECT_EQ(Parse({"run", "--block-cache-mb", "12x"}), 2);
  EXPECT_EQ(Parse({"run", "--rate", "nan"}), 2);
  EXPECT_EQ(Parse({"run", "--seed", "-1"}), 2);
  EXPECT_EQ(stderr_,
            "linkbench: --seed: found \"-1\", want a whole number of at least "
            "0\n");
}

TEST_F(Flags, ExplainAWrongChoice) {
  EXPECT_EQ(Parse({"run", "--durability", "sometimes"}), 2);
  EXPECT_EQ(stderr_,
            "linkbench: --durability: found \"sometimes\", want one of: sync "
            "flush off\n");
}

TEST_F(Flags, ExplainAMissingValue) {
  EXPECT_EQ(Parse({"run", "--threads"}), 2);
  EXPECT_EQ(stderr_,
            "linkbench: --threads: 1 required N missing; --help, also behind a "
            "command, lists what it takes\n");
  EXPECT_EQ(Parse({"run", "--wal-dir", "--threads", "1"}), 2);
  EXPECT_EQ(stderr_,
            "linkbench: --wal-dir: found \"--threads\", want an existing "
            "writable directory\n");
}

TEST_F(Flags, RefuseAValueOfASwitch) {
  for (const char* value : {"x", "on", "2x", "99999999999999999999", "-"}) {
    const std::string argument = std::string("--print-options=") + value;
    EXPECT_EQ(Parse({"run", argument.c_str()}), 2) << argument;
    EXPECT_EQ(stderr_,
              "linkbench: print-options was given a disallowed flag override; "
              "--help, also behind a command, lists what it takes\n");
  }
}

TEST_F(Flags, RefuseTheSameFlagTwice) {
  EXPECT_EQ(Parse({"run", "--threads=1", "--threads=2"}), 2);
  EXPECT_EQ(stderr_.find("linkbench: --threads: "), 0U) << stderr_;
}

TEST_F(Flags, ShowWhatWasTypedOnOneLine) {
  EXPECT_EQ(Parse({"run", "--threads", "\033[2J\nwarning: \302\2332J"}), 2);
  EXPECT_EQ(stderr_,
            "linkbench: --threads: found \"?[2J?warning: ?2J\", want a whole "
            "number from 1 to 1024\n");
}

TEST_F(Flags, ListTheAcceptedOnesForAnUnknownOne) {
  EXPECT_EQ(Parse({"run", "--thread", "1"}), 2);
  EXPECT_EQ(stderr_.find("linkbench: --thread: found an unknown flag, want one "
                         "of: --help --db --wal-dir"),
            0U)
      << stderr_;
}

TEST_F(Flags, WantACommand) {
  EXPECT_EQ(Parse({"walk"}), 2);
  EXPECT_EQ(Parse({}), 2);
  EXPECT_NE(stderr_.find("subcommand is required"), std::string::npos)
      << stderr_;
}

TEST_F(Flags, ShowHelpOnStdout) {
  EXPECT_EQ(Parse({"run", "--help"}), 0);
  EXPECT_NE(stdout_.find("--threads N"), std::string::npos) << stdout_;
  EXPECT_EQ(stderr_, "");
}

TEST(Explain, PrintsTheProgramAndReturnsTheExitCode) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(Explain("linkbench", Status::Failed("no luck")), 1);
  EXPECT_EQ(Explain("linkbench", Status::Ok()), 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "linkbench: no luck\n");
}

}  // namespace
}  // namespace waltax
