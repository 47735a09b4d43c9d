// The store on RocksDB with pessimistic transactions (layout: row_codec.h).
#pragma once

#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/utilities/transaction_db.h>

#include <memory>
#include <string>
#include <vector>

#include "driver/rocksdb/engine.h"
#include "driver/rocksdb/transaction_loop.h"
#include "driver/status.h"
#include "shop/rows.h"
#include "shop/store.h"

namespace waltax::shop {

// "default" holds the data set's record.
inline const std::vector<std::string>& KvTableNames() {
  static const std::vector<std::string> names = {
      "default", "customers", "products", "orders", "customer_index"};
  return names;
}

struct KvTables {
  explicit KvTables(const RocksdbEngine& engine)
      : customers(engine.column_family(1)),
        products(engine.column_family(2)),
        orders(engine.column_family(3)),
        index(engine.column_family(4)) {}
  rocksdb::ColumnFamilyHandle* customers;
  rocksdb::ColumnFamilyHandle* products;
  rocksdb::ColumnFamilyHandle* orders;
  rocksdb::ColumnFamilyHandle* index;
};

// Thread-safe. The engine, opened with KvTableNames(), must outlive it and its
// sessions.
class KvStore : public Store {
 public:
  // A transaction that met `max_retries` conflicts, or still meets one after
  // 10 s, fails.
  KvStore(RocksdbEngine& engine, const Population& population, int max_retries);

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Survey(int threads, Before* before) override;
  Status Check(const std::optional<Expected>& expected, int threads,
               CheckResult* result) override;

 private:
  friend class KvSession;

  rocksdb::TransactionDB* db_;
  KvTables tables_;
  rocksdb::WriteOptions write_options_;
  Population population_;
  int max_retries_;
};

// One worker's access to the store. Buffers, the transaction loop and the
// iterator live as long as the session, so that a transaction allocates next to
// nothing.
class KvSession : public Session {
 public:
  KvSession(KvStore* store, uint64_t seed);

  Reply CustomerOrders(uint64_t customer_id) override;
  Reply NewOrder(const Order& order,
                 const std::array<uint64_t, kLookedAt>& product_ids) override;
  Reply SetQuantity(uint64_t product_id, int32_t quantity) override;

 private:
  // Reads a row whole; `found` grows when it is there.
  template <typename Row>
  rocksdb::Status Read(rocksdb::ColumnFamilyHandle* table, uint64_t id,
                       Row* row, uint32_t* found);
  rocksdb::Status ReadOrders(uint64_t customer_id, uint32_t* orders);
  rocksdb::Status LookAround(const Order& order,
                             const std::array<uint64_t, kLookedAt>& product_ids,
                             uint32_t* found);
  rocksdb::Status PutOrder(const Order& order);
  // Locks a product, and writes it with the quantity that
  // `next(quantity)` says, and one change more.
  template <typename Next>
  rocksdb::Status ChangeQuantity(uint64_t product_id, const Next& next,
                                 uint32_t* found);
  template <typename Attempt>
  Reply Run(const char* transaction, const Attempt& attempt);

  KvStore& store_;
  TransactionLoop loop_;
  rocksdb::ReadOptions read_options_;
  std::unique_ptr<rocksdb::Iterator> entries_;
  rocksdb::PinnableSlice pinned_;
  std::string bytes_;
  Customer customer_;
  Product product_;
  Order order_;
  std::string error_;
};

}  // namespace waltax::shop
