#include "driver/program/nodes.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "driver/report.h"
#include "driver/slice_runner.h"
#include "tests/driver/fakes.h"

namespace waltax {
namespace {

// Counts `step` more each time it is looked at.
class CountingEngine : public Engine {
 public:
  CountingEngine(std::string name, uint64_t step, uint64_t bytes)
      : name_(std::move(name)), step_(step), bytes_(bytes) {}
  [[nodiscard]] nlohmann::json Describe() const override {
    return {{"name", name_}};
  }
  [[nodiscard]] std::vector<std::string> Warnings() const override {
    return {"said of both", "said of " + name_};
  }
  [[nodiscard]] Counters Snapshot() const override {
    seen_ += step_;
    return {{"syncs", seen_}};
  }
  [[nodiscard]] uint64_t DataBytes() const override { return bytes_; }

 private:
  std::string name_;
  uint64_t step_;
  uint64_t bytes_;
  mutable uint64_t seen_ = 100;
};

class NodeEnginesTest : public testing::Test {
 protected:
  nlohmann::json Slice(Engine& engine) {
    FakeWorkload workload;
    SliceRunner runner(workload, engine, {});
    SliceRequest request;
    request.requests = 10;
    return SliceEvent(runner.Run(request, nullptr), workload);
  }

  CountingEngine first_ = {"a", 3, 1000};
  CountingEngine second_ = {"b", 5, 2000};
};

TEST_F(NodeEnginesTest, CountASliceNodeByNodeAndInAll) {
  NodeEngines engines({&first_, &second_});
  const nlohmann::json slice = Slice(engines);
  EXPECT_EQ(slice["counters"], (nlohmann::json{{"syncs", 8}}));
  EXPECT_EQ(slice["data_bytes"], 3000);
  EXPECT_EQ(slice["node_engines"],
            nlohmann::json::parse(
                R"([{"counters": {"syncs": 3}, "data_bytes": 1000},
                    {"counters": {"syncs": 5}, "data_bytes": 2000}])"));
}

TEST_F(NodeEnginesTest, AreSilentWhereThereIsOneEngine) {
  const nlohmann::json slice = Slice(first_);
  EXPECT_EQ(slice["counters"], (nlohmann::json{{"syncs", 3}}));
  EXPECT_EQ(slice["data_bytes"], 1000);
  EXPECT_FALSE(slice.contains("node_engines"));
}

TEST_F(NodeEnginesTest, DescribeTheFirstAndAll) {
  const NodeEngines engines({&first_, &second_});
  EXPECT_EQ(engines.Describe(),
            nlohmann::json::parse(R"({"name": "a", "node_engines":
                                      [{"name": "a"}, {"name": "b"}]})"));
  EXPECT_EQ(engines.Warnings(), (std::vector<std::string>{
                                    "said of both", "said of a", "said of b"}));
}

}  // namespace
}  // namespace waltax
