// The smallest program of a workload.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "driver/program/program.h"

namespace waltax {

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
  [[nodiscard]] Layouts layouts() const override { return {.null = true}; }
  Status Load(RocksdbEngine* /*rocksdb*/, const LoadReport& /*report*/,
              Loaded* /*loaded*/) override {
    return Status::Failed("not reached");
  }
  Status Open(RocksdbEngine* /*rocksdb*/) override {
    return Status::Failed("opened");
  }
  Status Check(CheckResult* /*result*/) override {
    return Status::Failed("not reached");
  }
  Status NewWorkload(std::unique_ptr<Workload>* /*workload*/) override {
    return Status::Failed("not reached");
  }

  std::string said_;
};

}  // namespace waltax
