// The seam between the workload and what stores it: operations on one table of
// records with a key and fields, each of which commits by itself, and what a
// check reads.
//
// A record also counts its read-modify-writes, beside its fields: what they add
// up to is what was acknowledged, or an update was lost.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "driver/answering.h"
#include "driver/status.h"
#include "workloads/ycsb/records.h"

namespace waltax::ycsb {

// A record that was read; its views live until the session's next operation. Of
// a read of one field, the others are empty.
struct Row {
  std::vector<std::string_view> fields;
  uint64_t counter = 0;
};

// An operation.
struct Request {
  Op op = Op::kRead;
  std::string key;
  Field field;               // that is read
  Values values;             // that are written; of an insert, all
  uint32_t scan_length = 0;  // records at most, from the key on
  // An update that writes the whole record, whether it is there or not, and
  // does not say whether it was. REQUIRES: `values` has all fields.
  bool blind = false;

  // Whether it can find no record that it would change.
  [[nodiscard]] bool can_miss() const { return op != Op::kInsert && !blind; }
};

// One worker's access to the store. Not thread-safe; sessions of one store may
// run concurrently.
class Session : protected Answering<Reply> {
 public:
  using Answering<Reply>::Answering;
  virtual ~Session() = default;
  // An update replaces the fields that `values` has, and keeps the others; a
  // read-modify-write does it in one transaction that counts itself, and `row`
  // is what was there before. A write changes something unless an update met
  // its own values. REQUIRES: no session has written the key of an insert.
  virtual Reply Execute(const Request& /*request*/, Row* /*row*/) {
    Reply reply = Answer();
    reply.found = reply.changed = true;
    return reply;
  }

 protected:
  // The reply to what a store gave up.
  Reply GivenUp(const Request& request, const std::string& why, bool fatal,
                const Reply& reply) {
    return Answering<Reply>::GivenUp(kOpNames[static_cast<size_t>(request.op)],
                                     why, fatal, reply);
  }
};

// The keys from `first` on and before `end`, in bytes; empty: without end.
struct KeyRange {
  std::string first;
  std::string end;
};

// Sees a row, or null where a key has what is no record; it is valid until the
// function returns.
using VisitRow = std::function<void(std::string_view key, const Row* row)>;

// Thread-safe. One that is not derived from keeps nothing.
class Store {
 public:
  virtual ~Store() = default;
  // `seed` spreads the pauses between retries. A session that cannot be had is
  // one whose every operation fails for that reason.
  virtual std::unique_ptr<Session> NewSession(uint64_t /*seed*/) {
    return std::make_unique<Session>();
  }
  // Shows the rows of a range in ascending order of their keys; without
  // `fields` their counters matter alone. Fails when they cannot be read.
  virtual Status ReadRows(const KeyRange& /*range*/, bool /*fields*/,
                          const VisitRow& /*visit*/) {
    return Status::Usage(
        "check: found the null store, which keeps nothing, want another store");
  }
  // The stores of the nodes that the table is dealt out to, in their order.
  virtual std::vector<Store*> Nodes() { return {this}; }
  // Adds what else there is to say of a slice, since the last call. REQUIRES:
  // all sessions are idle.
  virtual void AddToSlice(nlohmann::json* slice) { (void)slice; }
};

}  // namespace waltax::ycsb
