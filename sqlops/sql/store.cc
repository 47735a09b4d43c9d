#include "sqlops/sql/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sqlops/sql/check.h"
#include "sqlops/turns.h"

namespace waltax::sqlops {

namespace {

using mariadb::SqlStatus;
using mariadb::Statement;

const char* TextOf(Op op) {
  switch (op) {
    case Op::kInsert:
    case Op::kInsertRandom:
      return "INSERT INTO student VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    case Op::kSelectNames:
      return "SELECT s_name FROM student WHERE s_id < 10";
    case Op::kSelectSubjects:
      return "SELECT s_sub1, s_sub2, s_sub3 FROM student WHERE s_id < 7";
    case Op::kSelectPoint:
      return "SELECT s_name FROM student WHERE s_id = ?";
    case Op::kUpdateHot:
    case Op::kUpdateRandom:
      return "UPDATE student SET s_name = ? WHERE s_id = ?";
    case Op::kDeleteMissing:
    case Op::kDeletePresent:
      return "DELETE FROM student WHERE s_id = ?";
    case Op::kOrderKey:
      return "SELECT s_id, s_name FROM student ORDER BY s_id LIMIT ?";
    case Op::kOrderColumn:
      return "SELECT s_id, s_name FROM student ORDER BY s_addr LIMIT ?";
    case Op::kOrderAll:
      return "SELECT s_id, s_name FROM student ORDER BY s_addr";
  }
  return "";
}

bool HasParameter(Op op) {
  return op == Op::kSelectPoint || op == Op::kOrderKey ||
         op == Op::kOrderColumn;
}

// The last turn whose student `did` says something of; 0: there is none. Of
// turns that many workers took, a killed run may have left out a few.
template <typename Ids, typename Did>
uint64_t LastTurn(const Ids& ids, uint64_t done, const Did& did) {
  for (uint64_t turn = std::min(ids.turns(), done + kLargestGap); turn > 0;
       --turn) {
    if (did(ids.Of(turn))) return turn;
  }
  return 0;
}

}  // namespace

SqlStore::SqlStore(SqlPlace place, const Options& options,
                   const Students& students)
    : place_(std::move(place)), options_(options), students_(students) {}

std::unique_ptr<Session> SqlStore::NewSession(uint64_t seed) {
  return std::make_unique<SqlSession>(place_, options_.max_retries, seed);
}

Status SqlStore::Survey(Before* before) {
  std::unique_ptr<mariadb::Connection> connection;
  std::unique_ptr<Statement> rows;
  Status status = mariadb::Connection::Open(place_.server, &connection);
  if (status.ok()) {
    status =
        Statement::Prepare(connection.get(), "SELECT s_id FROM student", &rows);
  }
  if (!status.ok()) return status;
  const uint64_t students = options_.data.students;
  std::vector<bool> there(students + 1);
  std::unordered_set<uint64_t> inserted;
  uint64_t left = 0;
  SqlStatus read = rows->Run();
  while (read.ok() && rows->Next(&read)) {
    const uint64_t id = rows->Unsigned(0);
    left += id <= students ? 1 : 0;
    if (id <= students) {
      there[id] = true;
    } else {
      inserted.insert(id);
    }
  }
  if (!read.ok()) return mariadb::Explained(read, "look at the data set");
  before->first_delete = 1 + LastTurn(DeleteIds(students), students - left,
                                      [&](uint64_t id) { return !there[id]; });
  before->first_insert =
      1 + LastTurn(InsertIds(students, options_.op()), inserted.size(),
                   [&](uint64_t id) { return inserted.contains(id); });
  return Status::Ok();
}

Status SqlStore::Check(const Expected& expected, CheckResult* result) {
  return CheckStudents(place_, options_.data, students_, expected, result);
}

SqlSession::SqlSession(const SqlPlace& place, int max_retries, uint64_t seed)
    : retries_(max_retries, seed) {
  const Status status = mariadb::Connection::Open(place.server, &connection_);
  opened_ = status.ok();
  if (!opened_) error_ = status.message();
}

SqlStatus SqlSession::Get(Op op, Statement** statement) {
  std::unique_ptr<Statement>& prepared = prepared_[static_cast<size_t>(op)];
  SqlStatus status;
  if (prepared == nullptr) {
    status = Statement::TryPrepare(connection_.get(), TextOf(op), &prepared);
  }
  *statement = prepared.get();
  return status;
}

template <typename Attempt>
Reply SqlSession::Run(Op op, const Attempt& attempt) {
  Reply reply;
  if (!opened_) {
    reply.fatal = true;
    reply.error = &error_;
    return reply;
  }
  Conflicts conflicts;
  const SqlStatus status = retries_.Run(
      [&] {
        Statement* statement = nullptr;
        const SqlStatus prepared = Get(op, &statement);
        return prepared.ok() ? attempt(*statement, &reply) : prepared;
      },
      [&](const SqlStatus& failure) {
        return mariadb::CountConflict(failure, &conflicts);
      });
  reply.retries = conflicts.total();
  if (status.ok()) return reply;
  error_ = fmt::format("{} given up after {} retries: {}", EventName(op),
                       reply.retries, mariadb::ToString(status));
  reply.error = &error_;
  reply.fatal = mariadb::IsFatal(status);
  return reply;
}

Reply SqlSession::Insert(const Student& student) {
  return Run(Op::kInsert, [&](Statement& insert, Reply* reply) {
    SqlStatus status = insert.Run(
        student.id, student.name, student.dob, student.addr, student.mobno,
        student.email, student.sub[0], student.sub[1], student.sub[2]);
    reply->rows = insert.affected_rows();
    reply->changed = reply->rows > 0;
    return status;
  });
}

Reply SqlSession::Rename(uint64_t id, std::string_view name) {
  return Run(Op::kUpdateRandom, [&](Statement& update, Reply* reply) {
    SqlStatus status = update.Run(name, id);
    reply->rows = update.matched_rows();
    reply->changed = update.affected_rows() > 0;
    return status;
  });
}

Reply SqlSession::Delete(uint64_t id) {
  return Run(Op::kDeletePresent, [&](Statement& erase, Reply* reply) {
    SqlStatus status = erase.Run(id);
    reply->rows = erase.affected_rows();
    reply->changed = reply->rows > 0;
    return status;
  });
}

Reply SqlSession::Read(Op op, uint64_t parameter) {
  return Run(op, [&](Statement& select, Reply* reply) {
    SqlStatus status = HasParameter(op) ? select.Run(parameter) : select.Run();
    reply->rows = 0;
    while (status.ok() && select.Next(&status)) ++reply->rows;
    return status;
  });
}

}  // namespace waltax::sqlops
