#include "driver/serve.h"

#include <gtest/gtest.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "driver/engine.h"
#include "tests/driver/fakes.h"

namespace waltax {
namespace {

using nlohmann::json;

// One session over stdin and stdout, with the events that came out.
class Serving : public ::testing::Test {
 protected:
  int Serve(const std::string& commands, FakeWorkload workload_to_serve) {
    std::istringstream in(commands);
    std::ostringstream out;
    auto* cin = std::cin.rdbuf(in.rdbuf());
    auto* cout = std::cout.rdbuf(out.rdbuf());
    std::cin.clear();
    RunFlags flags;
    flags.threads = 2;
    flags.seed = 9;
    const int code = waltax::Serve("fake", workload_to_serve, engines_, flags);
    std::cin.rdbuf(cin);
    std::cout.rdbuf(cout);
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) {
      events_.push_back(json::parse(line));
    }
    return code;
  }
  int Serve(const std::string& commands) {
    return Serve(commands, FakeWorkload());
  }

  std::vector<json> events_;
  Engines engines_ = {&engine_};

 private:
  NullEngine engine_;
};

std::set<std::string> Keys(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

TEST_F(Serving, SaysWhatItIsAndGoodbye) {
  EXPECT_EQ(Serve("{\"cmd\":\"quit\"}\n"), 0);
  ASSERT_EQ(events_.size(), 2U);
  const json& ready = events_[0];
  EXPECT_EQ(Keys(ready),
            (std::set<std::string>{"event", "program", "pid", "seed", "threads",
                                   "rate", "arrivals", "engine", "workload",
                                   "build_type", "compiler", "compiler_flags",
                                   "warnings", "generator_cpu_us_per_op",
                                   "throughput_unit", "data_bytes"}));
  EXPECT_EQ(ready["event"], "ready");
  EXPECT_EQ(ready["program"], "fake");
  EXPECT_EQ(ready["seed"], 9);
  EXPECT_EQ(ready["engine"]["name"], "null");
  EXPECT_EQ(ready["workload"]["name"], "fake");
  EXPECT_EQ(ready["throughput_unit"], "odd/min");
  EXPECT_EQ(ready["data_bytes"], 0);
  EXPECT_GT(ready["generator_cpu_us_per_op"], 0.0);
  EXPECT_EQ(events_[1], (json{{"event", "bye"}}));
}

TEST_F(Serving, DescribesTheFirstNodeAndAllWithEachWarningOnce) {
  NodeEngine first("a", 3, 1000);
  NodeEngine second("b", 5, 2000);
  engines_ = {&first, &second};
  EXPECT_EQ(Serve(""), 0);
  const json& ready = events_[0];
  EXPECT_EQ(ready["engine"], json::parse(R"({"name": "a", "node_engines":
                                      [{"name": "a"}, {"name": "b"}]})"));
  EXPECT_EQ(ready["data_bytes"], 3000);
  // Behind those of the build.
  const std::vector<std::string> warnings = ready["warnings"];
  ASSERT_GE(warnings.size(), 3U);
  EXPECT_EQ(
      std::vector<std::string>(warnings.end() - 3, warnings.end()),
      (std::vector<std::string>{"said of both", "said of a", "said of b"}));
}

TEST_F(Serving, TakesTheEndOfStdinForQuit) {
  EXPECT_EQ(Serve(""), 0);
  EXPECT_EQ(events_.back()["event"], "bye");
}

TEST_F(Serving, ReportsASliceWithAllItsKeys) {
  EXPECT_EQ(Serve("{\"cmd\":\"run\",\"requests\":100}\n"), 0);
  ASSERT_EQ(events_.size(), 3U);
  const json& slice = events_[1];
  EXPECT_EQ(Keys(slice),
            (std::set<std::string>{"event",
                                   "start_unix_s",
                                   "warmup_s",
                                   "measure_s",
                                   "driven_s",
                                   "overtime_s",
                                   "requests",
                                   "slice_requests",
                                   "commits",
                                   "throughput",
                                   "throughput_unit",
                                   "data_bytes",
                                   "errors",
                                   "retries",
                                   "error_samples",
                                   "operations",
                                   "all_operations",
                                   "columns",
                                   "counters",
                                   "cpu_user_s",
                                   "cpu_system_s",
                                   "context_switches_voluntary",
                                   "context_switches_involuntary"}));
  EXPECT_EQ(slice["requests"], 200);
  const json& even = slice["operations"]["EVEN"];
  EXPECT_EQ(Keys(even), (std::set<std::string>{
                            "count", "rows", "errors", "retries", "mean_us",
                            "min_us", "p50_us", "p95_us", "p99_us", "p999_us",
                            "max_us", "counts_ns"}));
  EXPECT_EQ(even["count"], 100);
  EXPECT_EQ(slice["all_operations"]["count"], 200);
  EXPECT_EQ(slice["columns"]["drawn"], 200);
}

TEST_F(Serving, ReportsTheThroughputThatTheWorkloadDefines) {
  EXPECT_EQ(Serve("{\"cmd\":\"run\",\"requests\":100}\n"), 0);
  const json& slice = events_[1];
  EXPECT_EQ(slice["throughput_unit"], "odd/min");
  EXPECT_DOUBLE_EQ(slice["throughput"].get<double>(),
                   100 * 60 / slice["measure_s"].get<double>());
}

TEST_F(Serving, ReportsViolationsOfACheckAsAResult) {
  EXPECT_EQ(Serve("{\"cmd\":\"check\"}\n"), 0);
  const json& check = events_[1];
  EXPECT_EQ(check["ok"], false);
  EXPECT_EQ(check["counted"]["things"], 7);
  EXPECT_EQ(check["violation_count"], 8);
  EXPECT_EQ(check["violations"], json::array({"thing 3 is missing"}));
}

TEST_F(Serving, EndsWithTwoAtABadCommand) {
  EXPECT_EQ(Serve("nonsense\n{\"cmd\":\"quit\"}\n"), 2);
  EXPECT_EQ(events_.back()["event"], "error");
}

TEST_F(Serving, EndsWithOneWhenRequestsFail) {
  const std::string reason = "key \xff is lost";
  EXPECT_EQ(Serve("{\"cmd\":\"run\",\"measure_s\":3600}\n",
                  FakeWorkload([&reason](int, uint64_t) {
                    return Outcome{.error = &reason};
                  })),
            1);
  EXPECT_EQ(events_.back()["event"], "error");
  const std::string message = events_.back()["message"];
  EXPECT_NE(message.find("is lost"), std::string::npos) << message;
}

}  // namespace
}  // namespace waltax
