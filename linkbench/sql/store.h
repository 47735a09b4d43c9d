// The store on a MariaDB server with MyRocks or InnoDB (tables: sql/schema.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/retry.h"
#include "driver/status.h"
#include "driver/workload.h"
#include "linkbench/sql/schema.h"
#include "linkbench/store.h"
#include "mariadb/connection.h"
#include "mariadb/statement.h"
#include "mariadb/text_read.h"
#include "mariadb/transaction.h"

namespace waltax::linkbench {

// Thread-safe.
class SqlStore : public Store {
 public:
  // An operation that met `max_retries` conflicts, or still meets one after
  // 10 s, fails.
  SqlStore(SqlPlace place, int max_retries);

  // Connects twice. A session that cannot is one whose every operation fails
  // for that reason.
  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Check(int threads, CheckResult* result) override;

 private:
  SqlPlace place_;
  int max_retries_;
};

// One worker's access to the store. As in the original, a connection for
// transactions of several statements, and one in autocommit mode. Every
// operation is a single round trip. Statements and their buffers live as long
// as the session.
class SqlSession : public Session {
 public:
  static Status Open(const mariadb::ServerFlags& server, int max_retries,
                     uint64_t seed, std::unique_ptr<SqlSession>* session);

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
  using StatementPtr = std::unique_ptr<mariadb::Statement>;

  SqlSession(std::unique_ptr<mariadb::Connection> transactions,
             std::unique_ptr<mariadb::Connection> single, int max_retries,
             uint64_t seed);
  Status PrepareAll();

  // Runs `attempt(&reply)` in a transaction that is tried again after conflicts
  // (DEVIATION T11).
  template <typename Attempt>
  Reply InTransaction(const Attempt& attempt);
  // The same for a statement that is its own transaction.
  template <typename Attempt>
  Reply InOneStatement(const Attempt& attempt);
  Reply Ended(const char* operation, const mariadb::SqlStatus& status,
              Reply reply);

  // The statement for so many id2s, prepared when it is first wanted.
  mariadb::SqlStatus ReadLinksStatement(size_t id2s,
                                        mariadb::Statement** statement);

  // Connections outlive statements.
  std::unique_ptr<mariadb::Connection> transactions_;
  std::unique_ptr<mariadb::Connection> single_;
  mariadb::Transaction transaction_;
  RetryLoop retries_;
  StatementPtr show_link_;
  StatementPtr add_hidden_link_;
  StatementPtr delete_link_;
  StatementPtr read_count_;
  mariadb::TextRead read_list_;
  StatementPtr add_node_;
  StatementPtr update_node_;
  StatementPtr delete_node_;
  StatementPtr read_node_;
  std::vector<StatementPtr> read_links_;  // by number of id2s
  LinkRows by_id2_;
  std::string error_;
};

// Reads linktable by its primary key and by id1_type, and counttable, side by
// side on `threads` threads with three connections each, and verifies what
// CheckRanges() says. All workers must be idle.
Status CheckSqlTables(const SqlPlace& place, int threads, CheckResult* result);

}  // namespace waltax::linkbench
