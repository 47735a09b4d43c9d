// The store in memory: a full second implementation, for tests and for runs
// that shall not touch an engine.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "workloads/ycsb/store.h"

namespace waltax::ycsb {

// Thread-safe: one lock, which each operation takes once.
class MemoryStore : public Store {
 public:
  explicit MemoryStore(const DataOptions& data) : data_(data) {}

  // Fills it as a load fills a database.
  void Fill(uint64_t seed);

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status ReadRows(const KeyRange& range, bool fields,
                  const VisitRow& visit) override;

 private:
  friend class MemorySession;

  struct Record {
    std::vector<std::string> fields;
    uint64_t counter = 0;
  };

  void Put(std::string_view key, const Values& values);

  DataOptions data_;
  std::mutex mutex_;
  std::map<std::string, Record, std::less<>> table_;
};

}  // namespace waltax::ycsb
