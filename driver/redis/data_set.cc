#include "driver/redis/data_set.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace waltax {
namespace {

std::string RecordKey(const RedisDataSet& set) {
  return "waltax:" + set.program;
}

// Shows all keys, some of them twice, in whatever order the server finds them,
// until `visit` has enough.
Status ForAllKeys(RedisConnection& connection,
                  const std::function<bool(std::string_view key)>& visit) {
  std::string cursor = "0";
  do {
    RedisAnswer answer;
    if (!connection.Ask({"SCAN", cursor, "COUNT", "1000"}, &answer)) break;
    if (answer.size() != 2) break;
    cursor = answer[0].text();
    for (size_t i = 0; i < answer[1].size(); ++i) {
      if (!visit(answer[1][i].text())) return connection.status();
    }
  } while (cursor != "0");
  return connection.status();
}

// The record goes first: what is left of a removal that was cut short is no
// data set.
Status Remove(RedisConnection& connection, const RedisDataSet& set) {
  RedisConnection to(set.place);
  RedisAnswer answer;
  if (!to.Ask({"DEL", RecordKey(set)}, &answer)) return to.status();
  const Status seen = ForAllKeys(connection, [&](std::string_view key) {
    return !set.owns(key) || to.Ask({"DEL", key}, &answer);
  });
  return to.status().ok() ? seen : to.status();
}

// Fails (usage) when the database has no record of a data set of this layout.
Status ReadRecord(RedisConnection& connection, const RedisDataSet& set,
                  nlohmann::json* record) {
  RedisAnswer answer;
  if (!connection.Ask({"GET", RecordKey(set)}, &answer)) {
    return connection.status();
  }
  *record = nlohmann::json::parse(answer.text(), nullptr, false);
  if (record->is_object() && record->value("workload", "") == set.program &&
      record->value("layout", 0) == set.layout) {
    return Status::Ok();
  }
  return Status::Usage(
      fmt::format("--endpoint: {} has no data set of this program (no whole "
                  "record in its key {}); load one into an empty database",
                  set.place.url, RecordKey(set)));
}

}  // namespace

Status MakeRoom(const RedisDataSet& set, const std::string& existing,
                bool* kept) {
  RedisConnection connection(set.place);
  nlohmann::json record;
  const Status ours = ReadRecord(connection, set, &record);
  if (!connection.status().ok()) return connection.status();
  *kept = ours.ok() && existing == "keep";
  if (*kept) return set.accept(record, set.place.url);
  if (ours.ok() && existing != "refuse") {
    const Status removed = Remove(connection, set);
    if (!removed.ok()) return removed;
  }
  bool empty = true;
  const Status status =
      ForAllKeys(connection, [&](auto /*key*/) { return empty = false; });
  if (!status.ok() || empty || existing == "remove") return status;
  return Status::Usage(fmt::format(
      "--endpoint: {} is not empty, and {}; name another database (?db=N), or "
      "empty it",
      set.place.url,
      ours.ok()
          ? "holds a data set of this program, which --existing=keep takes"
          : "holds no whole data set of this program"));
}

Status WriteRecord(const RedisDataSet& set, nlohmann::json record) {
  record["workload"] = set.program;
  record["layout"] = set.layout;
  RedisConnection connection(set.place);
  RedisAnswer answer;
  connection.Ask({"SET", RecordKey(set), record.dump()}, &answer);
  return connection.status();
}

Status Accept(const RedisDataSet& set) {
  RedisConnection connection(set.place);
  nlohmann::json record;
  const Status status = ReadRecord(connection, set, &record);
  return status.ok() ? set.accept(record, set.place.url) : status;
}

}  // namespace waltax
