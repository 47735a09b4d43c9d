#include "ycsb/shards/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "driver/flags.h"
#include "ycsb/keys.h"

namespace waltax::ycsb {

namespace {

constexpr int64_t kMostNodes = 64;

Status ValidateRoute(const ShardOptions& shards) {
  if (!shards.redirects()) return Status::Ok();
  if (!shards.sharded()) {
    return Status::Usage(
        "--route: found redirect with --nodes 1, want direct, or --nodes of at "
        "least 2");
  }
  if (shards.owner == "range") return Status::Ok();
  return Status::Usage(fmt::format(
      "--route: found redirect with --owner {}, want --owner range: a server "
      "that redirects goes by the ranges of its table",
      shards.owner));
}

}  // namespace

Status ValidateShards(const ShardOptions& shards, const KeyFormat& keys) {
  if (shards.node && *shards.node >= shards.nodes) {
    return Status::Usage(
        fmt::format("--node: found {}, want less than --nodes, {}",
                    *shards.node, shards.nodes));
  }
  if (shards.sharded() && shards.owner == "range" && keys.ordered) {
    return Status::Usage(
        "--owner: found range with --insertorder ordered, by which one node "
        "would get every insert; want --owner hash, or --insertorder hashed");
  }
  return ValidateRoute(shards);
}

void AddCut(const ShardOptions& shards, nlohmann::json* json) {
  if (!shards.sharded()) return;
  (*json)["nodes"] = shards.nodes;
  (*json)["owner"] = shards.owner;
  if (shards.node) (*json)["node"] = *shards.node;
}

void AddShardFlags(CLI::App* app, ShardOptions* shards) {
  AddWholeNumber(app, "--nodes", &shards->nodes, 1, kMostNodes,
                 "nodes that the records are dealt out to");
  AddChoice(app, "--owner", &shards->owner, {"range", "hash"},
            "which node has a record: by its place among the keys, or a hash");
}

void AddNodeFlag(CLI::App* app, ShardOptions* shards) {
  AddWholeNumber(app, "--node", &shards->node, 0, kMostNodes - 1,
                 "the node whose part alone is meant, from 0 [all]");
}

void AddRouteFlag(CLI::App* app, ShardOptions* shards) {
  AddChoice(app, "--route", &shards->route, {"direct", "redirect"},
            "who looks for a record's node: the client, or any server");
}

}  // namespace waltax::ycsb
