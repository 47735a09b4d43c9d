// A workload, a worker and a clock without anything behind them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/engine.h"
#include "driver/workload.h"

namespace waltax {

// Calls `draw`, and `execute` with the number of the request, from 0.
class FakeWorker : public Worker {
 public:
  explicit FakeWorker(
      std::function<Outcome(uint64_t)> execute,
      std::function<void()> draw = [] {})
      : execute_(std::move(execute)), draw_(std::move(draw)) {}
  void Draw() override {
    ++drawn_;
    draw_();
  }
  Outcome Execute() override { return execute_(executed_++); }
  void AddColumns(nlohmann::json* columns) override {
    (*columns)["drawn"] = columns->value("drawn", uint64_t{0}) + drawn_;
  }
  int64_t PauseNs() override { return pause_ns; }
  [[nodiscard]] uint64_t drawn() const { return drawn_; }

  int64_t pause_ns = 0;

 private:
  std::function<Outcome(uint64_t)> execute_;
  std::function<void()> draw_;
  uint64_t drawn_ = 0;
  uint64_t executed_ = 0;
};

class FakeWorkload : public Workload {
 public:
  using Execute = std::function<Outcome(int thread, uint64_t request)>;
  explicit FakeWorkload(Execute execute =
                            [](int, uint64_t request) {
                              return Outcome{.operation = static_cast<uint32_t>(
                                                 request % 2)};
                            })
      : execute_(std::move(execute)) {}

  [[nodiscard]] const std::vector<std::string_view>& OperationNames()
      const override {
    static const std::vector<std::string_view> kNames = {"EVEN", "ODD"};
    return kNames;
  }
  [[nodiscard]] nlohmann::json Describe() const override {
    return {{"name", "fake"}};
  }
  // Odd requests a minute.
  [[nodiscard]] Throughput throughput() const override {
    return {"odd/min", 1, 60};
  }
  std::unique_ptr<Worker> NewWorker(int index, uint64_t) override {
    return std::make_unique<FakeWorker>([this, index](uint64_t request) {
      ++executed;
      {
        const std::scoped_lock lock(mutex_);
        ++by_thread_[index];
      }
      return execute_(index, request);
    });
  }
  // How many requests each thread executed so far.
  [[nodiscard]] std::vector<uint64_t> ByThread() const {
    std::vector<uint64_t> all;
    for (const auto& [thread, requests] : by_thread_) all.push_back(requests);
    return all;
  }
  Status Check(CheckResult* result) override {
    result->counted.emplace_back("things", 7);
    result->violation_count = 8;
    result->violations.emplace_back("thing 3 is missing");
    return Status::Ok();
  }

  std::atomic<uint64_t> executed = 0;

 private:
  Execute execute_;
  std::mutex mutex_;
  std::map<int, uint64_t> by_thread_;
};

// Counts `step` more each time it is looked at.
class NodeEngine : public Engine {
 public:
  NodeEngine(std::string name, uint64_t step, uint64_t bytes)
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

// Time that passes only when told to.
class FakeClock {
 public:
  [[nodiscard]] int64_t NowNs() const { return now_ns_; }
  void Sleep(int64_t ns) const {
    now_ns_ += ns + late_ns;
    ++sleeps;
  }
  void Advance(int64_t ns) const { now_ns_ += ns; }

  int64_t late_ns = 0;  // by which a sleep is too long
  mutable int sleeps = 0;

 private:
  mutable int64_t now_ns_ = 0;
};

}  // namespace waltax
