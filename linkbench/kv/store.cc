#include "linkbench/kv/store.h"

#include <rocksdb/iterator.h>

#include <algorithm>

#include "driver/rocksdb/status.h"
#include "driver/rocksdb/tables.h"

namespace waltax::linkbench {

KvStore::KvStore(RocksdbEngine& engine, uint64_t first_new_node,
                 int max_retries)
    : tables_(engine),
      write_options_(engine.write_options()),
      max_retries_(max_retries),
      next_node_id_(first_new_node) {
  const std::unique_ptr<rocksdb::Iterator> last(
      tables_.db->NewIterator(rocksdb::ReadOptions(), tables_.nodes));
  last->SeekToLast();
  if (!last->Valid() || last->key().size() != sizeof(uint64_t)) return;
  const uint64_t highest = GetBigEndian<uint64_t>(last->key().data());
  next_node_id_ = std::max(first_new_node, highest + 1);
}

Status KvStore::Scan(Table table, const table::KeyRange& range,
                     const table::Visit& visit) const {
  rocksdb::ColumnFamilyHandle* const families[] = {
      tables_.links, tables_.index, tables_.counts, tables_.nodes};
  return ScanTable(tables_.db, families[static_cast<size_t>(table)], range,
                   visit);
}

namespace {

rocksdb::Status Garbled(const char* table) {
  return rocksdb::Status::Corruption(table, "a value is too short");
}

}  // namespace

// One worker's access to the store. Buffers, the transaction loop and the list
// iterator live as long as the session, so that an operation allocates next to
// nothing.
class KvSession : public Session {
 public:
  KvSession(KvStore* store, uint64_t seed)
      : store_(*store),
        tables_(store->tables_),
        loop_(tables_.db, store->write_options_, store->max_retries_, seed) {
    rocksdb::ReadOptions options;
    options.iterate_upper_bound = &list_end_slice_;
    // Nothing here deletes ranges; not looking for them makes Refresh() cheap.
    options.ignore_range_deletions = true;
    // With a prefix extractor in the options file, filters can answer for empty
    // lists, which are 6 of 10.
    options.auto_prefix_mode =
        tables_.db->GetOptions(tables_.index).prefix_extractor != nullptr;
    list_.reset(tables_.db->NewIterator(options, tables_.index));
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
    pinned_.Reset();
    const rocksdb::Status status =
        tables_.db->Get(read_options_, tables_.counts,
                        EncodeCountKey(id1, type).slice(), &pinned_);
    if (status.IsNotFound()) return reply;
    if (!status.ok()) return Failed("count read", status, reply);
    CountValue value;
    if (!DecodeRow(pinned_.ToStringView(), &value)) {
      return Failed("count read", Garbled("counts"), reply);
    }
    *count = value.count;
    reply.found = true;
    return reply;
  }
  Reply MultigetLinks(uint64_t id1, uint64_t type,
                      std::span<const uint64_t> id2s, LinkRows* rows) override {
    rows->Clear();
    const size_t wanted = id2s.size();
    if (multiget_keys_.size() < wanted) {
      multiget_keys_.resize(wanted);
      multiget_slices_.resize(wanted);
      multiget_values_.resize(wanted);
      multiget_statuses_.resize(wanted);
    }
    for (size_t i = 0; i < wanted; ++i) {
      multiget_keys_[i] = EncodeLinkKey({id1, type, id2s[i]});
      multiget_slices_[i] = multiget_keys_[i].slice();
    }
    tables_.db->MultiGet(read_options_, tables_.links, wanted,
                         multiget_slices_.data(), multiget_values_.data(),
                         multiget_statuses_.data());
    Reply reply;
    for (size_t i = 0; i < wanted; ++i) {
      rocksdb::Status status = multiget_statuses_[i];
      LinkValue value;
      if (status.ok() &&
          !DecodeRow(multiget_values_[i].ToStringView(), &value)) {
        status = Garbled("links");
      }
      if (status.ok()) {
        rows->Add(id2s[i], value);
      } else if (!status.IsNotFound()) {
        return Failed("link read", status, reply);
      }
      multiget_values_[i].Reset();
    }
    reply.found = rows->size() > 0;
    return reply;
  }
  Reply GetLinksList(const ListQuery& query, LinkRows* rows) override {
    rows->Clear();
    Reply reply;
    list_end_ = EncodeListEnd(query.id1, query.type);
    rocksdb::Status status = list_->Refresh();
    if (!status.ok()) return Failed("list read", status, reply);
    list_->Seek(EncodeIndexKey({query.id1, query.type, 0}, true, query.max_time)
                    .slice());
    for (uint32_t i = 0; i < query.offset && list_->Valid(); ++i) list_->Next();
    while (list_->Valid() && rows->size() < query.limit) {
      LinkValue value;
      const LinkKey key = DecodeIndexKey(list_->key().ToStringView(), &value);
      IndexValue row;
      if (!DecodeRow(list_->value().ToStringView(), &row)) {
        return Failed("list read", Garbled("index"), reply);
      }
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
    *id = store_.next_node_id_.fetch_add(1, std::memory_order_relaxed);
    EncodeRow(value, &new_row_);
    node_batch_.Clear();
    rocksdb::Status status =
        node_batch_.Put(tables_.nodes, EncodeNodeKey(*id).slice(), new_row_);
    if (status.ok()) {
      status = WriteUnlocked(tables_.db, store_.write_options_, &node_batch_);
    }
    if (status.ok()) return {.changed = true};
    return Failed("node insert", status, Reply());
  }
  Reply UpdateNode(uint64_t id, const NodeValue& value) override {
    return InTransaction([&](Reply* reply) {
      const rocksdb::Status status = LockNode(id, value.type, reply);
      if (!status.ok() || !reply->found) return status;
      EncodeRow(value, &new_row_);
      return batch().Put(tables_.nodes, EncodeNodeKey(id).slice(), new_row_);
    });
  }
  Reply DeleteNode(uint64_t id, uint32_t type) override {
    return InTransaction([&](Reply* reply) {
      const rocksdb::Status status = LockNode(id, type, reply);
      if (!status.ok() || !reply->found) return status;
      return batch().Delete(tables_.nodes, EncodeNodeKey(id).slice());
    });
  }
  Reply GetNode(uint64_t id, uint32_t type, NodeValue* value,
                std::string* data) override {
    Reply reply;
    pinned_.Reset();
    const rocksdb::Status status = tables_.db->Get(
        read_options_, tables_.nodes, EncodeNodeKey(id).slice(), &pinned_);
    if (status.IsNotFound()) return reply;
    if (!status.ok()) return Failed("node read", status, reply);
    if (!DecodeRow(pinned_.ToStringView(), value)) {
      return Failed("node read", Garbled("nodes"), reply);
    }
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
    const rocksdb::Status status = loop_.Run(
        [&] {
          reply.found = false;
          rocksdb::Status status = attempt(&reply);
          reply.changed = batch().Count() > 0;
          return status;
        },
        &reply.conflicts);
    return status.ok() ? reply : Failed("transaction", status, reply);
  }
  Reply Failed(const char* operation, const rocksdb::Status& status,
               Reply reply) {
    return GivenUp(operation, status.ToString(), IsFatal(status), reply);
  }

  // Locks the row, reads it into old_row_, and says whether there is one.
  rocksdb::Status Lock(rocksdb::ColumnFamilyHandle* table,
                       const rocksdb::Slice& key, bool* exists) {
    rocksdb::Status status =
        loop_.transaction().GetForUpdate(read_options_, table, key, &old_row_);
    *exists = status.ok();
    return status.IsNotFound() ? rocksdb::Status::OK() : status;
  }
  rocksdb::Status TryAddLink(const LinkKey& key, const LinkValue& value,
                             Reply* reply) {
    bool exists = false;
    rocksdb::Status status =
        Lock(tables_.links, EncodeLinkKey(key).slice(), &exists);
    if (!status.ok()) return status;
    LinkValue before;
    before.visible = false;
    if (exists && !DecodeRow(old_row_, &before)) return Garbled("links");
    reply->found = exists;
    status = WriteLink(key, exists ? &before : nullptr, value);
    const int delta = (value.visible ? 1 : 0) - (before.visible ? 1 : 0);
    if (!status.ok() || delta == 0) return status;
    return AddToCount(key, delta, value.time);
  }
  rocksdb::Status TryDeleteLink(const LinkKey& key, uint64_t time_ms,
                                Reply* reply) {
    bool exists = false;
    rocksdb::Status status =
        Lock(tables_.links, EncodeLinkKey(key).slice(), &exists);
    if (!status.ok() || !exists) return status;
    LinkValue before;
    if (!DecodeRow(old_row_, &before)) return Garbled("links");
    reply->found = true;
    if (!before.visible) return status;
    LinkValue hidden = before;
    hidden.visible = false;
    status = WriteLink(key, &before, hidden);
    return status.ok() ? AddToCount(key, -1, time_ms) : status;
  }
  rocksdb::Status AddToCount(const LinkKey& key, int delta, uint64_t time_ms) {
    const auto count_key = EncodeCountKey(key.id1, key.type);
    bool exists = false;
    const rocksdb::Status status =
        Lock(tables_.counts, count_key.slice(), &exists);
    if (!status.ok()) return status;
    CountValue value;
    if (exists) {
      if (!DecodeRow(old_row_, &value)) return Garbled("counts");
      ++value.version;
    }
    value.time = time_ms;
    if (delta > 0) {
      ++value.count;
    } else if (value.count > 0) {
      --value.count;
    }
    EncodeRow(value, &new_row_);
    return batch().Put(tables_.counts, count_key.slice(), new_row_);
  }
  // Locks the node and sets reply->found if it has this type.
  rocksdb::Status LockNode(uint64_t id, uint32_t type, Reply* reply) {
    bool exists = false;
    const rocksdb::Status status =
        Lock(tables_.nodes, EncodeNodeKey(id).slice(), &exists);
    if (!status.ok() || !exists) return status;
    NodeValue before;
    if (!DecodeRow(old_row_, &before)) return Garbled("nodes");
    reply->found = before.type == type;
    return status;
  }
  // Replaces a link's rows in table and index; `before` is null for a new one.
  // REQUIRES: the link's row is locked.
  rocksdb::Status WriteLink(const LinkKey& key, const LinkValue* before,
                            const LinkValue& value) {
    rocksdb::Status status;
    const auto index_key = EncodeIndexKey(key, value.visible, value.time);
    if (before != nullptr) {
      // A flush drops a SingleDelete together with its Put, where a Delete
      // would stay for list reads to walk over. It wants exactly one Put of a
      // key between two of them, so an unchanged key is deleted too.
      status = batch().SingleDelete(
          tables_.index,
          EncodeIndexKey(key, before->visible, before->time).slice());
    }
    if (!status.ok()) return status;
    EncodeRow(IndexValue{value.version, value.data}, &new_row_);
    status = batch().Put(tables_.index, index_key.slice(), new_row_);
    if (!status.ok()) return status;
    EncodeRow(value, &new_row_);
    return batch().Put(tables_.links, EncodeLinkKey(key).slice(), new_row_);
  }
  // Rows go there without locks of their own: the one on the link, the count
  // or the node covers them.
  rocksdb::WriteBatch& batch() { return loop_.batch(); }

  KvStore& store_;
  const KvTables& tables_;
  TransactionLoop loop_;
  rocksdb::ReadOptions read_options_;
  rocksdb::WriteBatch node_batch_;
  // The bound that list_ was created with: its bytes change before each seek.
  Key<17> list_end_{};
  rocksdb::Slice list_end_slice_{list_end_.slice()};
  std::unique_ptr<rocksdb::Iterator> list_;
  std::string old_row_;
  std::string new_row_;
  rocksdb::PinnableSlice pinned_;
  std::vector<Key<24>> multiget_keys_;
  std::vector<rocksdb::Slice> multiget_slices_;
  std::vector<rocksdb::PinnableSlice> multiget_values_;
  std::vector<rocksdb::Status> multiget_statuses_;
};

std::unique_ptr<Session> KvStore::NewSession(uint64_t seed) {
  return std::make_unique<KvSession>(this, seed);
}

}  // namespace waltax::linkbench
