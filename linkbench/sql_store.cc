#include "linkbench/sql_store.h"

#include <string>
#include <utility>

#include "linkbench/sql_check.h"
#include "linkbench/sql_session.h"

namespace waltax::linkbench {

namespace {

// Stands for a session that could not be opened.
class NoSession : public Session {
 public:
  explicit NoSession(std::string reason) : reason_(std::move(reason)) {}

  Reply AddLink(const LinkKey& /*key*/, const LinkValue& /*value*/) override {
    return Refuse();
  }
  Reply DeleteLink(const LinkKey& /*key*/, uint64_t /*time_ms*/) override {
    return Refuse();
  }
  Reply CountLinks(uint64_t /*id1*/, uint64_t /*type*/,
                   uint64_t* /*count*/) override {
    return Refuse();
  }
  Reply MultigetLinks(uint64_t /*id1*/, uint64_t /*type*/,
                      std::span<const uint64_t> /*id2s*/,
                      LinkRows* /*rows*/) override {
    return Refuse();
  }
  Reply GetLinksList(const ListQuery& /*query*/, LinkRows* /*rows*/) override {
    return Refuse();
  }
  Reply AddNode(const NodeValue& /*value*/, uint64_t* /*id*/) override {
    return Refuse();
  }
  Reply UpdateNode(uint64_t /*id*/, const NodeValue& /*value*/) override {
    return Refuse();
  }
  Reply DeleteNode(uint64_t /*id*/, uint32_t /*type*/) override {
    return Refuse();
  }
  Reply GetNode(uint64_t /*id*/, uint32_t /*type*/, NodeValue* /*value*/,
                std::string* /*data*/) override {
    return Refuse();
  }

 private:
  [[nodiscard]] Reply Refuse() const {
    return {.fatal = true, .error = &reason_};
  }

  std::string reason_;
};

}  // namespace

SqlStore::SqlStore(SqlPlace place, int max_retries)
    : place_(std::move(place)), max_retries_(max_retries) {}

std::unique_ptr<Session> SqlStore::NewSession(uint64_t seed) {
  std::unique_ptr<SqlSession> session;
  const Status status =
      SqlSession::Open(place_.server, max_retries_, seed, &session);
  if (status.ok()) return session;
  return std::make_unique<NoSession>(status.message());
}

Status SqlStore::Check(int threads, CheckResult* result) {
  return CheckSqlTables(place_, threads, result);
}

}  // namespace waltax::linkbench
