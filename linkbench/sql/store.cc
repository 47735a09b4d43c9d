// The store on a MariaDB server with MyRocks or InnoDB (tables:
// linkbench/tables.h).

#include "linkbench/store.h"

#include <utility>

#include "driver/retry.h"
#include "driver/sql/connection.h"
#include "driver/sql/statement.h"
#include "driver/sql/tables.h"
#include "driver/sql/transaction.h"
#include "linkbench/sql/statements.h"

namespace waltax::linkbench {

namespace {

using mariadb::SqlStatus;
using mariadb::Statement;

// One worker's access to the store. As in the original, a connection for
// transactions of several statements, and one in autocommit mode. Every
// operation is a single round trip. Statements and their buffers live as long
// as the session.
class SqlSession : public Session {
 public:
  SqlSession(std::unique_ptr<mariadb::Connection> transactions,
             std::unique_ptr<mariadb::Connection> single, int max_retries,
             uint64_t seed)
      : transactions_(std::move(transactions)),
        single_(std::move(single)),
        transaction_(transactions_.get(), max_retries, seed),
        retries_(max_retries, seed) {}

  Reply AddLink(const LinkKey& key, const LinkValue& value) override {
    Statement& add = value.visible ? show_link_ : add_hidden_link_;
    return InTransaction([&](Reply* reply) {
      const SqlStatus status = add.Run(
          key.id1, key.id2, key.type, value.visible, value.data, value.time,
          value.version, key.id1, key.type, value.time, value.visible,
          value.data, value.time, value.version, key.type, key.id1, key.id2);
      reply->found = !sql::AddedNewLink(add.affected_rows());
      reply->changed = add.affected_rows() > 0;
      return status;
    });
  }
  Reply DeleteLink(const LinkKey& key, uint64_t time_ms) override {
    return InTransaction([&](Reply* reply) {
      const SqlStatus status =
          delete_link_.Run(key.type, key.id1, key.id2, key.type, key.id1,
                           key.id2, key.id1, key.type, time_ms);
      reply->found = sql::FoundLink(delete_link_.affected_rows());
      reply->changed = sql::HidLink(delete_link_.affected_rows());
      return status;
    });
  }
  Reply CountLinks(uint64_t id1, uint64_t type, uint64_t* count) override {
    Reply reply;
    *count = 0;
    SqlStatus status = read_count_.Run(id1, type);
    if (read_count_.Next(&status)) {
      *count = read_count_.Unsigned(0);
      reply.found = true;
    }
    return Ended("count read", status, reply);
  }
  Reply MultigetLinks(uint64_t id1, uint64_t type,
                      std::span<const uint64_t> id2s, LinkRows* rows) override {
    rows->Clear();
    Reply reply;
    if (id2s.empty()) return reply;
    Statement& read = read_links_[id2s.size()];
    read.Begin();
    read.Bind(type);
    read.Bind(id1);
    for (const uint64_t id2 : id2s) read.Bind(id2);
    SqlStatus status = read.Execute();
    by_id2_.Clear();
    while (read.Next(&status)) {
      by_id2_.Add(read.Unsigned(0),
                  {read.Signed(1) != 0, static_cast<uint32_t>(read.Unsigned(2)),
                   read.Unsigned(3), read.Text(4)});
    }
    // The server sorts and joins equal id2s; there are but a few.
    for (const uint64_t id2 : id2s) {
      for (size_t i = 0; i < by_id2_.size(); ++i) {
        if (by_id2_.id2(i) == id2) rows->Add(id2, by_id2_.value(i));
      }
    }
    reply.found = rows->size() > 0;
    return Ended("link read", status, reply);
  }
  Reply GetLinksList(const ListQuery& query, LinkRows* rows) override {
    rows->Clear();
    SqlStatus status = read_list_.Run(query.id1, query.type, query.max_time,
                                      query.offset, query.limit);
    while (read_list_.Next(&status)) {
      rows->Add(read_list_.Unsigned(0),
                {true, static_cast<uint32_t>(read_list_.Unsigned(1)),
                 read_list_.Unsigned(2), read_list_.Text(3)});
    }
    Reply reply;
    reply.found = rows->size() > 0;
    return Ended("list read", status, reply);
  }
  Reply AddNode(const NodeValue& value, uint64_t* id) override {
    return InOneStatement([&](Reply* reply) {
      const SqlStatus status =
          add_node_.Run(value.type, value.version, value.time, value.data);
      *id = add_node_.insert_id();
      reply->changed = true;
      return status;
    });
  }
  Reply UpdateNode(uint64_t id, const NodeValue& value) override {
    return InOneStatement([&](Reply* reply) {
      const SqlStatus status = update_node_.Run(value.version, value.time,
                                                value.data, id, value.type);
      reply->found = update_node_.matched_rows() > 0;
      reply->changed = update_node_.affected_rows() > 0;
      return status;
    });
  }
  Reply DeleteNode(uint64_t id, uint32_t type) override {
    return InOneStatement([&](Reply* reply) {
      const SqlStatus status = delete_node_.Run(id, type);
      reply->found = reply->changed = delete_node_.affected_rows() > 0;
      return status;
    });
  }
  Reply GetNode(uint64_t id, uint32_t type, NodeValue* value,
                std::string* data) override {
    Reply reply;
    SqlStatus status = read_node_.Run(id);
    if (read_node_.Next(&status)) {
      value->type = static_cast<uint32_t>(read_node_.Unsigned(0));
      value->version = read_node_.Unsigned(1);
      value->time = static_cast<uint32_t>(read_node_.Unsigned(2));
      data->assign(read_node_.Text(3));
      value->data = *data;
      reply.found = value->type == type;
    }
    return Ended("node read", status, reply);
  }

 private:
  // Runs `attempt(&reply)` in a transaction that is tried again after conflicts
  // (DEVIATION T11).
  template <typename Attempt>
  Reply InTransaction(const Attempt& attempt) {
    Reply reply;
    const SqlStatus status = transaction_.Run(
        [&] {
          reply.found = false;
          return attempt(&reply);
        },
        &reply.retries);
    return Ended("transaction", status, reply);
  }
  // The same for a statement that is its own transaction.
  template <typename Attempt>
  Reply InOneStatement(const Attempt& attempt) {
    Reply reply;
    const SqlStatus status = retries_.Run([&] { return attempt(&reply); },
                                          mariadb::IsConflict, &reply.retries);
    return Ended("node write", status, reply);
  }
  Reply Ended(const char* operation, const mariadb::SqlStatus& status,
              Reply reply) {
    if (status.ok()) return reply;
    return GivenUp(operation, mariadb::ToString(status), reply);
  }

  // Connections outlive statements.
  std::unique_ptr<mariadb::Connection> transactions_;
  std::unique_ptr<mariadb::Connection> single_;
  mariadb::Transaction transaction_;
  RetryLoop retries_;
  Statement show_link_{transactions_.get(), sql::AddLink(/*visible=*/true)};
  Statement add_hidden_link_{transactions_.get(),
                             sql::AddLink(/*visible=*/false)};
  Statement delete_link_{transactions_.get(), sql::DeleteLink()};
  Statement read_count_{single_.get(), sql::kReadCount};
  Statement read_list_{single_.get(), sql::kReadList, Statement::Sent::kAsText};
  Statement add_node_{single_.get(), sql::kAddNode};
  Statement update_node_{single_.get(), sql::kUpdateNode};
  Statement delete_node_{single_.get(), sql::kDeleteNode};
  Statement read_node_{single_.get(), sql::kReadNode};
  mariadb::StatementsByCount read_links_{single_.get(), sql::ReadLinks};
  LinkRows by_id2_;
};

// Thread-safe.
class SqlStore : public Store {
 public:
  SqlStore(const mariadb::ServerFlags& server, int max_retries)
      : server_(server), max_retries_(max_retries) {}

  // Connects twice.
  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    std::unique_ptr<mariadb::Connection> transactions;
    std::unique_ptr<mariadb::Connection> single;
    Status status = mariadb::Connection::Open(server_, &transactions);
    if (status.ok()) status = mariadb::Connection::Open(server_, &single);
    if (!status.ok()) return std::make_unique<Session>(status.message());
    return std::make_unique<SqlSession>(std::move(transactions),
                                        std::move(single), max_retries_, seed);
  }
  Status Scan(Table table, const table::KeyRange& range,
              const table::Visit& visit) const override {
    std::unique_ptr<mariadb::Connection> connection;
    TRY(mariadb::Connection::Open(server_, &connection));
    return mariadb::ScanTable(*connection, Tables(), static_cast<size_t>(table),
                              range, visit);
  }

 private:
  mariadb::ServerFlags server_;
  int max_retries_;
};

}  // namespace

std::unique_ptr<Store> NewSqlStore(const mariadb::ServerFlags& server,
                                   int max_retries) {
  return std::make_unique<SqlStore>(server, max_retries);
}

}  // namespace waltax::linkbench
