#include <gtest/gtest.h>

#include "driver/serve.h"

namespace waltax {
namespace {

std::string Refusal(const std::string& line) {
  Command command;
  const Status status = ParseCommand(line, &command);
  EXPECT_EQ(status.exit_code(), 2) << line;
  return status.message();
}

TEST(Protocol, ReadsARunCommand) {
  Command command;
  const Status status = ParseCommand(
      R"({"cmd":"run","warmup_s":0.5,"measure_s":2,"requests":7})", &command);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(command.kind, Command::Kind::kRun);
  EXPECT_EQ(command.slice.warmup_s, 0.5);
  EXPECT_EQ(command.slice.measure_s, 2);
  EXPECT_EQ(command.slice.requests, 7U);
}

TEST(Protocol, ReadsCheckAndQuit) {
  Command command;
  ASSERT_TRUE(ParseCommand(R"({"cmd":"check"})", &command).ok());
  EXPECT_EQ(command.kind, Command::Kind::kCheck);
  ASSERT_TRUE(ParseCommand(R"({"cmd":"quit"})", &command).ok());
  EXPECT_EQ(command.kind, Command::Kind::kQuit);
}

TEST(Protocol, RefusesWhatIsNoCommand) {
  for (const char* line : {"run", "", "[1]", "{}", R"({"cmd":7})"}) {
    EXPECT_TRUE(Refusal(line).starts_with("command: ")) << line;
  }
  EXPECT_EQ(Refusal(R"({"cmd":"jump"})"),
            "command: cmd: want run, check or quit, found jump");
}

TEST(Protocol, NamesTheKeyThatIsWrong) {
  EXPECT_EQ(Refusal(R"({"cmd":"run","measure_s":-1})"),
            "command: measure_s: found -1, want a number from 0 to 10000000");
  EXPECT_TRUE(Refusal(R"({"cmd":"run","requests":1.5})")
                  .starts_with("command: requests: found 1.5, want a whole "
                               "number from 0 to "));
  Refusal(R"({"cmd":"run","measure_s":"2"})");
}

TEST(Protocol, SurvivesWhatNobodyWouldSend) {
  const std::string deep(100'000, '[');
  const std::string closed = deep + std::string(deep.size(), ']');
  for (const std::string& line :
       {deep, closed, R"({"cmd":)" + closed + "}",
        R"({"cmd":"run","measure_s":)" + closed + "}",
        R"({"cmd":"run","requests":)" + std::string(5000, '9') + "}",
        std::string(R"({"cmd":"run","measure_s":1e400})"),
        std::string("{\"cmd\":\"\xff\"}"),
        std::string(R"({"cmd":"run","measure_s":"\ud800"})"),
        R"({"cmd":"run",")" + std::string(100'000, 'k') + R"(":1})",
        R"({"cmd":")" + std::string(100'000, 'k') + R"("})"}) {
    Command command;
    const Status status = ParseCommand(line, &command);
    EXPECT_EQ(status.exit_code(), 2) << line.substr(0, 40);
    EXPECT_LT(status.message().size(), 500) << line.substr(0, 40);
  }
}

TEST(Protocol, RefusesASliceWithoutAnEnd) {
  EXPECT_EQ(Refusal(R"({"cmd":"run"})"),
            "command: measure_s: found 0, want more than 0 when requests is "
            "0");
}

}  // namespace
}  // namespace waltax
