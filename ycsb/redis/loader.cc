#include "ycsb/redis/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "driver/steps.h"
#include "ycsb/data_set.h"
#include "ycsb/population.h"
#include "ycsb/redis/connection.h"
#include "ycsb/redis/schema.h"

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
    if (!connection.TakeLast(2, &answer)) break;
  }
  return connection.status();
}

// One thread's part: chunks from a common number, until one fails.
class Filler {
 public:
  Filler(const RedisPlace& place, const Population& population)
      : connection_(place),
        population_(population),
        names_(population.model().names()) {}

  // Returns the bytes of one chunk, whose records it adds up.
  Status Fill(uint64_t chunk, RecordsLoaded* loaded) {
    population_.WriteChunk(chunk,
                           [&](std::string_view key, const Values& values) {
                             Put(key, values, loaded);
                             return queued_ < kBatch || Drain();
                           });
    Drain();
    return connection_.status();
  }

 private:
  void Put(std::string_view key, const Values& values, RecordsLoaded* loaded) {
    words_ = {"HSET", key};
    for (size_t i = 0; i < names_.size(); ++i) {
      words_.push_back(names_[i]);
      words_.push_back(values.fields[i]);
      loaded->bytes += names_[i].size() + values.fields[i].size();
    }
    connection_.Send(words_);
    connection_.Send({"ZADD", kIndexKey, "0", key});
    queued_ += 2;
    ++loaded->records;
    loaded->bytes += key.size();
  }
  bool Drain() {
    RedisAnswer answer;
    const int taken = queued_;
    queued_ = 0;
    return connection_.TakeLast(taken, &answer);
  }

  RedisConnection connection_;
  const Population& population_;
  const std::vector<std::string>& names_;
  RedisConnection::Words words_;
  int queued_ = 0;
};

// Fills all chunks on several threads, and reports meanwhile.
Status FillAll(const RedisLoad& load, const Population& population,
               RecordsLoaded* loaded) {
  std::mutex mutex;  // of `loaded`
  const auto begin = [&](Step* step) {
    const auto filler = std::make_shared<Filler>(load.place, population);
    *step = [&, filler](uint64_t chunk) {
      RecordsLoaded part;
      const Status status = filler->Fill(chunk, &part);
      const std::scoped_lock lock(mutex);
      loaded->records += part.records;
      loaded->bytes += part.bytes;
      return status;
    };
    return Status::Ok();
  };
  const auto report = [&] {
    std::unique_lock lock(mutex);
    const RecordsLoaded so_far = *loaded;
    lock.unlock();
    load.report(so_far);
  };
  const auto chunks = static_cast<int>(population.chunks());
  return RunSteps(
      {std::min(load.threads, chunks), population.chunks(), begin, report});
}

// Fails (usage) when the database has no record of a data set of this layout.
Status ReadRedisDataSet(RedisConnection& connection, const RedisPlace& place,
                        nlohmann::json* record) {
  RedisAnswer answer;
  if (!connection.Ask({"GET", kDataSetKey}, &answer)) {
    return connection.status();
  }
  *record = nlohmann::json::parse(answer.text(), nullptr, false);
  if (record->is_object() && record->value("workload", "") == kWorkload &&
      record->value("layout", 0) == kRedisLayoutVersion) {
    return Status::Ok();
  }
  return Status::Usage(
      fmt::format("--endpoint: {} has no data set of this program (no whole "
                  "record in its key {}); load one into an empty database",
                  place.url, kDataSetKey));
}

// What is there makes room, or is taken as it is.
Status MakeRoom(RedisConnection& connection, const RedisLoad& load,
                const DataOptions& data, bool* kept) {
  nlohmann::json record;
  const Status ours = ReadRedisDataSet(connection, load.place, &record);
  if (connection.status().ok() && ours.ok()) {
    if (load.existing == "keep") {
      *kept = true;
      return CompareRecord(record, load.place.url, data);
    }
    if (load.existing != "refuse") {
      const Status removed = Remove(connection);
      if (!removed.ok()) return removed;
    }
  }
  bool empty = false;
  const Status status = IsEmpty(connection, &empty);
  if (!status.ok() || empty || load.existing == "remove") return status;
  return Status::Usage(fmt::format(
      "--endpoint: {} is not empty, and {}; name another database (?db=N), or "
      "empty it",
      load.place.url,
      ours.ok()
          ? "holds a data set of this program, which --existing=keep takes"
          : "holds no whole data set of this program"));
}

}  // namespace

Status LoadRedis(const RedisLoad& load, const DataOptions& data,
                 RecordsLoaded* loaded) {
  *loaded = {};
  std::unique_ptr<RedisConnection> connection;
  Status status = RedisConnection::Open(load.place, &connection);
  bool kept = false;
  if (status.ok()) status = MakeRoom(*connection, load, data, &kept);
  if (kept) loaded->records = data.insertcount;
  if (!status.ok() || kept || load.existing == "remove") return status;
  const Population population(data, load.seed);
  status = FillAll(load, population, loaded);
  if (!status.ok()) return status;
  nlohmann::json record = ToRecord(data, load.seed);
  record["workload"] = kWorkload;
  record["layout"] = kRedisLayoutVersion;
  RedisAnswer answer;
  connection->Ask({"SET", kDataSetKey, record.dump()}, &answer);
  return connection->status();
}

Status VerifyRedisDataSet(const RedisPlace& place, const DataOptions& data) {
  std::unique_ptr<RedisConnection> connection;
  nlohmann::json record;
  Status status = RedisConnection::Open(place, &connection);
  if (status.ok()) status = ReadRedisDataSet(*connection, place, &record);
  return status.ok() ? CompareRecord(record, place.url, data) : status;
}

}  // namespace waltax::ycsb
