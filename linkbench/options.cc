#include "linkbench/options.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

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

}  // namespace waltax::linkbench
