#include "shop/sql/store.h"

#include <fmt/format.h>

#include <utility>

#include "shop/check.h"
#include "shop/sql/tables.h"
#include "shop/sql/values.h"

namespace waltax::shop {

namespace {

using mariadb::SqlStatus;
using mariadb::Statement;

constexpr char kReadCustomer[] =
    "SELECT name, address, age FROM customers WHERE customer_id = ?";
constexpr char kReadProduct[] =
    "SELECT name, category, price, quantity, posted, description, changes "
    "FROM products WHERE product_id = ?";
constexpr char kReadOrders[] =
    "SELECT order_id, product_id, quantity, ordered FROM orders FORCE INDEX "
    "(customer_index) WHERE customer_id = ?";
constexpr char kInsertOrder[] =
    "INSERT INTO orders (order_id, customer_id, product_id, quantity, ordered) "
    "VALUES (?, ?, ?, ?, ?)";
constexpr char kTakeOff[] =
    "UPDATE products SET quantity = quantity - ?, changes = changes + 1 "
    "WHERE product_id = ?";
constexpr char kSetQuantity[] =
    "UPDATE products SET quantity = ?, changes = changes + 1 "
    "WHERE product_id = ?";

}  // namespace

SqlStore::SqlStore(SqlPlace place, const Population& population,
                   int max_retries)
    : place_(std::move(place)),
      population_(population),
      max_retries_(max_retries) {}

std::unique_ptr<Session> SqlStore::NewSession(uint64_t seed) {
  std::unique_ptr<SqlSession> session;
  const Status status =
      SqlSession::Open(place_.server, max_retries_, seed, &session);
  if (status.ok()) return session;
  return std::make_unique<Session>(status.message());
}

Status SqlStore::Survey(int threads, Before* before) {
  SqlRows rows(place_);
  return SurveyTables(threads, rows, before);
}

Status SqlStore::Check(const std::optional<Expected>& expected, int threads,
                       CheckResult* result) {
  SqlRows rows(place_);
  return CheckTables(population_, expected, threads, rows, result);
}

Status SqlSession::Open(const mariadb::ServerFlags& server, int max_retries,
                        uint64_t seed, std::unique_ptr<SqlSession>* session) {
  std::unique_ptr<mariadb::Connection> connection;
  Status status = mariadb::Connection::Open(server, &connection);
  if (!status.ok()) return status;
  session->reset(new SqlSession(std::move(connection), max_retries, seed));
  SqlSession& opened = **session;
  const auto prepare = [&](const char* text,
                           std::unique_ptr<Statement>* statement) {
    if (!status.ok()) return;
    status = Statement::Prepare(opened.connection_.get(), text, statement);
  };
  prepare(kReadCustomer, &opened.read_customer_);
  prepare(kReadProduct, &opened.read_product_);
  prepare(kReadOrders, &opened.read_orders_);
  prepare(kInsertOrder, &opened.insert_order_);
  prepare(kTakeOff, &opened.take_off_);
  prepare(kSetQuantity, &opened.set_quantity_);
  return status;
}

template <typename Attempt>
Reply SqlSession::Run(const char* transaction, const Attempt& attempt) {
  Reply reply;
  Conflicts conflicts;
  const SqlStatus status = transaction_.Run(
      [&] {
        reply = {};
        return attempt(&reply);
      },
      &conflicts);
  reply.retries = conflicts.total();
  if (status.ok()) return reply;
  error_ = fmt::format("{} given up after {} retries: {}", transaction,
                       reply.retries, mariadb::ToString(status));
  reply.error = &error_;
  reply.fatal = mariadb::IsFatal(status);
  return reply;
}

SqlStatus SqlSession::Read(Statement* read, uint64_t id, uint32_t* rows) {
  SqlStatus status = read->Run(id);
  while (status.ok() && read->Next(&status)) ++*rows;
  return status;
}

Reply SqlSession::CustomerOrders(uint64_t customer_id) {
  return Run("customer's orders", [&](Reply* reply) {
    const SqlStatus status =
        Read(read_customer_.get(), customer_id, &reply->found);
    return status.ok() ? Read(read_orders_.get(), customer_id, &reply->orders)
                       : status;
  });
}

SqlStatus SqlSession::LookAround(
    const Order& order, const std::array<uint64_t, kLookedAt>& product_ids,
    uint32_t* found) {
  SqlStatus status = Read(read_customer_.get(), order.customer_id, found);
  for (size_t i = 0; status.ok() && i < kLookedAt; ++i) {
    status = Read(read_product_.get(), product_ids[i], found);
  }
  return status;
}

Reply SqlSession::NewOrder(const Order& order,
                           const std::array<uint64_t, kLookedAt>& product_ids) {
  const std::string ordered = TimeText(order.ordered_s);
  return Run("new order", [&](Reply* reply) {
    SqlStatus status = LookAround(order, product_ids, &reply->found);
    if (!status.ok() || reply->found < 1 + kLookedAt) return status;
    status = insert_order_->Run(order.id, order.customer_id, order.product_id,
                                order.quantity, ordered);
    // Of an unsigned parameter the difference would be unsigned, too, and an
    // error below 0.
    const auto less = static_cast<int64_t>(order.quantity);
    if (status.ok()) status = take_off_->Run(less, order.product_id);
    return status;
  });
}

Reply SqlSession::SetQuantity(uint64_t product_id, int32_t quantity) {
  return Run("new quantity", [&](Reply* reply) {
    SqlStatus status = set_quantity_->Run(quantity, product_id);
    if (status.ok()) {
      reply->found = static_cast<uint32_t>(set_quantity_->matched_rows());
    }
    return status;
  });
}

}  // namespace waltax::shop
