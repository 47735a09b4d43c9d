// The seam between the workload and what stores it: six operations on one table
// of records with a key and fields, each of which commits by itself.
//
// A record also counts its read-modify-writes, beside its fields: what they add
// up to is what was acknowledged, or an update was lost.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/answering.h"
#include "driver/status.h"
#include "driver/workload.h"
#include "ycsb/records.h"

namespace waltax::ycsb {

// A record that was read; its views live until the session's next operation. Of
// a read of one field, the others are empty.
struct Row {
  std::vector<std::string_view> fields;
  uint64_t counter = 0;
};

// One worker's access to the store. A write changes something unless an update
// met its own values. Not thread-safe; sessions of one store may
// run concurrently.
class Session : protected Answering<Reply> {
 public:
  using Answering<Reply>::Answering;
  virtual ~Session() = default;

  // All fields, or one.
  virtual Reply Read(std::string_view /*key*/,
                     std::optional<uint32_t> /*field*/, Row* /*row*/) {
    return Found();
  }
  // Replaces the fields that `values` has, and keeps the others.
  virtual Reply Update(std::string_view /*key*/, const Values& /*values*/) {
    return Found();
  }
  // Writes the whole record, whether it was there or not; `found` says nothing.
  // REQUIRES: `values` has all fields.
  virtual Reply Replace(std::string_view /*key*/, const Values& /*values*/) {
    return Found();
  }
  // Reads a record and updates it, in one transaction that counts itself.
  virtual Reply ReadModifyWrite(std::string_view /*key*/,
                                std::optional<uint32_t> /*field*/,
                                const Values& /*values*/, Row* /*row*/) {
    return Found();
  }
  // REQUIRES: no session has written the key, and `values` has all fields.
  virtual Reply Insert(std::string_view /*key*/, const Values& /*values*/) {
    return Found();
  }
  // The records from `key` on, at most `limit`.
  virtual Reply Scan(std::string_view /*key*/, uint32_t /*limit*/,
                     std::optional<uint32_t> /*field*/) {
    return Found();
  }

 private:
  Reply Found() {
    Reply reply = Answer();
    reply.found = reply.changed = true;
    return reply;
  }
};

// What a table holds in all.
struct Totals {
  uint64_t rows = 0;
  uint64_t counter = 0;  // of all records
};

// What a table must hold, beside what its data set says.
struct Expected {
  // The records from DataOptions::recordcount to before `next` were inserted,
  // but for the `doubtful` ones, which may be there or not. Empty: nobody knows
  // how many there are.
  std::optional<uint64_t> next;
  std::vector<uint64_t> doubtful;
  std::optional<uint64_t> counter;  // of all records; empty: nobody knows
};

// Thread-safe, except all but NewSession(), which want all sessions idle.
class Store {
 public:
  Store() = default;
  // Does nothing. `totals` is what a run shall find.
  explicit Store(const Totals& totals) : totals_(totals) {}
  virtual ~Store() = default;
  // `seed` spreads the pauses between retries.
  virtual std::unique_ptr<Session> NewSession(uint64_t /*seed*/) {
    return std::make_unique<Session>();
  }
  virtual Status Survey(Totals* totals) {
    *totals = totals_;
    return Status::Ok();
  }
  // Verifies that every record is there once and that its fields hold what they
  // must, on `threads` threads.
  virtual Status Check(const Expected& /*expected*/, int /*threads*/,
                       CheckResult* /*result*/) {
    return Status::Usage(
        "check: found the null store, which keeps nothing, want another store");
  }
  // Adds what else there is to say of a slice, since the last call.
  virtual void AddToSlice(nlohmann::json* slice) { (void)slice; }

 private:
  Totals totals_;
};

}  // namespace waltax::ycsb
