#include "linkbench/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "driver/flags.h"
#include "linkbench/shuffle.h"

namespace waltax::linkbench {

namespace {

// The original's tolerance for the sum of its mix, in percent.
constexpr double kMixTolerance = 1e-5;

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
  const bool powers = graph.nlinks_func == DegreeFunction::kPerfectSquares ||
                      graph.nlinks_func == DegreeFunction::kExponential;
  if (powers && graph.nlinks_config < 2) {
    return Status::Usage(
        fmt::format("--nlinks-config: found {}, want at least "
                    "2 with --nlinks-func {}",
                    graph.nlinks_config, Name(graph.nlinks_func)));
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
  if (access.function != AccessFunction::kZipf || access.shape != 1) {
    return Status::Ok();
  }
  return Status::Usage(fmt::format(
      "--{}-shape: found 1, want a number near it, such as 0.999", flag));
}

Status ValidateRequests(const RequestOptions& requests) {
  const double sum =
      std::accumulate(requests.mix.begin(), requests.mix.end(), 0.0);
  if (std::abs(sum - 100) > kMixTolerance) {
    return Status::Usage(fmt::format(
        "--addlink and the other nine percentages: found a sum of {}, want 100",
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

nlohmann::json ToJson(const PayloadOptions& payload) {
  return {{"startbyte", payload.start_byte},
          {"endbyte", payload.end_byte},
          {"uniqueness", payload.uniqueness}};
}

nlohmann::json ToJson(const AccessOptions& access) {
  nlohmann::json json = {{"function", Name(access.function)}};
  if (access.function == AccessFunction::kZipf) json["shape"] = access.shape;
  if (access.function == AccessFunction::kGeometric) {
    json["prob"] = access.probability;
  }
  return json;
}

nlohmann::json ToJson(const RequestOptions& requests) {
  nlohmann::json json = {{"getlinklist_history", requests.getlinklist_history},
                         {"read", ToJson(requests.read)},
                         {"read_uncorr_blend", requests.read_uncorr_blend},
                         {"read_uncorr", ToJson(requests.read_uncorr)},
                         {"write", ToJson(requests.write)},
                         {"node_read", ToJson(requests.node_read)},
                         {"node_update", ToJson(requests.node_update)},
                         {"node_delete", ToJson(requests.node_delete)},
                         {"link_up_datagen", ToJson(requests.link_up)},
                         {"node_up_datagen", ToJson(requests.node_up)},
                         {"link_multiget_min", requests.link_multiget_min},
                         {"link_multiget_max", requests.link_multiget_max},
                         {"link_multiget_prob", requests.link_multiget_prob},
                         {"id2gen_config", requests.id2gen_config},
                         {"max_retries", requests.max_retries}};
  for (size_t i = 0; i < kOps; ++i) {
    json[std::string(kMixNames[i])] = requests.mix[i];
  }
  return json;
}

constexpr int64_t kMaxId = std::numeric_limits<int64_t>::max();
// Beyond this skew all draws are rank 0.
constexpr double kMaxShape = 10;

template <typename Function>
std::vector<std::string> NamesUpTo(Function last) {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    names.emplace_back(Name(static_cast<Function>(i)));
  }
  return names;
}

// REQUIRES: `name` is one of NamesUpTo(last), which the parser saw to.
template <typename Function>
Function Named(const std::string& name, Function last) {
  const std::vector<std::string> names = NamesUpTo(last);
  const auto at = std::find(names.begin(), names.end(), name);
  return static_cast<Function>(at - names.begin());
}

void AddPayload(CLI::App* app, const std::string& name,
                PayloadOptions* payload) {
  AddWholeNumber(app, name + "-startbyte", &payload->start_byte, 0, 255,
                 "lowest byte of payloads");
  AddWholeNumber(app, name + "-endbyte", &payload->end_byte, 0, 255,
                 "highest byte of payloads");
  AddNumber(app, name + "-uniqueness", &payload->uniqueness, 0, 1,
            "share of random chunks: more compresses worse");
}

void AddAccess(CLI::App* app, const std::string& name, std::string* function,
               AccessOptions* access, const std::string& what) {
  AddChoice(app, name + "-function", function,
            NamesUpTo(AccessFunction::kGeometric), "ids of " + what);
  AddNumber(app, name + "-shape", &access->shape, 1e-6, kMaxShape,
            "skew of zipf");
  AddNumber(app, name + "-prob", &access->probability, 1e-9, 1 - 1e-9,
            "probability of geometric");
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
    if (!status.ok()) return status;
  }
  return Status::Ok();
}

nlohmann::json ToJson(const GraphOptions& graph) {
  return {{"startid1", graph.startid1},
          {"maxid1", graph.maxid1},
          {"link_type_count", graph.link_type_count},
          {"nlinks_func", Name(graph.nlinks_func)},
          {"nlinks_config", graph.nlinks_config},
          {"nlinks_default", graph.nlinks_default},
          {"degree_cap", graph.degree_cap},
          {"data_file", graph.data_file},
          {"randomid2max", graph.randomid2max},
          {"link_datasize", graph.link_datasize},
          {"node_datasize", graph.node_datasize},
          {"link_add_datagen", ToJson(graph.link_add)},
          {"node_add_datagen", ToJson(graph.node_add)}};
}

nlohmann::json ToJson(const Options& options) {
  nlohmann::json json = ToJson(options.graph);
  json.update(ToJson(options.requests));
  return json;
}

std::string_view Name(DegreeFunction function) {
  switch (function) {
    case DegreeFunction::kReal:
      return "real";
    case DegreeFunction::kConst:
      return "const";
    case DegreeFunction::kReciprocal:
      return "reciprocal";
    case DegreeFunction::kMultiples:
      return "multiples";
    case DegreeFunction::kPerfectSquares:
      return "perfect_squares";
    case DegreeFunction::kExponential:
      return "exponential";
  }
  return "";
}

std::string_view Name(AccessFunction function) {
  switch (function) {
    case AccessFunction::kZipf:
      return "zipf";
    case AccessFunction::kUniform:
      return "uniform";
    case AccessFunction::kGeometric:
      return "geometric";
  }
  return "";
}

Status WorkloadFlags::Resolve(Options* resolved) const {
  *resolved = options;
  resolved->graph.nlinks_func =
      Named(nlinks_func, DegreeFunction::kExponential);
  const auto access = [](const std::string& name) {
    return Named(name, AccessFunction::kGeometric);
  };
  RequestOptions& requests = resolved->requests;
  requests.read.function = access(read_function);
  requests.read_uncorr.function = access(read_uncorr_function);
  requests.write.function = access(write_function);
  requests.node_read.function = access(node_read_function);
  requests.node_update.function = access(node_update_function);
  requests.node_delete.function = access(node_delete_function);
  return Validate(*resolved);
}

void AddGraphFlags(CLI::App* app, WorkloadFlags* flags) {
  GraphOptions& graph = flags->options.graph;
  AddWholeNumber(app, "--startid1", &graph.startid1, 1, kMaxId, "first id");
  AddWholeNumber(app, "--maxid1", &graph.maxid1, 2, kMaxId,
                 "one past the last id");
  AddWholeNumber(app, "--link-type-count", &graph.link_type_count, 1, 1000,
                 "types of links");
  AddChoice(app, "--nlinks-func", &flags->nlinks_func,
            NamesUpTo(DegreeFunction::kExponential), "links of each node");
  AddWholeNumber(app, "--nlinks-config", &graph.nlinks_config, 1, 1'000'000'000,
                 "parameter of the functions other than real");
  AddWholeNumber(app, "--nlinks-default", &graph.nlinks_default, 0,
                 1'000'000'000, "what those functions start from");
  AddWholeNumber(app, "--degree-cap", &graph.degree_cap, 0, kMaxId,
                 "most links of a node; 0 is none, as in the original");
  AddText(app, "--data-file", &graph.data_file, "a distribution file",
          "out-degrees in the original's format [built in]");
  AddWholeNumber(app, "--randomid2max", &graph.randomid2max, 0, kMaxId,
                 "above 0: link targets are uniform below this");
  AddNumber(app, "--link-datasize", &graph.link_datasize, 0.01, 1e6,
            "median bytes of a link");
  AddNumber(app, "--node-datasize", &graph.node_datasize, 0.01, 1e6,
            "median bytes of a node");
  AddPayload(app, "--link-add-datagen", &graph.link_add);
  AddPayload(app, "--node-add-datagen", &graph.node_add);
}

void AddRequestFlags(CLI::App* app, WorkloadFlags* flags) {
  RequestOptions& requests = flags->options.requests;
  for (size_t i = 0; i < kOps; ++i) {
    AddNumber(app, fmt::format("--{}", kMixNames[i]), &requests.mix[i], 0, 100,
              fmt::format("percentage of {}", kOpNames[i]));
  }
  AddNumber(app, "--getlinklist-history", &requests.getlinklist_history, 0, 100,
            "percentage of list reads that go on where one ended");
  AddAccess(app, "--read", &flags->read_function, &requests.read, "link reads");
  AddNumber(app, "--read-uncorr-blend", &requests.read_uncorr_blend, 0, 100,
            "percentage of link requests that ignore the out-degree");
  AddAccess(app, "--read-uncorr", &flags->read_uncorr_function,
            &requests.read_uncorr, "those");
  AddAccess(app, "--write", &flags->write_function, &requests.write,
            "link writes");
  AddAccess(app, "--node-read", &flags->node_read_function, &requests.node_read,
            "node reads");
  AddAccess(app, "--node-update", &flags->node_update_function,
            &requests.node_update, "node updates");
  AddAccess(app, "--node-delete", &flags->node_delete_function,
            &requests.node_delete, "node deletes");
  AddPayload(app, "--link-up-datagen", &requests.link_up);
  AddPayload(app, "--node-up-datagen", &requests.node_up);
  AddWholeNumber(app, "--link-multiget-min", &requests.link_multiget_min, 0,
                 kMaxMultiget - 1, "fewest links of a multiget, less one");
  AddWholeNumber(app, "--link-multiget-max", &requests.link_multiget_max, 1,
                 kMaxMultiget, "most links of a multiget, and one");
  AddNumber(app, "--link-multiget-prob", &requests.link_multiget_prob, 1e-6,
            1 - 1e-6, "of the geometric distribution of their number");
  AddWholeNumber(app, "--id2gen-config", &requests.id2gen_config, 0, 1,
                 "1: every thread has link targets of its own");
  AddWholeNumber(app, "--max-retries", &requests.max_retries, 0, 1'000'000,
                 "conflicts after which an operation is an error");
  AddText(app, "--ack-log", &flags->ack_log, "a file",
          "append each write as it begins and when it is committed to this "
          "file");
}

void AddCheckFlags(CLI::App* app, WorkloadFlags* flags) {
  AddText(app, "--acks", &flags->acks, "a file that --ack-log wrote",
          "every write that this file says is committed must be there");
}

}  // namespace waltax::linkbench
