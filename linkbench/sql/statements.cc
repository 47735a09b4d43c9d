#include "linkbench/sql/statements.h"

#include <fmt/format.h>

namespace waltax::linkbench::sql {

std::string AddLink(bool visible) {
  // A new link changes 1 row, one whose visibility changes 2.
  const char* counted = visible ? "changed > 0" : "changed = 2";
  const char* told = visible ? "changed = 2" : "changed > 0";
  return fmt::format(
      "BEGIN NOT ATOMIC DECLARE changed, told INT; {}; "
      "SET changed = ROW_COUNT(); IF {} THEN {}; END IF; "
      "IF changed <> 1 THEN {}; END IF; COMMIT; "
      "IF {} THEN SELECT 1 INTO told; END IF; END",
      kUpsertLink, counted, visible ? kCountUp : kCountDown, kUpdateLink, told);
}

std::string DeleteLink() {
  std::string lock = kLockLink;
  lock.insert(lock.find(" FROM "), " INTO seen");
  return fmt::format(
      "BEGIN NOT ATOMIC DECLARE seen INT; {}; IF seen = 1 THEN {}; {}; COMMIT; "
      "ELSE ROLLBACK; END IF; END",
      lock, kHideLink, kCountDown);
}

}  // namespace waltax::linkbench::sql
