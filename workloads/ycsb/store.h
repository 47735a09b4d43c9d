// The seam between the workload and what stores it: operations on one table of
// records with a key and fields, each of which commits by itself, and what a
// check reads.
//
// A record also counts its read-modify-writes, beside its fields: what they add
// up to is what was acknowledged, or an update was lost.
#pragma once

#include <atomic>
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

namespace waltax {
class RocksdbEngine;
struct RedisPlace;
namespace mariadb {
struct SqlPlace;
}  // namespace mariadb
}  // namespace waltax

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

// What a load wrote so far, counted by all its threads.
struct RecordsLoaded {
  std::atomic<uint64_t> records = 0;
  std::atomic<uint64_t> bytes = 0;  // of files, or of what was sent
};

// What a load is told.
struct Load {
  uint64_t seed = 1;
  int threads = 1;
  // Called about every second, from the calling thread.
  std::function<void()> report = [] {};
};

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
  // Fills the store, which is empty, on all cores: returns with all records of
  // its data set in it. On failure what is there must be removed.
  virtual Status Load(const ycsb::Load& /*load*/, RecordsLoaded* /*loaded*/) {
    return Status::Ok();
  }
  // The stores of the nodes that the table is dealt out to, in their order.
  virtual std::vector<Store*> Nodes() { return {this}; }
  // Adds what else there is to say of a slice, since the last call. REQUIRES:
  // all sessions are idle.
  virtual void AddToSlice(nlohmann::json* slice) { (void)slice; }
};

// The versions of what loads write, which a change of it must increase: older
// data sets are then refused.
inline constexpr int kLayoutVersion = 1;
inline constexpr int kSqlSchemaVersion = 1;
inline constexpr int kRedisLayoutVersion = 1;

// The column families in RocksDB: "default" holds the data set's record.
inline const std::vector<std::string>& KvTableNames() {
  static const std::vector<std::string> names = {"default", "usertable"};
  return names;
}
// Whether a load into a Redis server wrote this key, or a run.
bool IsRedisKey(std::string_view key);

// Each opens a store: an operation that met `max_retries` conflicts, or still
// meets one after 10 s, fails. The engine outlives it and its sessions. On a
// server `all_nodes` is the table in which it shows the records of all nodes.
std::unique_ptr<Store> NewKvStore(RocksdbEngine& engine,
                                  const DataOptions& data, int max_retries);
std::unique_ptr<Store> NewSqlStore(const mariadb::SqlPlace& place,
                                   const DataOptions& data, int max_retries,
                                   bool all_nodes = false);
std::unique_ptr<Store> NewRedisStore(const RedisPlace& place,
                                     const DataOptions& data, int max_retries);

// The stores of the nodes, in their order.
struct NodeStores {
  std::vector<std::unique_ptr<Store>> own;  // of its own records
  std::vector<std::unique_ptr<Store>> all;  // of all records, by redirection
};

// A table that is dealt out to several nodes, each a store of its own. A
// session asks the owner of a key itself ("direct"), or has one node ask it
// ("redirect"): session i then asks node i modulo their number, always.
//
// Its rows are read by Nodes(). A slice of it has "nodes", and "clients", the
// operations of each client; of redirected ones "forwarded", "latency_local_us"
// and "latency_forwarded_us", too. Sessions count from `first_seed`. REQUIRES:
// `nodes.own` is one for each node, and so is `nodes.all` with the route
// "redirect".
std::unique_ptr<Store> NewShardedStore(const DataOptions& data,
                                       NodeStores nodes, uint64_t first_seed);

}  // namespace waltax::ycsb
