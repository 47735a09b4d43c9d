// What YCSB's core workload is told, under the names of its properties.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/status.h"
#include "workloads/ycsb/keys.h"

namespace CLI {
class App;
}

namespace waltax::ycsb {

// In the order in which the original adds their shares up.
enum class Op : uint8_t { kRead, kUpdate, kInsert, kScan, kReadModifyWrite };
inline constexpr size_t kOps = 5;
inline constexpr std::array<std::string_view, kOps> kOpNames = {
    "READ", "UPDATE", "INSERT", "SCAN", "READ-MODIFY-WRITE"};

constexpr bool Writes(Op op) { return op != Op::kRead && op != Op::kScan; }

// They are sorted in memory, at 16 bytes each.
inline constexpr uint64_t kMaxRecords = 1'000'000'000;

// How the records of a table are dealt out to several nodes.
struct ShardOptions {
  uint64_t nodes = 1;
  // Who owns a record: "range" cuts the order of the keys into equal parts,
  // "hash" goes by a hash of the key (shards/owner.h).
  std::string owner = "range";
  // The node whose part alone is meant, from 0; empty: all nodes'.
  std::optional<uint64_t> node;
  // Who looks for the owner: "direct" is the client, "redirect" a server, which
  // forwards what is another one's.
  std::string route = "direct";

  [[nodiscard]] bool sharded() const { return nodes > 1; }
  [[nodiscard]] bool redirects() const { return route == "redirect"; }
};

// What the loader writes. A run must use what its data set was loaded with.
struct DataOptions {
  uint64_t recordcount = 1000;
  // The records that are loaded and asked for: from `insertstart` on.
  uint64_t insertstart = 0;
  uint64_t insertcount = 0;  // 0: all from insertstart on
  uint64_t fieldcount = 10;
  uint64_t fieldlength = 100;  // bytes; at most, where lengths differ
  uint64_t minfieldlength = 1;
  std::string fieldlengthdistribution = "constant";
  std::string fieldnameprefix = "field";
  std::string insertorder = "hashed";
  int zeropadding = 1;
  // Fields hold what can be computed from their key and name, and every read
  // compares.
  bool dataintegrity = false;
  ShardOptions shards;

  // The first number behind those that are loaded. REQUIRES: it was resolved.
  [[nodiscard]] uint64_t end() const { return insertstart + insertcount; }
  [[nodiscard]] bool checkable() const { return dataintegrity; }
  [[nodiscard]] KeyFormat keys() const {
    return {insertorder == "ordered", zeropadding};
  }
  [[nodiscard]] std::vector<std::string> FieldNames() const;
};

// What the workers ask.
struct RequestOptions {
  std::array<double, kOps> proportions = {.95, .05, 0, 0, 0};
  std::string requestdistribution = "uniform";
  // Of "zipfian": "published" as the original draws it, "exact" a Zipf over the
  // records with `zipf_constant`.
  std::string zipf = "published";
  double zipf_constant = .99;
  // Operations that are expected: by them the original's zipfian leaves room
  // for records that a run inserts.
  uint64_t operationcount = 1000;
  double hotspotdatafraction = .2;
  double hotspotopnfraction = .8;
  double exponential_percentile = 95;
  double exponential_frac = .8571428571;
  bool readallfields = true;
  bool writeallfields = false;
  uint64_t minscanlength = 1;
  uint64_t maxscanlength = 1000;
  std::string scanlengthdistribution = "uniform";
  // Updates write the whole record without having read it.
  bool blind = false;
  int max_retries = 100;  // conflicts after which an operation is an error

  [[nodiscard]] double share(Op op) const {
    return proportions[static_cast<size_t>(op)];
  }
  // Records that the original's zipfian leaves room for.
  [[nodiscard]] uint64_t ExpectedNewKeys() const;
};

struct Options {
  DataOptions data;
  RequestOptions requests;
};

// Fills in what follows from others, and rejects what no single flag can see.
Status Resolve(Options* options);

// Every effective value, under its flag's name.
nlohmann::json ToJson(const DataOptions& data);
nlohmann::json ToJson(const Options& options);

// Adds what decides where records are, under its flags' names; nothing of a
// table on one node.
void AddCut(const ShardOptions& shards, nlohmann::json* json);

// Adds the flags to the commands: those of a data set to all, and --node to
// those which can work on one node alone, --route to those which work on all.
void AddFlags(CLI::App* load, CLI::App* run, CLI::App* check, Options* options);

// Fails when the record of a data set, whose "data" is ToJson() of what it was
// loaded with, is of other flags than these; names the flag, both values, and
// `where` the data set is.
Status CompareRecord(const nlohmann::json& record, const std::string& where,
                     const DataOptions& data);

}  // namespace waltax::ycsb
