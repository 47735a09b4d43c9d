#include "workloads/ycsb/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "driver/flag_list.h"
#include "driver/loaded_flags.h"

namespace waltax::ycsb {

namespace {

constexpr int64_t kMaxCount = 1'000'000'000'000;
constexpr uint64_t kMaxFields = 1000;
constexpr uint64_t kMaxFieldBytes = 16 << 20;
constexpr uint64_t kMaxScan = 1'000'000;
constexpr double kMixTolerance = 1e-6;
constexpr int64_t kMostNodes = 64;
// Most places of the original's zipfian for each record that there is: the
// others are drawn in vain.
constexpr uint64_t kMostPlaces = 100;
constexpr std::array<const char*, kOps> kShareNames = {
    "readproportion", "updateproportion", "insertproportion", "scanproportion",
    "readmodifywriteproportion"};

// Each says what is wrong, or nothing.
std::string DataFault(const Options& options) {
  const DataOptions& data = options.data;
  if (data.insertstart >= data.recordcount) {
    return fmt::format(
        "--insertstart: found {}, want less than --recordcount, {}",
        data.insertstart, data.recordcount);
  }
  const uint64_t most = data.recordcount - data.insertstart;
  if (data.insertcount > most) {
    return fmt::format(
        "--insertcount: found {} from --insertstart {} on, want at most {}: "
        "--recordcount is {}",
        data.insertcount, data.insertstart, most, data.recordcount);
  }
  if (data.fieldlengthdistribution == "constant") return "";
  if (data.checkable()) {
    return fmt::format(
        "--dataintegrity: found with --fieldlengthdistribution {}, want "
        "constant: what a field must hold hangs on its length",
        data.fieldlengthdistribution);
  }
  if (data.minfieldlength <= data.fieldlength) return "";
  return fmt::format(
      "--minfieldlength: found {}, want at most --fieldlength, {}",
      data.minfieldlength, data.fieldlength);
}

std::string ShardFault(const Options& options) {
  const ShardOptions& shards = options.data.shards;
  if (shards.node && *shards.node >= shards.nodes) {
    return fmt::format("--node: found {}, want less than --nodes, {}",
                       *shards.node, shards.nodes);
  }
  if (shards.sharded() && shards.owner == "range" &&
      options.data.keys().ordered) {
    return "--owner: found range with --insertorder ordered, by which one node "
           "would get every insert; want --owner hash, or --insertorder hashed";
  }
  if (shards.redirects() && !shards.sharded()) {
    return "--route: found redirect with --nodes 1, want direct, or --nodes of "
           "at least 2";
  }
  if (!shards.redirects() || shards.owner == "range") return "";
  return fmt::format(
      "--route: found redirect with --owner {}, want --owner range: a server "
      "that redirects goes by the ranges of its table",
      shards.owner);
}

std::string MixFault(const Options& options) {
  const auto& proportions = options.requests.proportions;
  const double sum =
      std::accumulate(proportions.begin(), proportions.end(), 0.0);
  if (std::abs(sum - 1) <= kMixTolerance) return "";
  std::string shares;
  for (size_t i = 0; i < kOps; ++i) {
    shares += fmt::format("{}--{} {}", i == 0 ? "" : ", ", kShareNames[i],
                          proportions[i]);
  }
  return fmt::format("{}: found a sum of {:.6g}, want 1", shares, sum);
}

std::string ZipfFault(const Options& options) {
  const RequestOptions& requests = options.requests;
  if (requests.zipf != "published") return "";
  if (requests.zipf_constant != .99) {
    return fmt::format(
        "--zipf-constant: found {} with --zipf published, whose constant is "
        ".99; add --zipf exact",
        requests.zipf_constant);
  }
  const uint64_t records = options.data.insertcount;
  if (requests.ExpectedNewKeys() / kMostPlaces <= records) return "";
  return fmt::format(
      "--operationcount: found {}, by which zipfian leaves room for {} new "
      "records beside {}; want less, or --zipf exact",
      requests.operationcount, requests.ExpectedNewKeys(), records);
}

std::string HotspotFault(const Options& options) {
  const double records = static_cast<double>(options.data.insertcount);
  const double hot = std::floor(records * options.requests.hotspotdatafraction);
  const double share = options.requests.hotspotopnfraction;
  if ((hot > 0 || share == 0) && (hot < records || share == 1)) return "";
  return fmt::format(
      "--hotspotdatafraction: found {}, which is {:.0f} of {} records, with "
      "--hotspotopnfraction {}: some operations have no record to go to",
      options.requests.hotspotdatafraction, hot, options.data.insertcount,
      share);
}

std::string DistributionFault(const Options& options) {
  const DataOptions& data = options.data;
  const std::string& name = options.requests.requestdistribution;
  if (name == "zipfian") return ZipfFault(options);
  if (name == "hotspot") return HotspotFault(options);
  const bool from_the_newest = name == "latest" || name == "exponential";
  if (!from_the_newest || data.insertcount == data.recordcount) return "";
  return fmt::format(
      "--requestdistribution: found {} with {} of {} records loaded, want all: "
      "it counts back from the newest; leave --insertstart and --insertcount "
      "out",
      name, data.insertcount, data.recordcount);
}

std::string RequestFault(const Options& options) {
  const RequestOptions& requests = options.requests;
  if (requests.minscanlength > requests.maxscanlength) {
    return fmt::format(
        "--minscanlength: found {}, want at most --maxscanlength, {}",
        requests.minscanlength, requests.maxscanlength);
  }
  if (!requests.blind) return "";
  if (!requests.writeallfields && options.data.fieldcount > 1) {
    return "--blind: found without --writeallfields: the fields that an update "
           "keeps must be read; add it, or leave --blind out";
  }
  if (requests.share(Op::kReadModifyWrite) == 0) return "";
  return fmt::format(
      "--blind: found with --readmodifywriteproportion {}: an update without "
      "a lock can undo what was read and modified; leave --blind out",
      requests.share(Op::kReadModifyWrite));
}

template <typename Reader, typename Data>
void ListData(const Reader& flags, Data* data) {
  flags("recordcount", &data->recordcount, 1, kMaxRecords, "records");
  flags("insertstart", &data->insertstart, 0, kMaxRecords,
        "first of those that are loaded and asked for");
  flags("insertcount", &data->insertcount, 0, kMaxRecords,
        "how many these are; 0 is all from the first on");
  flags("fieldcount", &data->fieldcount, 1, kMaxFields, "fields of a record");
  flags("fieldlength", &data->fieldlength, 1, kMaxFieldBytes,
        "bytes of a field; at most, where lengths differ");
  flags("minfieldlength", &data->minfieldlength, 1, kMaxFieldBytes,
        "least bytes of a field, where lengths differ");
  flags.Choice("fieldlengthdistribution", &data->fieldlengthdistribution,
               {"constant", "uniform", "zipfian"}, "lengths of fields");
  flags("fieldnameprefix", &data->fieldnameprefix, "a word",
        "what stands before a field's number");
  flags.Choice("insertorder", &data->insertorder, {"hashed", "ordered"},
               "what a key has behind \"user\": a hash, or the number itself");
  flags("zeropadding", &data->zeropadding, 1, 100, "digits of a key at least");
  flags("dataintegrity", &data->dataintegrity,
        "fields hold what can be checked, and reads check it");
}

template <typename Reader, typename Shards>
void ListCut(const Reader& flags, Shards* shards) {
  flags("nodes", &shards->nodes, 1, kMostNodes,
        "nodes that the records are dealt out to");
  flags.Choice("owner", &shards->owner, {"range", "hash"},
               "which node has a record: by its place among the keys, or a "
               "hash");
}

template <typename Reader, typename Requests>
void ListRequests(const Reader& flags, Requests* requests) {
  for (size_t i = 0; i < kOps; ++i) {
    flags(kShareNames[i], &requests->proportions[i], 0, 1,
          fmt::format("share of {}", kOpNames[i]));
  }
  flags.Choice(
      "requestdistribution", &requests->requestdistribution,
      {"uniform", "zipfian", "latest", "hotspot", "sequential", "exponential"},
      "which records are asked for");
  flags.Choice("zipf", &requests->zipf, {"published", "exact"},
               "of zipfian: the original's, or a Zipf over the records");
  flags("zipf-constant", &requests->zipf_constant, .01, 10,
        "skew of --zipf exact");
  flags("operationcount", &requests->operationcount, 0, kMaxCount,
        "by which zipfian leaves room for new records");
  flags("hotspotdatafraction", &requests->hotspotdatafraction, 0, 1,
        "share of the records that is hot");
  flags("hotspotopnfraction", &requests->hotspotopnfraction, 0, 1,
        "share of the operations that go there");
  flags("exponential-percentile", &requests->exponential_percentile, 1, 99.999,
        "percentage of operations within --exponential-frac");
  flags("exponential-frac", &requests->exponential_frac, 1e-6, 1,
        "share of the newest records, of exponential");
  flags("readallfields", &requests->readallfields,
        "read all fields, or one [all]");
  flags("writeallfields", &requests->writeallfields,
        "update all fields, or one [one]");
  flags("minscanlength", &requests->minscanlength, 1, kMaxScan,
        "fewest records of a scan");
  flags("maxscanlength", &requests->maxscanlength, 1, kMaxScan,
        "most records of a scan");
  flags.Choice("scanlengthdistribution", &requests->scanlengthdistribution,
               {"uniform", "zipfian"}, "records of a scan");
  flags("blind", &requests->blind,
        "updates write whole records without having read them");
  flags("max-retries", &requests->max_retries, 0, 1'000'000,
        "conflicts after which an operation is an error");
}

}  // namespace

std::vector<std::string> DataOptions::FieldNames() const {
  std::vector<std::string> names;
  for (uint64_t i = 0; i < fieldcount; ++i) {
    names.push_back(fmt::format("{}{}", fieldnameprefix, i));
  }
  return names;
}

// Twice as many as are likely, as in the original.
uint64_t RequestOptions::ExpectedNewKeys() const {
  return static_cast<uint64_t>(static_cast<double>(operationcount) *
                               share(Op::kInsert) * 2);
}

Status Resolve(Options* options) {
  DataOptions& data = options->data;
  if (data.insertcount == 0 && data.insertstart < data.recordcount) {
    data.insertcount = data.recordcount - data.insertstart;
  }
  for (const auto fault_of :
       {DataFault, ShardFault, MixFault, DistributionFault, RequestFault}) {
    const std::string fault = fault_of(*options);
    if (!fault.empty()) return Status::Usage(fault);
  }
  return Status::Ok();
}

void AddCut(const ShardOptions& shards, nlohmann::json* json) {
  ListCut(FlagValues(shards.sharded() ? json : nullptr), &shards);
  if (shards.sharded() && shards.node) (*json)["node"] = *shards.node;
}

nlohmann::json ToJson(const DataOptions& data) {
  nlohmann::json json;
  ListData(FlagValues(&json), &data);
  AddCut(data.shards, &json);
  return json;
}

nlohmann::json ToJson(const Options& options) {
  nlohmann::json json = ToJson(options.data);
  if (options.data.shards.sharded()) json["route"] = options.data.shards.route;
  ListRequests(FlagValues(&json), &options.requests);
  return json;
}

void AddFlags(CLI::App* load, CLI::App* run, CLI::App* check,
              Options* options) {
  ShardOptions* const shards = &options->data.shards;
  for (CLI::App* command : {load, run, check}) {
    ListData(FlagAdder(command), &options->data);
    ListCut(FlagAdder(command), shards);
    if (command == run) {
      ListRequests(FlagAdder(command), &options->requests);
    } else {
      AddWholeNumber(command, "--node", &shards->node, 0, kMostNodes - 1,
                     "the node whose part alone is meant, from 0 [all]");
    }
    if (command == load) continue;
    AddChoice(command, "--route", &shards->route, {"direct", "redirect"},
              "who looks for a record's node: the client, or any server");
  }
}

Status CompareRecord(const nlohmann::json& record, const std::string& where,
                     const DataOptions& data) {
  nlohmann::json loaded = record.value("data", nlohmann::json::object());
  nlohmann::json wanted = ToJson(data);
  // A table on one node says nothing of nodes.
  for (nlohmann::json* each : {&loaded, &wanted}) {
    (*each)["nodes"] = each->value("nodes", 1);
  }
  // Others follow from these.
  for (const char* flag : {"recordcount", "nodes"}) {
    const Status status = CompareLoadedFlag(flag, loaded, wanted, where);
    if (!status.ok()) return status;
  }
  return CompareLoadedFlags(loaded, wanted, where);
}

}  // namespace waltax::ycsb
