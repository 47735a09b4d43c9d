// linkbench: loads, runs and checks the LinkBench workload.

#include <memory>
#include <string>
#include <vector>

#include "driver/program/program.h"
#include "driver/rocksdb/tables.h"
#include "driver/sql/load.h"
#include "linkbench/commits.h"
#include "linkbench/graph_load.h"
#include "linkbench/options.h"
#include "linkbench/store.h"
#include "linkbench/tables.h"
#include "linkbench/workload.h"

namespace waltax::linkbench {
namespace {

class LinkbenchProgram : public Program {
 public:
  LinkbenchProgram()
      : Program("linkbench", "LinkBench on an embedded engine or on a server") {
  }

 private:
  void AddFlags(const Commands& commands) override {
    for (CLI::App* command : {commands.load, commands.run, commands.check}) {
      AddGraphFlags(command, &options_.graph);
    }
    AddRequestFlags(commands.run, &options_.requests);
    AddAckFlags(commands,
                "append each write as it begins and when it is committed to "
                "this file",
                "every write that this file says is committed must be there");
  }
  Status Prepare() override {
    TRY(Validate(options_));
    model_ = std::make_shared<RequestModel>(options_);
    return acks.empty() ? Status::Ok() : ReadCommitLog(acks, &acknowledged_);
  }

  [[nodiscard]] std::vector<std::string> Tables() const override {
    return ColumnFamilies(linkbench::Tables());
  }
  [[nodiscard]] Layouts layouts() const override {
    return {kLayoutVersion, kSqlLayoutVersion, 0, true};
  }
  [[nodiscard]] nlohmann::json Record() const override {
    nlohmann::json record = RowsByTable();
    record["seed"] = run.seed;
    // The newest link time can be.
    record["loaded_at_ms"] = load_.now_ms;
    record["graph"] = ToJson(graph());
    return record;
  }
  Status Accept(const nlohmann::json& record,
                const std::string& where) override {
    return CompareRecord(record, where, graph());
  }

  Status Load(RocksdbEngine* rocksdb, const LoadReport& report,
              Loaded* loaded) override {
    load_ = {run.threads, run.seed, NowMs()};
    GraphLoad graph_load(graph(), model_->degrees(), load_);
    table::Load load = graph_load.Plan();
    load.report = [&report](const LoadedRows& so_far) {
      // Every id has its node.
      report({{"links", RowsOf(so_far, Table::kLinks)},
              {"ids", RowsOf(so_far, Table::kNodes)}});
    };
    const Status status =
        rocksdb != nullptr
            ? LoadTables(*rocksdb, load, &rows_)
            : mariadb::LoadTables(place(), load, /*and_lzero=*/false, &rows_);
    if (!status.ok()) return status;
    loaded->facts = RowsByTable();
    loaded->facts["hub_degree"] = graph_load.hub_degree();
    loaded->bytes = rows_.bytes;
    return status;
  }
  [[nodiscard]] nlohmann::json RowsByTable() const {
    nlohmann::json rows;
    for (size_t i = 0; i < rows_.rows.size(); ++i) {
      rows[std::string(linkbench::Tables()[i].name)] = rows_.rows[i];
    }
    return rows;
  }
  static uint64_t RowsOf(const LoadedRows& rows, Table table) {
    return rows.rows[static_cast<size_t>(table)];
  }

  Status Open(RocksdbEngine* rocksdb) override {
    const int max_retries = options_.requests.max_retries;
    store_ = rocksdb != nullptr
                 ? NewKvStore(*rocksdb, graph().maxid1, max_retries)
             : IsNull() ? std::make_unique<Store>()
                        : NewSqlStore(server, max_retries);
    return Status::Ok();
  }
  Status NewWorkload(std::unique_ptr<Workload>* workload) override {
    const Status status = CommitLog::Open(ack_log, &commits_);
    *workload =
        NewLinkbenchWorkload(model_, store_.get(), run.threads, commits_.get());
    return status;
  }
  Status Check(CheckResult* result) override {
    Findings findings;
    CheckGraph(*store_, graph(), run.threads, &findings);
    if (!acks.empty()) {
      CheckCommits(acknowledged_, store_->NewSession(run.seed).get(),
                   &findings);
    }
    return findings.Take(result);
  }

  [[nodiscard]] const GraphOptions& graph() const {
    return model_->options().graph;
  }

  Options options_;
  std::shared_ptr<const RequestModel> model_;
  LoadOptions load_;
  LoadedRows rows_;
  std::vector<LoggedWrite> acknowledged_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<CommitLog> commits_;
};

}  // namespace
}  // namespace waltax::linkbench

int main(int argc, char** argv) {
  return waltax::linkbench::LinkbenchProgram().Main(argc, argv);
}
