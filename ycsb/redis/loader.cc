#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "driver/steps.h"
#include "ycsb/redis/store.h"

namespace waltax::ycsb {

namespace {

// Commands of one round trip: long enough that a log which is synced for each
// is no load's whole time.
constexpr int kBatch = 512;

// Whether there is any key at all, in whatever order the server finds it.
Status IsEmpty(RedisConnection& connection, bool* empty) {
  std::string cursor = "0";
  *empty = true;
  do {
    // Its answer is a cursor and a list, which hiredis has as nested lists.
    connection.Send({"SCAN", cursor, "COUNT", "1000"});
    RedisAnswer answer;
    if (!connection.Take(&answer)) return connection.status();
    if (answer.size() != 2) break;
    cursor = answer.text(0);
    *empty = answer.size(1) == 0;
  } while (*empty && cursor != "0");
  return Status::Ok();
}

// Removes the records that the index knows, the index, and the data set's
// record, which goes first: what is left of a removal that was cut short is
// no data set.
Status Remove(RedisConnection& connection) {
  RedisAnswer keys;
  RedisAnswer answer;
  if (!connection.Ask({"DEL", kDataSetKey}, &answer)) {
    return connection.status();
  }
  const std::string last = std::to_string(kBatch - 1);
  while (connection.Ask({"ZRANGE", kIndexKey, "0", last}, &keys) &&
         keys.size() > 0) {
    RedisConnection::Words hashes = {"DEL"};
    RedisConnection::Words indices = {"ZREM", kIndexKey};
    for (size_t i = 0; i < keys.size(); ++i) {
      hashes.push_back(keys.text(i));
      indices.push_back(keys.text(i));
    }
    connection.Send(hashes);
    connection.Send(indices);
    if (!connection.Take(&answer, 2)) break;
  }
  return connection.status();
}

// Writes a chunk, some commands at a time.
Status Fill(RedisConnection& connection, const Population& population,
            uint64_t chunk, LoadTally* tally) {
  const std::vector<std::string>& names = population.model().names();
  RedisConnection::Words words;
  RedisAnswer answer;
  RecordsLoaded part;
  int queued = 0;
  population.WriteChunk(chunk, [&](std::string_view key, const Values& all) {
    words = {"HSET", key};
    for (size_t i = 0; i < names.size(); ++i) {
      words.push_back(names[i]);
      words.push_back(all.fields[i]);
      part.bytes += names[i].size() + all.fields[i].size();
    }
    connection.Send(words);
    connection.Send({"ZADD", kIndexKey, "0", key});
    part.bytes += key.size();
    ++part.records;
    queued += 2;
    if (queued < kBatch) return true;
    return connection.Take(&answer, std::exchange(queued, 0));
  });
  connection.Take(&answer, queued);
  tally->Add(part);
  return connection.status();
}

// Writes all chunks on several threads, each on a connection of its own.
Status FillAll(const RedisPlace& place, const Load& load,
               RecordsLoaded* loaded) {
  const Population population(load.data, load.seed);
  LoadTally tally;
  const auto begin = [&](Step* step) {
    const auto connection = std::make_shared<RedisConnection>(place);
    *step = [&, connection](uint64_t chunk) {
      return Fill(*connection, population, chunk, &tally);
    };
    return connection->status();
  };
  const auto chunks = static_cast<int>(population.chunks());
  const Status status =
      RunSteps({std::min(load.threads, chunks), population.chunks(), begin,
                [&] { load.report(tally.now()); }});
  *loaded = tally.now();
  return status;
}

// Fails (usage) when the database has no record of a data set of this layout.
Status ReadRedisDataSet(RedisConnection& connection, const RedisPlace& place,
                        nlohmann::json* record) {
  RedisAnswer answer;
  if (!connection.Ask({"GET", kDataSetKey}, &answer)) {
    return connection.status();
  }
  *record = nlohmann::json::parse(answer.text(), nullptr, false);
  if (record->is_object() && record->value("workload", "") == "ycsb" &&
      record->value("layout", 0) == kRedisLayoutVersion) {
    return Status::Ok();
  }
  return Status::Usage(
      fmt::format("--endpoint: {} has no data set of this program (no whole "
                  "record in its key {}); load one into an empty database",
                  place.url, kDataSetKey));
}

// What is there makes room, or is taken as it is.
Status MakeRoom(RedisConnection& connection, const RedisPlace& place,
                const std::string& existing, const DataOptions& data,
                bool* kept) {
  nlohmann::json record;
  const Status ours = ReadRedisDataSet(connection, place, &record);
  if (!connection.status().ok()) return connection.status();
  *kept = ours.ok() && existing == "keep";
  if (*kept) return CompareRecord(record, place.url, data);
  if (ours.ok() && existing != "refuse") {
    const Status removed = Remove(connection);
    if (!removed.ok()) return removed;
  }
  bool empty = false;
  const Status status = IsEmpty(connection, &empty);
  if (!status.ok() || empty || existing == "remove") return status;
  return Status::Usage(fmt::format(
      "--endpoint: {} is not empty, and {}; name another database (?db=N), or "
      "empty it",
      place.url,
      ours.ok()
          ? "holds a data set of this program, which --existing=keep takes"
          : "holds no whole data set of this program"));
}

}  // namespace

Status LoadRedis(const RedisPlace& place, const std::string& existing,
                 const Load& load, RecordsLoaded* loaded) {
  RedisConnection connection(place);
  bool kept = false;
  Status status = connection.status();
  if (status.ok()) {
    status = MakeRoom(connection, place, existing, load.data, &kept);
  }
  *loaded = {kept ? load.data.insertcount : 0, 0};
  if (!status.ok() || kept || existing == "remove") return status;
  status = FillAll(place, load, loaded);
  if (!status.ok()) return status;
  nlohmann::json record = ToRecord(load.data, load.seed);
  record["workload"] = "ycsb";
  record["layout"] = kRedisLayoutVersion;
  RedisAnswer answer;
  connection.Ask({"SET", kDataSetKey, record.dump()}, &answer);
  return connection.status();
}

Status VerifyRedisDataSet(const RedisPlace& place, const DataOptions& data) {
  RedisConnection connection(place);
  nlohmann::json record;
  Status status = connection.status();
  if (status.ok()) status = ReadRedisDataSet(connection, place, &record);
  return status.ok() ? CompareRecord(record, place.url, data) : status;
}

}  // namespace waltax::ycsb
