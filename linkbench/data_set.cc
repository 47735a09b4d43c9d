#include "linkbench/data_set.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "driver/rocksdb_status.h"
#include "linkbench/keys.h"

namespace waltax::linkbench {

namespace {

constexpr char kMetaKey[] = "meta";

// What requests compute from; another value would ask for another graph.
// Payload sizes are not among them: a run may well write other sizes.
constexpr std::array<std::pair<const char*, const char*>, 8> kBinding = {{
    {"startid1", "--startid1"},
    {"maxid1", "--maxid1"},
    {"link_type_count", "--link-type-count"},
    {"nlinks_func", "--nlinks-func"},
    {"nlinks_config", "--nlinks-config"},
    {"nlinks_default", "--nlinks-default"},
    {"degree_cap", "--degree-cap"},
    {"randomid2max", "--randomid2max"},
}};

std::string Text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Status Contradiction(const std::string& flag, const std::string& found,
                     const std::string& db_dir, const std::string& loaded) {
  return Status::Usage(
      fmt::format("{}: found {}, but the data set in {} was loaded with {}: "
                  "pass that, or load another",
                  flag, found, db_dir, loaded));
}

Status Compare(const nlohmann::json& meta, const std::string& db_dir,
               const GraphOptions& graph, const std::string& data_hash) {
  const nlohmann::json wanted = ToJson(graph);
  const nlohmann::json loaded = meta.value("graph", nlohmann::json::object());
  for (const auto& [key, flag] : kBinding) {
    const nlohmann::json value = loaded.value(key, nlohmann::json());
    if (wanted.at(key) != value) {
      return Contradiction(flag, Text(wanted.at(key)), db_dir, Text(value));
    }
  }
  const std::string hash = meta.value("data_hash", "");
  if (hash == data_hash) return Status::Ok();
  return Contradiction("--data-file", "the distribution " + data_hash, db_dir,
                       "the distribution " + hash);
}

}  // namespace

Status WriteMeta(const KvTables& tables, const GraphOptions& graph,
                 const DataSet& data_set) {
  const nlohmann::json meta = {
      {"layout", kLayoutVersion},  {"workload", "linkbench"},
      {"seed", data_set.seed},     {"loaded_at_ms", data_set.loaded_at_ms},
      {"graph", ToJson(graph)},    {"data_hash", data_set.data_hash},
      {"nodes", data_set.nodes},   {"links", data_set.links},
      {"counts", data_set.counts}, {"index", data_set.index}};
  rocksdb::WriteOptions options;
  options.disableWAL = true;
  rocksdb::Status status =
      tables.db->Put(options, tables.meta, kMetaKey, meta.dump());
  if (status.ok()) {
    status = tables.db->Flush(rocksdb::FlushOptions(), tables.meta);
  }
  if (status.ok()) return Status::Ok();
  return Explained(status, "write the data set's description",
                   tables.db->GetName());
}

Status VerifyMeta(const KvTables& tables, const std::string& db_dir,
                  const GraphOptions& graph, const std::string& data_hash) {
  std::string text;
  const rocksdb::Status status =
      tables.db->Get(rocksdb::ReadOptions(), tables.meta, kMetaKey, &text);
  const nlohmann::json meta =
      nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (status.IsNotFound() || (status.ok() && !meta.is_object())) {
    return Status::Usage(fmt::format(
        "--db: the data set in {} is incomplete: remove it and load again",
        db_dir));
  }
  if (!status.ok()) {
    return Explained(status, "read the data set's description", db_dir);
  }
  if (meta.value("workload", "") != "linkbench" ||
      meta.value("layout", 0) != kLayoutVersion) {
    return Status::Usage(fmt::format(
        "--db: the data set in {} is {} layout {}, want linkbench layout {}: "
        "load again",
        db_dir, meta.value("workload", "unknown"), meta.value("layout", 0),
        kLayoutVersion));
  }
  return Compare(meta, db_dir, graph, data_hash);
}

}  // namespace waltax::linkbench
