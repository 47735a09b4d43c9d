// A transaction that is attempted until it commits.
#pragma once

#include <cstdint>

#include "driver/retry.h"
#include "driver/sql/connection.h"

namespace waltax::mariadb {

// Used by one thread. The connection is its own: it turns autocommit off there.
class Transaction {
 public:
  Transaction(Connection* connection, int max_retries, uint64_t seed)
      : connection_(*connection),
        retries_(max_retries, seed),
        begun_(connection_.Execute("SET SESSION autocommit = 0")) {}

  // Calls `SqlStatus attempt()` and commits what it did, until that succeeds,
  // fails for good, or has met conflicts too often or for too long (the limits
  // of driver/retry.h). Every failure rolls back before anything else happens:
  // a lock timeout (1205) alone undoes the statement only, and would keep the
  // transaction's locks through the pause. Returns how the last attempt ended.
  // Adds 1 to `retries` for each attempt that was made again.
  template <typename Attempt>
  SqlStatus Run(const Attempt& attempt, uint32_t* retries);

  // For an attempt that undoes what it did (clause 2.4.2.3 of TPC-C), or did
  // nothing: Run() then has nothing to commit.
  SqlStatus Rollback() { return connection_.Execute("ROLLBACK"); }

 private:
  // After a Rollback(), or when no statement reached a table: a commit would be
  // a round trip for nothing.
  SqlStatus Commit() {
    return connection_.InTransaction() ? connection_.Execute("COMMIT")
                                       : SqlStatus();
  }

  Connection& connection_;
  RetryLoop retries_;
  SqlStatus begun_;  // whether autocommit is off
};

template <typename Attempt>
SqlStatus Transaction::Run(const Attempt& attempt, uint32_t* retries) {
  if (!begun_.ok()) return begun_;
  return retries_.Run(
      [&] {
        SqlStatus status = attempt();
        if (status.ok()) status = Commit();
        if (status.ok()) return status;
        // What cannot be undone must not be tried again either.
        const SqlStatus undone = Rollback();
        return undone.ok() ? status : SqlStatus{undone.code, status.message};
      },
      IsConflict, retries);
}

}  // namespace waltax::mariadb
