#include <algorithm>
#include <utility>

#include "driver/steps.h"
#include "workloads/ycsb/redis/store.h"

namespace waltax::ycsb {

namespace {

// Commands of one round trip: long enough that a log which is synced for each
// is no load's whole time.
constexpr int kBatch = 512;

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

}  // namespace

// Writes all chunks on several threads, each on a connection of its own.
Status LoadRedis(const RedisPlace& place, const Load& load,
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

}  // namespace waltax::ycsb
