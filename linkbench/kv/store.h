// The store on RocksDB with pessimistic transactions (layout: keys.h), on the
// column families of a LinkBench database.
#pragma once

#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/utilities/transaction_db.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/rocksdb/engine.h"
#include "driver/rocksdb/transaction_loop.h"
#include "driver/status.h"
#include "driver/workload.h"
#include "linkbench/keys.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

// In the order in which KvTables takes their handles; "default" holds the
// data set's record.
inline const std::vector<std::string>& KvTableNames() {
  static const std::vector<std::string> names = {"default", "links", "index",
                                                 "counts", "nodes"};
  return names;
}

// Borrowed from an engine that was opened with KvTableNames().
struct KvTables {
  explicit KvTables(RocksdbEngine& engine)
      : db(engine.db()),
        links(engine.column_family(1)),
        index(engine.column_family(2)),
        counts(engine.column_family(3)),
        nodes(engine.column_family(4)) {}

  rocksdb::TransactionDB* db;
  rocksdb::ColumnFamilyHandle* links;
  rocksdb::ColumnFamilyHandle* index;
  rocksdb::ColumnFamilyHandle* counts;
  rocksdb::ColumnFamilyHandle* nodes;
};

// Thread-safe. The engine must outlive it and its sessions.
class KvStore : public Store {
 public:
  // The first AddNode gets an id above every stored node's and not below
  // `first_new_node`. An operation that met `max_retries` conflicts, or
  // still meets one after 10 s, fails.
  KvStore(RocksdbEngine& engine, uint64_t first_new_node, int max_retries);

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Check(int threads, CheckResult* result) override;

 private:
  friend class KvSession;

  KvTables tables_;
  rocksdb::WriteOptions write_options_;
  int max_retries_;
  std::atomic<uint64_t> next_node_id_;
};

// One worker's access to the store. Buffers, the transaction loop and the list
// iterator live as long as the session, so that an operation allocates next to
// nothing.
class KvSession : public Session {
 public:
  KvSession(KvStore* store, uint64_t seed);

  Reply AddLink(const LinkKey& key, const LinkValue& value) override;
  Reply DeleteLink(const LinkKey& key, uint64_t time_ms) override;
  Reply CountLinks(uint64_t id1, uint64_t type, uint64_t* count) override;
  Reply MultigetLinks(uint64_t id1, uint64_t type,
                      std::span<const uint64_t> id2s, LinkRows* rows) override;
  Reply GetLinksList(const ListQuery& query, LinkRows* rows) override;
  Reply AddNode(const NodeValue& value, uint64_t* id) override;
  Reply UpdateNode(uint64_t id, const NodeValue& value) override;
  Reply DeleteNode(uint64_t id, uint32_t type) override;
  Reply GetNode(uint64_t id, uint32_t type, NodeValue* value,
                std::string* data) override;

 private:
  // Runs `attempt(&reply)` in a transaction that is tried again after conflicts
  // (DEVIATION T11).
  template <typename Attempt>
  Reply InTransaction(const Attempt& attempt);
  Reply Failed(const char* operation, const rocksdb::Status& status,
               Reply reply);

  // Locks the row, reads it into old_row_, and says whether there is one.
  rocksdb::Status Lock(rocksdb::ColumnFamilyHandle* table,
                       const rocksdb::Slice& key, bool* exists);
  rocksdb::Status TryAddLink(const LinkKey& key, const LinkValue& value,
                             Reply* reply);
  rocksdb::Status TryDeleteLink(const LinkKey& key, uint64_t time_ms,
                                Reply* reply);
  rocksdb::Status AddToCount(const LinkKey& key, int delta, uint64_t time_ms);
  // Locks the node and sets reply->found if it has this type.
  rocksdb::Status LockNode(uint64_t id, uint32_t type, Reply* reply);
  // Replaces a link's rows in table and index; `before` is null for a new one.
  // REQUIRES: the link's row is locked.
  rocksdb::Status WriteLink(const LinkKey& key, const LinkValue* before,
                            const LinkValue& value);
  // Rows go there without locks of their own: the one on the link, the count
  // or the node covers them.
  rocksdb::WriteBatch& batch() { return loop_.batch(); }

  KvStore& store_;
  const KvTables& tables_;
  TransactionLoop loop_;
  rocksdb::ReadOptions read_options_;
  rocksdb::WriteBatch node_batch_;
  // The bound that list_ was created with: its bytes change before each seek.
  Key<kListPrefixBytes> list_end_{};
  rocksdb::Slice list_end_slice_{list_end_.slice()};
  std::unique_ptr<rocksdb::Iterator> list_;
  std::string old_row_;
  std::string new_row_;
  rocksdb::PinnableSlice pinned_;
  std::vector<Key<kLinkKeyBytes>> multiget_keys_;
  std::vector<rocksdb::Slice> multiget_slices_;
  std::vector<rocksdb::PinnableSlice> multiget_values_;
  std::vector<rocksdb::Status> multiget_statuses_;
  std::string error_;
};

// Scans links, index and counts side by side on `threads` threads. For every
// (id1, type) the count must be the number of visible links, and table and
// index must hold the same links with the same visibility, time, version and
// data. Fails only when the database cannot be read. All workers must be idle.
Status CheckTables(const KvTables& tables, int threads, CheckResult* result);

}  // namespace waltax::linkbench
