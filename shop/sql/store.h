// The store on a MariaDB server with MyRocks or InnoDB (tables: sql/schema.h).
#pragma once

#include <memory>
#include <string>

#include "driver/status.h"
#include "mariadb/connection.h"
#include "mariadb/statement.h"
#include "mariadb/transaction.h"
#include "shop/rows.h"
#include "shop/sql/schema.h"
#include "shop/store.h"

namespace waltax::shop {

// Thread-safe.
class SqlStore : public Store {
 public:
  // A transaction that met `max_retries` conflicts, or still meets one after
  // 10 s, fails.
  SqlStore(SqlPlace place, const Population& population, int max_retries);

  // A session that cannot connect is one whose every transaction fails for that
  // reason.
  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Survey(int threads, Before* before) override;
  Status Check(const std::optional<Expected>& expected, int threads,
               CheckResult* result) override;

 private:
  SqlPlace place_;
  Population population_;
  int max_retries_;
};

// One worker's access to the store: a connection whose every transaction is
// several prepared statements and a commit, as the study's were. Statements and
// their buffers live as long as the session.
class SqlSession : public Session {
 public:
  static Status Open(const mariadb::ServerFlags& server, int max_retries,
                     uint64_t seed, std::unique_ptr<SqlSession>* session);

  Reply CustomerOrders(uint64_t customer_id) override;
  Reply NewOrder(const Order& order,
                 const std::array<uint64_t, kLookedAt>& product_ids) override;
  Reply SetQuantity(uint64_t product_id, int32_t quantity) override;

 private:
  SqlSession(std::unique_ptr<mariadb::Connection> connection, int max_retries,
             uint64_t seed)
      : connection_(std::move(connection)),
        transaction_(connection_.get(), max_retries, seed) {}

  template <typename Attempt>
  Reply Run(const char* transaction, const Attempt& attempt);
  // Reads all rows of a statement for an id, and adds how many there are.
  static mariadb::SqlStatus Read(mariadb::Statement* read, uint64_t id,
                                 uint32_t* rows);
  mariadb::SqlStatus LookAround(
      const Order& order, const std::array<uint64_t, kLookedAt>& product_ids,
      uint32_t* found);

  // Outlives the statements.
  std::unique_ptr<mariadb::Connection> connection_;
  mariadb::Transaction transaction_;
  std::unique_ptr<mariadb::Statement> read_customer_;
  std::unique_ptr<mariadb::Statement> read_product_;
  std::unique_ptr<mariadb::Statement> read_orders_;
  std::unique_ptr<mariadb::Statement> insert_order_;
  std::unique_ptr<mariadb::Statement> take_off_;
  std::unique_ptr<mariadb::Statement> set_quantity_;
  std::string error_;
};

}  // namespace waltax::shop
