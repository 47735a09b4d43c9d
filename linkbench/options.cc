#include "linkbench/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "driver/flag_list.h"
#include "linkbench/shuffle.h"

namespace waltax::linkbench {

namespace {

// The original's tolerance for the sum of its mix, in percent.
constexpr double kMixTolerance = 1e-5;

constexpr int64_t kMaxId = std::numeric_limits<int64_t>::max();
// Beyond this skew all draws are rank 0.
constexpr double kMaxShape = 10;

// What requests compute from; another value would ask for another graph.
// Payload sizes are not among them: a run may well write other sizes.
constexpr std::array<const char*, 5> kBinding = {
    "startid1", "maxid1", "link_type_count", "degree_cap", "randomid2max"};

Status ValidateGraph(const GraphOptions& graph) {
  if (graph.maxid1 <= graph.startid1) {
    return Status::Usage(fmt::format(
        "--maxid1: found {}, want more than --startid1, which is {}",
        graph.maxid1, graph.startid1));
  }
  if (graph.ids() > Shuffle::kMaxOffsets) {
    return Status::Usage(
        fmt::format("--maxid1: found {}, want at most {} ids (the original's "
                    "shuffle overflows beyond)",
                    graph.maxid1, Shuffle::kMaxOffsets));
  }
  return Status::Ok();
}

Status ValidatePayload(std::string_view flag, const PayloadOptions& payload) {
  if (payload.start_byte < payload.end_byte) return Status::Ok();
  return Status::Usage(
      fmt::format("--{}-endbyte: found {}, want more than --{}-startbyte, "
                  "which is {}",
                  flag, payload.end_byte, flag, payload.start_byte));
}

Status ValidateShape(std::string_view flag, const AccessOptions& access) {
  // The generator divides by 1 - shape.
  if (access.function != "zipf" || access.shape != 1) {
    return Status::Ok();
  }
  return Status::Usage(fmt::format(
      "--{}-shape: found 1, want a number near it, such as 0.999", flag));
}

Status ValidateRequests(const RequestOptions& requests) {
  const double sum =
      std::accumulate(requests.mix.begin(), requests.mix.end(), 0.0);
  if (std::abs(sum - 100) > kMixTolerance) {
    return Status::Usage(
        fmt::format("--addlink: found a sum of {} with the other nine "
                    "percentages, want 100",
                    sum));
  }
  if (requests.link_multiget_max <= requests.link_multiget_min) {
    return Status::Usage(fmt::format(
        "--link-multiget-max: found {}, want more than --link-multiget-min, "
        "which is {}",
        requests.link_multiget_max, requests.link_multiget_min));
  }
  return Status::Ok();
}

template <typename Reader, typename Payload>
void ListPayload(const Reader& flags, Payload* payload) {
  flags("startbyte", &payload->start_byte, 0, 255, "lowest byte of payloads");
  flags("endbyte", &payload->end_byte, 0, 255, "highest byte of payloads");
  flags("uniqueness", &payload->uniqueness, 0, 1,
        "share of random chunks: more compresses worse");
}

template <typename Reader, typename Access>
void ListAccess(const Reader& flags, Access* access, const std::string& what) {
  flags.Choice("function", &access->function, {"zipf", "uniform", "geometric"},
               "ids of " + what);
  flags("shape", &access->shape, 1e-6, kMaxShape, "skew of zipf");
  flags("prob", &access->probability, 1e-9, 1 - 1e-9,
        "probability of geometric");
}

template <typename Reader, typename Graph>
void ListGraph(const Reader& flags, Graph* graph) {
  flags("startid1", &graph->startid1, 1, kMaxId, "first id");
  flags("maxid1", &graph->maxid1, 2, kMaxId, "one past the last id");
  flags("link-type-count", &graph->link_type_count, 1, 1000, "types of links");
  flags("degree-cap", &graph->degree_cap, 0, kMaxId,
        "most links of a node; 0 is none, as in the original");
  flags("randomid2max", &graph->randomid2max, 0, kMaxId,
        "above 0: link targets are uniform below this");
  flags("link-datasize", &graph->link_datasize, 0.01, 1e6,
        "median bytes of a link");
  flags("node-datasize", &graph->node_datasize, 0.01, 1e6,
        "median bytes of a node");
  ListPayload(flags.In("link-add-datagen"), &graph->link_add);
  ListPayload(flags.In("node-add-datagen"), &graph->node_add);
}

template <typename Reader, typename Requests>
void ListRequests(const Reader& flags, Requests* requests) {
  for (size_t i = 0; i < kOps; ++i) {
    flags(kMixNames[i], &requests->mix[i], 0, 100,
          fmt::format("percentage of {}", kOpNames[i]));
  }
  flags("getlinklist-history", &requests->getlinklist_history, 0, 100,
        "percentage of list reads that go on where one ended");
  ListAccess(flags.In("read"), &requests->read, "link reads");
  flags("read-uncorr-blend", &requests->read_uncorr_blend, 0, 100,
        "percentage of link requests that ignore the out-degree");
  ListAccess(flags.In("read-uncorr"), &requests->read_uncorr, "those");
  ListAccess(flags.In("write"), &requests->write, "link writes");
  ListAccess(flags.In("node-read"), &requests->node_read, "node reads");
  ListAccess(flags.In("node-update"), &requests->node_update, "node updates");
  ListAccess(flags.In("node-delete"), &requests->node_delete, "node deletes");
  ListPayload(flags.In("link-up-datagen"), &requests->link_up);
  ListPayload(flags.In("node-up-datagen"), &requests->node_up);
  flags("link-multiget-min", &requests->link_multiget_min, 0, kMaxMultiget - 1,
        "fewest links of a multiget, less one");
  flags("link-multiget-max", &requests->link_multiget_max, 1, kMaxMultiget,
        "most links of a multiget, and one");
  flags("link-multiget-prob", &requests->link_multiget_prob, 1e-6, 1 - 1e-6,
        "of the geometric distribution of their number");
  flags("id2gen-config", &requests->id2gen_config, 0, 1,
        "1: every thread has link targets of its own");
  flags("max-retries", &requests->max_retries, 0, 1'000'000,
        "conflicts after which an operation is an error");
}

// Fails (usage) when a flag is another one than a data set was loaded with.
Status CompareLoadedFlag(std::string flag, const nlohmann::json& loaded,
                         const nlohmann::json& wanted,
                         const std::string& where) {
  const nlohmann::json found = loaded.value(flag, nlohmann::json());
  const nlohmann::json& want = wanted[flag];
  if (found == want) return Status::Ok();
  const auto text = [](const nlohmann::json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  // Written with `_` in results, and with `-` on a command line.
  std::replace(flag.begin(), flag.end(), '_', '-');
  return Status::Usage(
      fmt::format("--{}: found {}, but the data set in {} was loaded with {}: "
                  "pass that, or load another",
                  flag, text(want), where, text(found)));
}

}  // namespace

Status Validate(const Options& options) {
  const RequestOptions& requests = options.requests;
  for (const Status& status :
       {ValidateGraph(options.graph),
        ValidatePayload("link-add-datagen", options.graph.link_add),
        ValidatePayload("node-add-datagen", options.graph.node_add),
        ValidatePayload("link-up-datagen", requests.link_up),
        ValidatePayload("node-up-datagen", requests.node_up),
        ValidateShape("read", requests.read),
        ValidateShape("read-uncorr", requests.read_uncorr),
        ValidateShape("write", requests.write),
        ValidateShape("node-read", requests.node_read),
        ValidateShape("node-update", requests.node_update),
        ValidateShape("node-delete", requests.node_delete),
        ValidateRequests(requests)}) {
    TRY(status);
  }
  return Status::Ok();
}

nlohmann::json ToJson(const GraphOptions& graph) {
  nlohmann::json json;
  ListGraph(FlagValues(&json), &graph);
  return json;
}

nlohmann::json ToJson(const Options& options) {
  nlohmann::json json = ToJson(options.graph);
  ListRequests(FlagValues(&json), &options.requests);
  return json;
}

Status CompareRecord(const nlohmann::json& record, const std::string& where,
                     const GraphOptions& graph) {
  const nlohmann::json wanted = ToJson(graph);
  const nlohmann::json loaded = record.value("graph", nlohmann::json::object());
  for (const char* key : kBinding) {
    TRY(CompareLoadedFlag(key, loaded, wanted, where));
  }
  // Of an older version, which had others.
  if (loaded.value("nlinks_func", "real") == "real" &&
      record.value("data_hash", "built-in").starts_with("built-in")) {
    return Status::Ok();
  }
  return Status::Usage(fmt::format(
      "--maxid1: the data set in {} was loaded with out-degrees that waltax "
      "does not have any more: load again",
      where));
}

void AddGraphFlags(CLI::App* app, GraphOptions* graph) {
  ListGraph(FlagAdder(app), graph);
}

void AddRequestFlags(CLI::App* app, RequestOptions* requests) {
  ListRequests(FlagAdder(app), requests);
}

}  // namespace waltax::linkbench
