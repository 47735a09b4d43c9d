#include "shop/kv/store.h"

#include <fmt/format.h>

#include "driver/rocksdb/status.h"
#include "shop/check.h"
#include "shop/kv/row_codec.h"
#include "shop/kv/tables.h"

namespace waltax::shop {

namespace {

rocksdb::Status Garbled() {
  return rocksdb::Status::Corruption("shop", "a value is no row of its table");
}

}  // namespace

KvStore::KvStore(RocksdbEngine& engine, const Population& population,
                 int max_retries)
    : db_(engine.db()),
      tables_(engine),
      write_options_(engine.write_options()),
      population_(population),
      max_retries_(max_retries) {}

std::unique_ptr<Session> KvStore::NewSession(uint64_t seed) {
  return std::make_unique<KvSession>(this, seed);
}

Status KvStore::Survey(int threads, Before* before) {
  KvRows rows(db_, tables_);
  return SurveyTables(threads, rows, before);
}

Status KvStore::Check(const std::optional<Expected>& expected, int threads,
                      CheckResult* result) {
  KvRows rows(db_, tables_);
  return CheckTables(population_, expected, threads, rows, result);
}

KvSession::KvSession(KvStore* store, uint64_t seed)
    : store_(*store),
      loop_(store->db_, store->write_options_, store->max_retries_, seed) {
  rocksdb::ReadOptions options;
  // Nothing here deletes ranges; not looking for them makes Refresh() cheap.
  options.ignore_range_deletions = true;
  entries_.reset(store_.db_->NewIterator(options, store_.tables_.index));
}

template <typename Row>
rocksdb::Status KvSession::Read(rocksdb::ColumnFamilyHandle* table, uint64_t id,
                                Row* row, uint32_t* found) {
  pinned_.Reset();
  const rocksdb::Status status =
      store_.db_->Get(read_options_, table, RowKey(id).slice(), &pinned_);
  if (status.IsNotFound()) return rocksdb::Status::OK();
  if (!status.ok()) return status;
  row->id = id;
  if (!Decode(pinned_.ToStringView(), row)) return Garbled();
  ++*found;
  return status;
}

template <typename Attempt>
Reply KvSession::Run(const char* transaction, const Attempt& attempt) {
  Reply reply;
  Conflicts conflicts;
  const rocksdb::Status status = loop_.Run(
      [&] {
        reply = {};
        return attempt(&reply);
      },
      &conflicts);
  reply.retries = conflicts.total();
  if (status.ok()) return reply;
  error_ = fmt::format("{} given up after {} retries: {}", transaction,
                       reply.retries, status.ToString());
  reply.error = &error_;
  reply.fatal = IsFatal(status);
  return reply;
}

Reply KvSession::CustomerOrders(uint64_t customer_id) {
  return Run("customer's orders", [&](Reply* reply) {
    const rocksdb::Status status =
        Read(store_.tables_.customers, customer_id, &customer_, &reply->found);
    return status.ok() ? ReadOrders(customer_id, &reply->orders) : status;
  });
}

rocksdb::Status KvSession::ReadOrders(uint64_t customer_id, uint32_t* orders) {
  rocksdb::Status status = entries_->Refresh();
  const Key<8> prefix = RowKey(customer_id);
  for (entries_->Seek(prefix.slice());
       status.ok() && entries_->Valid() &&
       entries_->key().starts_with(prefix.slice());
       entries_->Next()) {
    const auto order_id = GetBigEndian<uint64_t>(entries_->key().data() + 8);
    status = Read(store_.tables_.orders, order_id, &order_, orders);
  }
  return status.ok() ? entries_->status() : status;
}

rocksdb::Status KvSession::LookAround(
    const Order& order, const std::array<uint64_t, kLookedAt>& product_ids,
    uint32_t* found) {
  rocksdb::Status status =
      Read(store_.tables_.customers, order.customer_id, &customer_, found);
  for (size_t i = 0; status.ok() && i < kLookedAt; ++i) {
    status = Read(store_.tables_.products, product_ids[i], &product_, found);
  }
  return status;
}

rocksdb::Status KvSession::PutOrder(const Order& order) {
  // Its key is new, so that there is nothing to lock.
  Encode(order, &bytes_);
  const rocksdb::Status status = loop_.batch().Put(
      store_.tables_.orders, RowKey(order.id).slice(), bytes_);
  if (!status.ok()) return status;
  return loop_.batch().Put(store_.tables_.index,
                           EntryKey(order.customer_id, order.id).slice(), {});
}

template <typename Next>
rocksdb::Status KvSession::ChangeQuantity(uint64_t product_id, const Next& next,
                                          uint32_t* found) {
  const Key<8> key = RowKey(product_id);
  const rocksdb::Status status = loop_.transaction().GetForUpdate(
      read_options_, store_.tables_.products, key.slice(), &bytes_);
  if (status.IsNotFound()) return rocksdb::Status::OK();
  if (!status.ok()) return status;
  if (!Decode(bytes_, &product_)) return Garbled();
  product_.quantity = next(product_.quantity);
  ++product_.changes;
  Encode(product_, &bytes_);
  ++*found;
  // The lock on the row covers it.
  return loop_.batch().Put(store_.tables_.products, key.slice(), bytes_);
}

Reply KvSession::NewOrder(const Order& order,
                          const std::array<uint64_t, kLookedAt>& product_ids) {
  const auto less = [&](int32_t quantity) {
    return quantity - static_cast<int32_t>(order.quantity);
  };
  return Run("new order", [&](Reply* reply) {
    rocksdb::Status status = LookAround(order, product_ids, &reply->found);
    if (!status.ok() || reply->found < 1 + kLookedAt) return status;
    status = PutOrder(order);
    uint32_t changed = 0;
    if (status.ok()) status = ChangeQuantity(order.product_id, less, &changed);
    return status;
  });
}

Reply KvSession::SetQuantity(uint64_t product_id, int32_t quantity) {
  return Run("new quantity", [&](Reply* reply) {
    return ChangeQuantity(
        product_id, [&](int32_t /*old*/) { return quantity; }, &reply->found);
  });
}

}  // namespace waltax::shop
