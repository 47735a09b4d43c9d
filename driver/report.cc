#include "driver/report.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace waltax {
namespace {

using nlohmann::json;

constexpr double kNsPerUs = 1e3;

void AddLatency(const Histogram& latency_ns, json* event) {
  static constexpr std::pair<const char*, double> kPercentiles[] = {
      {"p50_us", 50}, {"p95_us", 95}, {"p99_us", 99}, {"p999_us", 99.9}};
  (*event)["mean_us"] = latency_ns.Mean() / kNsPerUs;
  (*event)["min_us"] = static_cast<double>(latency_ns.Min()) / kNsPerUs;
  (*event)["max_us"] = static_cast<double>(latency_ns.Max()) / kNsPerUs;
  for (const auto& [name, percentile] : kPercentiles) {
    (*event)[name] =
        static_cast<double>(latency_ns.Percentile(percentile)) / kNsPerUs;
  }
  (*event)["hdr"] = latency_ns.EncodeV2Base64();
}

json OperationObject(const OperationStats& operation) {
  json object = {{"count", operation.latency_ns.Count()},
                 {"rows", operation.rows},
                 {"errors", operation.errors},
                 {"retries", operation.retries}};
  AddLatency(operation.latency_ns, &object);
  return object;
}

void AddOperations(const SliceResult& result,
                   const std::vector<std::string_view>& names, json* event) {
  OperationStats all;
  json operations = json::object();
  for (size_t i = 0; i < names.size(); ++i) {
    const OperationStats& operation = result.operations[i];
    if (operation.latency_ns.Count() + operation.errors == 0) continue;
    all.Merge(operation);
    json object = OperationObject(operation);
    object["found"] = operation.found;
    object["not_found"] = operation.not_found;
    operations[std::string(names[i])] = std::move(object);
  }
  (*event)["operations"] = std::move(operations);
  (*event)["all_operations"] = OperationObject(all);
}

json ThreadObjects(const std::vector<ThreadResult>& threads) {
  json objects = json::array();
  for (const ThreadResult& thread : threads) {
    objects.push_back({{"thread", objects.size()},
                       {"requests", thread.requests},
                       {"seconds", thread.seconds},
                       {"counters", thread.counters}});
  }
  return objects;
}

json NodeObjects(const std::vector<NodeResult>& nodes) {
  json objects = json::array();
  for (const NodeResult& node : nodes) {
    objects.push_back(
        {{"counters", node.counters}, {"data_bytes", node.data_bytes}});
  }
  return objects;
}

void AddUsage(const Usage& usage, json* event) {
  (*event)["cpu_user_s"] = usage.user_s;
  (*event)["cpu_system_s"] = usage.system_s;
  (*event)["cpu_workers_s"] = usage.workers_s;
  (*event)["context_switches_voluntary"] = usage.voluntary_switches;
  (*event)["context_switches_involuntary"] = usage.involuntary_switches;
}

double ThroughputOf(const SliceResult& result, const Throughput& throughput) {
  if (result.measure_s <= 0) return 0;
  const uint64_t requests =
      throughput.operation
          ? result.operations[*throughput.operation].latency_ns.Count()
          : result.Requests();
  return static_cast<double>(requests) * throughput.interval_s /
         result.measure_s;
}

json InputObjects(const std::vector<InputCount>& counts,
                  const std::vector<InputRule>& rules) {
  json objects = json::array();
  for (size_t i = 0; i < rules.size(); ++i) {
    objects.push_back({{"name", rules[i].name},
                       {"samples", counts[i].samples},
                       {"sum", counts[i].sum},
                       {"mean", rules[i].mean},
                       {"variance", rules[i].variance},
                       {"low", rules[i].low},
                       {"high", rules[i].high}});
  }
  return objects;
}

}  // namespace

void PrintEvent(const nlohmann::json& event) {
  // Texts may hold keys that are not UTF-8.
  std::cout << event.dump(-1, ' ', false,
                          nlohmann::json::error_handler_t::replace)
            << std::endl;
}

json SliceEvent(const SliceResult& result, const Workload& workload) {
  const Throughput throughput = workload.throughput();
  json event = {{"event", "slice"},
                {"start_unix_s", result.start_unix_s},
                {"warmup_s", result.warmup_s},
                {"measure_s", result.measure_s},
                {"driven_s", result.driven_s},
                {"overtime_s", result.overtime_s},
                {"requests", result.Requests()},
                {"slice_requests", result.executed},
                {"commits", result.commits},
                {"throughput", ThroughputOf(result, throughput)},
                {"throughput_unit", throughput.unit},
                {"errors", result.errors},
                {"retries", result.retries},
                {"error_samples", result.error_samples},
                {"threads", ThreadObjects(result.threads)},
                {"inputs", InputObjects(result.inputs, workload.InputRules())},
                {"data_bytes", result.data_bytes},
                {"counters", json(result.counters)}};
  AddOperations(result, workload.OperationNames(), &event);
  AddUsage(result.usage, &event);
  if (result.rate > 0) {
    event["rate"] = result.rate;
    event["unserved"] = result.unserved.requests;
    event["unserved_oldest_s"] = result.unserved.oldest_s;
  }
  if (!result.nodes.empty()) event["node_engines"] = NodeObjects(result.nodes);
  return event;
}

json ProgressEvent(double elapsed_s, uint64_t requests, uint64_t errors) {
  return {{"event", "progress"},
          {"elapsed_s", elapsed_s},
          {"requests", requests},
          {"errors", errors}};
}

json CheckEvent(const CheckResult& result, double seconds) {
  json event = {{"event", "check"},
                {"ok", result.violation_count == 0},
                {"seconds", seconds},
                {"counted", json(std::map<std::string, uint64_t>(
                                result.counted.begin(), result.counted.end()))},
                {"violation_count", result.violation_count},
                {"violations", result.violations}};
  if (result.acknowledged) {
    event["acknowledged"] = {{"count", result.acknowledged->count},
                             {"lost", result.acknowledged->lost},
                             {"oldest_lost", result.acknowledged->oldest_lost}};
  }
  return event;
}

}  // namespace waltax
