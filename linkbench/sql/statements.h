// The statements of the ten operations.
//
// MyRocks takes a small range for one row, whatever it holds, so that the
// optimizer would read a link by id1_type: it locks and scans all links of a
// node where one is meant (Percona: PS-10110). That is why every
// SELECT and UPDATE names its index. An INSERT or a DELETE can name none; the
// DELETE is of a table that has no other.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace waltax::linkbench::sql {

// Changes 1 row when the link is new, 2 when its visibility changes, and none
// when the link had this visibility.
inline constexpr char kUpsertLink[] =
    "INSERT INTO linktable (id1, id2, link_type, visibility, data, time, "
    "version) VALUES (?, ?, ?, ?, ?, ?, ?) "
    "ON DUPLICATE KEY UPDATE visibility = VALUES(visibility)";

inline constexpr char kUpdateLink[] =
    "UPDATE linktable FORCE INDEX (PRIMARY) "
    "SET visibility = ?, data = ?, time = ?, version = ? "
    "WHERE link_type = ? AND id1 = ? AND id2 = ?";

// Whether a link is there, and visible; its lock, or that of its absence.
inline constexpr char kLockLink[] =
    "SELECT visibility FROM linktable FORCE INDEX (PRIMARY) "
    "WHERE link_type = ? AND id1 = ? AND id2 = ? FOR UPDATE";

inline constexpr char kHideLink[] =
    "UPDATE linktable FORCE INDEX (PRIMARY) SET visibility = 0 "
    "WHERE link_type = ? AND id1 = ? AND id2 = ?";

inline constexpr char kCountUp[] =
    "INSERT INTO counttable (id, link_type, count, time, version) "
    "VALUES (?, ?, 1, ?, 0) ON DUPLICATE KEY UPDATE "
    "count = count + 1, time = VALUES(time), version = version + 1";

inline constexpr char kCountDown[] =
    "INSERT INTO counttable (id, link_type, count, time, version) "
    "VALUES (?, ?, 0, ?, 0) ON DUPLICATE KEY UPDATE "
    "count = IF(count = 0, 0, count - 1), time = VALUES(time), "
    "version = version + 1";

// The two transactions on a link, each with its COMMIT a statement of its own
// to the server and one round trip: what a client would look at between two
// statements, the server does. An error ends the block where it is, before the
// COMMIT. The answer carries one number, the rows that all statements changed
// or read: AddedNewLink() and FoundLink() say what it means.
//
// The values of ADD_LINK are those of kUpsertLink, of the count, of
// kUpdateLink.
inline std::string AddLink(bool visible) {
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
// Whether the link was not there. A new one changes 1 row, and 1 or 2 in the
// count; one that stays visible 0 or 1; a third statement makes more than 3 of
// one that is shown again, and 2 of a new one without a count.
inline bool AddedNewLink(uint64_t rows) { return rows == 2 || rows == 3; }
// The values are those of kLockLink, of kHideLink, of kCountDown.
inline std::string DeleteLink() {
  std::string lock = kLockLink;
  lock.insert(lock.find(" FROM "), " INTO seen");
  return fmt::format(
      "BEGIN NOT ATOMIC DECLARE seen INT; {}; IF seen = 1 THEN {}; {}; COMMIT; "
      "ELSE ROLLBACK; END IF; END",
      lock, kHideLink, kCountDown);
}
// Whether the link was there, hidden ones too.
inline bool FoundLink(uint64_t rows) { return rows > 0; }
// Whether it was visible: the link that was read is hidden, and counted.
inline bool HidLink(uint64_t rows) { return rows > 1; }

inline constexpr char kReadCount[] =
    "SELECT count FROM counttable FORCE INDEX (PRIMARY) "
    "WHERE id = ? AND link_type = ?";

// For so many id2s.
inline std::string ReadLinks(size_t id2s) {
  std::string statement =
      "SELECT id2, visibility, version, time, data "
      "FROM linktable FORCE INDEX (PRIMARY) "
      "WHERE link_type = ? AND id1 = ? AND id2 IN (?";
  for (size_t i = 1; i < id2s; ++i) statement += ", ?";
  return statement + ")";
}

inline constexpr char kReadList[] =
    "SELECT id2, version, time, data FROM linktable FORCE INDEX (id1_type) "
    "WHERE id1 = ? AND link_type = ? AND visibility = 1 AND time <= ? "
    "ORDER BY time DESC LIMIT ?, ?";

inline constexpr char kAddNode[] =
    "INSERT INTO nodetable (type, version, time, data) VALUES (?, ?, ?, ?)";

inline constexpr char kUpdateNode[] =
    "UPDATE nodetable FORCE INDEX (PRIMARY) "
    "SET version = ?, time = ?, data = ? WHERE id = ? AND type = ?";

// DELETE takes no hint; there is no other index.
inline constexpr char kDeleteNode[] =
    "DELETE FROM nodetable WHERE id = ? AND type = ?";

inline constexpr char kReadNode[] =
    "SELECT type, version, time, data FROM nodetable FORCE INDEX (PRIMARY) "
    "WHERE id = ?";

}  // namespace waltax::linkbench::sql
