// The store on RocksDB with pessimistic transactions (layout: tables.h), on the
// column families of a LinkBench database.

#include "linkbench/store.h"

#include <rocksdb/iterator.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <atomic>

#include "driver/rocksdb/engine.h"
#include "driver/rocksdb/rows.h"
#include "driver/rocksdb/tables.h"

namespace waltax::linkbench {

namespace {

using KvTables = waltax::KvTables<Table, Tables>;
using KvRows = waltax::KvRows<KvTables>;

// Where the rows are, and the ids of nodes to come.
struct KvPlace {
  KvTables tables;
  rocksdb::WriteOptions write_options;
  int max_retries;
  std::atomic<uint64_t> next_node_id;
};

// One worker's access to the store. Buffers, the transaction loop and the list
// iterator live as long as the session, so that an operation allocates next to
// nothing.
class KvSession : public Session {
 public:
  KvSession(KvPlace* place, uint64_t seed)
      : place_(*place),
        tables_(place->tables),
        rows_(tables_, place->write_options, place->max_retries, seed) {
    rocksdb::ReadOptions options;
    options.iterate_upper_bound = &list_end_slice_;
    // Nothing here deletes ranges; not looking for them makes Refresh() cheap.
    options.ignore_range_deletions = true;
    // With a prefix extractor in the options file, filters can answer for empty
    // lists, which are 6 of 10.
    options.auto_prefix_mode =
        tables_.db->GetOptions(tables_[Table::kIndex]).prefix_extractor !=
        nullptr;
    list_.reset(tables_.db->NewIterator(options, tables_[Table::kIndex]));
  }

  Reply AddLink(const LinkKey& key, const LinkValue& value) override {
    return InTransaction(
        [&](Reply* reply) { return TryAddLink(key, value, reply); });
  }
  Reply DeleteLink(const LinkKey& key, uint64_t time_ms) override {
    return InTransaction(
        [&](Reply* reply) { return TryDeleteLink(key, time_ms, reply); });
  }
  Reply CountLinks(uint64_t id1, uint64_t type, uint64_t* count) override {
    Reply reply;
    *count = 0;
    const rocksdb::Status status =
        rows_.Find(EncodeCountKey(id1, type), nullptr, &count_);
    if (status.IsNotFound()) return reply;
    if (!status.ok()) return Failed("count read", status, reply);
    *count = count_.row.count;
    reply.found = true;
    return reply;
  }
  Reply MultigetLinks(uint64_t id1, uint64_t type,
                      std::span<const uint64_t> id2s, LinkRows* rows) override {
    rows->Clear();
    for (const uint64_t id2 : id2s) {
      multiget_.Add(EncodeLinkKey({id1, type, id2}));
    }
    multiget_.Run(tables_.db, read_options_, tables_[Table::kLinks],
                  /*sorted=*/false);
    Reply reply;
    rocksdb::Status failure;
    for (size_t i = 0; i < id2s.size(); ++i) {
      rocksdb::Status status = multiget_.status(i);
      LinkValue value;
      if (status.ok()) {
        status = KvRows::Decode(multiget_.value(i), &value);
      }
      if (status.ok()) {
        rows->Add(id2s[i], value);
      } else if (!status.IsNotFound()) {
        failure = status;
      }
    }
    multiget_.Clear();
    if (!failure.ok()) return Failed("link read", failure, reply);
    reply.found = rows->size() > 0;
    return reply;
  }
  Reply GetLinksList(const ListQuery& query, LinkRows* rows) override {
    rows->Clear();
    Reply reply;
    list_end_ = EncodeListEnd(query.id1, query.type);
    rocksdb::Status status = list_->Refresh();
    if (!status.ok()) return Failed("list read", status, reply);
    list_->Seek(
        EncodeIndexKey({query.id1, query.type, 0}, true, query.max_time));
    for (uint32_t i = 0; i < query.offset && list_->Valid(); ++i) list_->Next();
    while (list_->Valid() && rows->size() < query.limit) {
      LinkValue value;
      const LinkKey key = DecodeIndexKey(list_->key(), &value);
      IndexValue row;
      status = KvRows::Decode(list_->value(), &row);
      if (!status.ok()) return Failed("list read", status, reply);
      value.version = row.version;
      value.data = row.data;
      rows->Add(key.id2, value);
      list_->Next();
    }
    status = list_->status();
    if (!status.ok()) return Failed("list read", status, reply);
    reply.found = rows->size() > 0;
    return reply;
  }
  Reply AddNode(const NodeValue& value, uint64_t* id) override {
    *id = place_.next_node_id.fetch_add(1, std::memory_order_relaxed);
    EncodeRow(value, &new_row_);
    node_batch_.Clear();
    rocksdb::Status status =
        node_batch_.Put(tables_[Table::kNodes], EncodeNodeKey(*id), new_row_);
    if (status.ok()) {
      status = WriteUnlocked(tables_.db, place_.write_options, &node_batch_);
    }
    if (status.ok()) return {.changed = true};
    return Failed("node insert", status, Reply());
  }
  Reply UpdateNode(uint64_t id, const NodeValue& value) override {
    return InTransaction([&](Reply* reply) {
      TRY(LockNode(id, value.type, reply));
      if (!reply->found) return rocksdb::Status::OK();
      return rows_.Put(EncodeNodeKey(id), value);
    });
  }
  Reply DeleteNode(uint64_t id, uint32_t type) override {
    return InTransaction([&](Reply* reply) {
      TRY(LockNode(id, type, reply));
      if (!reply->found) return rocksdb::Status::OK();
      return batch().Delete(tables_[Table::kNodes], EncodeNodeKey(id));
    });
  }
  Reply GetNode(uint64_t id, uint32_t type, NodeValue* value,
                std::string* data) override {
    Reply reply;
    const rocksdb::Status status =
        rows_.Find(EncodeNodeKey(id), nullptr, &node_);
    if (status.IsNotFound()) return reply;
    if (!status.ok()) return Failed("node read", status, reply);
    *value = node_.row;
    data->assign(value->data);
    value->data = *data;
    reply.found = value->type == type;
    return reply;
  }

 private:
  // Runs `attempt(&reply)` in a transaction that is tried again after conflicts
  // (DEVIATION T11).
  template <typename Attempt>
  Reply InTransaction(const Attempt& attempt) {
    Reply reply;
    const rocksdb::Status status = rows_.loop().Run(
        [&] {
          reply.found = false;
          rocksdb::Status status = attempt(&reply);
          reply.changed = batch().Count() > 0;
          return status;
        },
        &reply.retries);
    return status.ok() ? reply : Failed("transaction", status, reply);
  }
  Reply Failed(const char* operation, const rocksdb::Status& status,
               Reply reply) {
    return GivenUp(operation, status.ToString(), reply);
  }

  // Locks the row, reads it if there is one, and says whether there is.
  template <typename Row>
  rocksdb::Status Lock(const rocksdb::Slice& key, Row* row, bool* exists) {
    rocksdb::Status status = rows_.loop().transaction().GetForUpdate(
        read_options_, tables_[Row::kTable], key, &old_row_);
    *exists = status.ok();
    if (status.ok()) return KvRows::Decode(old_row_, row);
    return status.IsNotFound() ? rocksdb::Status::OK() : status;
  }
  rocksdb::Status TryAddLink(const LinkKey& key, const LinkValue& value,
                             Reply* reply) {
    LinkValue before;
    before.visible = false;
    TRY(Lock(EncodeLinkKey(key), &before, &reply->found));
    TRY(WriteLink(key, reply->found ? &before : nullptr, value));
    const int delta = (value.visible ? 1 : 0) - (before.visible ? 1 : 0);
    if (delta == 0) return rocksdb::Status::OK();
    return AddToCount(key, delta, value.time);
  }
  rocksdb::Status TryDeleteLink(const LinkKey& key, uint64_t time_ms,
                                Reply* reply) {
    LinkValue before;
    TRY(Lock(EncodeLinkKey(key), &before, &reply->found));
    if (!reply->found || !before.visible) return rocksdb::Status::OK();
    LinkValue hidden = before;
    hidden.visible = false;
    TRY(WriteLink(key, &before, hidden));
    return AddToCount(key, -1, time_ms);
  }
  rocksdb::Status AddToCount(const LinkKey& key, int delta, uint64_t time_ms) {
    const auto count_key = EncodeCountKey(key.id1, key.type);
    CountValue value;
    bool exists = false;
    TRY(Lock(count_key, &value, &exists));
    if (exists) ++value.version;
    value.time = time_ms;
    if (delta > 0) {
      ++value.count;
    } else if (value.count > 0) {
      --value.count;
    }
    return rows_.Put(count_key, value);
  }
  // Locks the node and sets reply->found if it has this type.
  rocksdb::Status LockNode(uint64_t id, uint32_t type, Reply* reply) {
    NodeValue before;
    TRY(Lock(EncodeNodeKey(id), &before, &reply->found));
    reply->found = reply->found && before.type == type;
    return rocksdb::Status::OK();
  }
  // Replaces a link's rows in table and index; `before` is null for a new one.
  // REQUIRES: the link's row is locked.
  rocksdb::Status WriteLink(const LinkKey& key, const LinkValue* before,
                            const LinkValue& value) {
    if (before != nullptr) {
      // A flush drops a SingleDelete together with its Put, where a Delete
      // would stay for list reads to walk over. It wants exactly one Put of a
      // key between two of them, so an unchanged key is deleted too.
      TRY(rows_.SingleDelete(
          Table::kIndex, EncodeIndexKey(key, before->visible, before->time)));
    }
    TRY(rows_.Put(EncodeIndexKey(key, value.visible, value.time),
                  IndexValue{value.version, value.data}));
    return rows_.Put(EncodeLinkKey(key), value);
  }
  // Rows go there without locks of their own: the one on the link, the count
  // or the node covers them.
  rocksdb::WriteBatch& batch() { return rows_.loop().batch(); }

  KvPlace& place_;
  const KvTables& tables_;
  KvRows rows_;
  rocksdb::ReadOptions read_options_;
  rocksdb::WriteBatch node_batch_;
  // The bound that list_ was created with: its bytes change before each seek.
  Key<17> list_end_{};
  rocksdb::Slice list_end_slice_{list_end_.slice()};
  std::unique_ptr<rocksdb::Iterator> list_;
  std::string old_row_;
  std::string new_row_;
  Stored<CountValue> count_;
  Stored<NodeValue> node_;
  MultiGet<Key<24>> multiget_;
};

// Thread-safe.
class KvStore : public Store {
 public:
  KvStore(RocksdbEngine& engine, uint64_t first_new_node, int max_retries)
      : place_{KvTables(engine),
               engine.write_options(),
               max_retries,
               {first_new_node}} {
    const std::unique_ptr<rocksdb::Iterator> last(place_.tables.db->NewIterator(
        rocksdb::ReadOptions(), place_.tables[Table::kNodes]));
    last->SeekToLast();
    if (!last->Valid() || last->key().size() != sizeof(uint64_t)) return;
    const uint64_t highest = GetBigEndian<uint64_t>(last->key().data());
    place_.next_node_id = std::max(first_new_node, highest + 1);
  }

  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    return std::make_unique<KvSession>(&place_, seed);
  }
  Status Scan(Table table, const table::KeyRange& range,
              const table::Visit& visit) const override {
    return ScanTable(place_.tables.db, place_.tables[table], range, visit);
  }

 private:
  KvPlace place_;
};

}  // namespace

std::unique_ptr<Store> NewKvStore(RocksdbEngine& engine,
                                  uint64_t first_new_node, int max_retries) {
  return std::make_unique<KvStore>(engine, first_new_node, max_retries);
}

}  // namespace waltax::linkbench
