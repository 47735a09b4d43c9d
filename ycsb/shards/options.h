// How the records of a table are dealt out to several nodes.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "driver/status.h"

namespace CLI {
class App;
}

namespace waltax::ycsb {

struct KeyFormat;

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

// Rejects what no single flag can see.
Status ValidateShards(const ShardOptions& shards, const KeyFormat& keys);

// Adds what decides where records are, under its flags' names; nothing of a
// table on one node.
void AddCut(const ShardOptions& shards, nlohmann::json* json);

// --nodes and --owner are every command's, --node that of those which can work
// on one node alone, --route that of those which work on all.
void AddShardFlags(CLI::App* app, ShardOptions* shards);
void AddNodeFlag(CLI::App* app, ShardOptions* shards);
void AddRouteFlag(CLI::App* app, ShardOptions* shards);

}  // namespace waltax::ycsb
