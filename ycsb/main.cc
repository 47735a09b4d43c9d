// ycsb: loads, runs and checks YCSB's core workload.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "program/program.h"
#include "ycsb/kv/loader.h"
#include "ycsb/kv/store.h"
#include "ycsb/memory/null_store.h"
#include "ycsb/memory/store.h"
#include "ycsb/options.h"
#include "ycsb/sql/loader.h"
#include "ycsb/sql/store.h"
#include "ycsb/workload.h"

namespace waltax::ycsb {
namespace {

class YcsbProgram : public Program {
 public:
  YcsbProgram()
      : Program("ycsb",
                "YCSB's core workload on an embedded engine or on a server") {}

 private:
  void AddFlags(const Commands& commands) override {
    for (CLI::App* command : {commands.load, commands.run, commands.check}) {
      AddDataFlags(command, &options_.data);
    }
    AddRequestFlags(commands.run, &options_.requests);
  }
  Status Prepare() override {
    const Status status = Resolve(&options_);
    if (status.ok()) model_ = std::make_shared<RequestModel>(options_);
    return status;
  }

  [[nodiscard]] std::vector<std::string> Tables() const override {
    return KvTableNames();
  }
  Status LoadRocksdb(RocksdbEngine& rocksdb, const LoadReport& report,
                     Loaded* loaded) override {
    const auto reporting = [&](const LoadedRows& so_far) {
      report({{"records", so_far.rows[0]}, {"of", options_.data.insertcount}});
    };
    LoadedRows rows;
    const Status status = ycsb::Load(rocksdb, options_.data, run.seed,
                                     run.threads, reporting, &rows);
    if (!status.ok()) return status;
    Report(rows.rows[0], rows.bytes, loaded);
    return status;
  }

  Status LoadServer(const LoadReport& report, Loaded* loaded) override {
    const auto reporting = [&](const SqlLoaded& so_far) {
      report({{"records", so_far.records}, {"of", options_.data.insertcount}});
    };
    SqlLoaded rows;
    const Status status = LoadSql(place(), options_.data, run.seed, run.threads,
                                  reporting, &rows);
    Report(rows.records, rows.bytes, loaded);
    return status;
  }

  Status OpenRocksdb(RocksdbEngine& rocksdb) override {
    store_ = std::make_unique<KvStore>(rocksdb, options_.data, max_retries());
    return VerifyDataSet(rocksdb, engine.db_dir, options_.data);
  }
  Status OpenServer(mariadb::Connection& connection) override {
    store_ = std::make_unique<SqlStore>(place(), options_.data, max_retries());
    return VerifySqlDataSet(connection, place(), options_.data);
  }
  Status OpenMemory() override {
    auto store = std::make_unique<MemoryStore>(options_.data);
    store->Load(run.seed);
    store_ = std::move(store);
    return Status::Ok();
  }
  Status OpenNull() override {
    store_ = std::make_unique<NullStore>(Totals{options_.data.insertcount, 0});
    return Status::Ok();
  }
  Status NewWorkload(std::unique_ptr<Workload>* workload) override {
    std::optional<Totals> before;
    if (WantsSurvey(options_.requests)) {
      const Status status = store_->Survey(&before.emplace());
      if (!status.ok()) return status;
    }
    *workload = std::make_unique<YcsbWorkload>(model_, store_.get(),
                                               run.threads, before);
    return Status::Ok();
  }
  Status Check(CheckResult* result) override {
    return store_->Check({}, run.threads, result);
  }

  static void Report(uint64_t records, uint64_t bytes, Loaded* loaded) {
    loaded->facts = {{"records", records}};
    loaded->per_s = {{"records_per_s", records}};
    loaded->bytes = bytes;
  }
  [[nodiscard]] SqlPlace place() const { return {server, engine.store}; }
  [[nodiscard]] int max_retries() const {
    return options_.requests.max_retries;
  }

  Options options_;
  std::shared_ptr<const RequestModel> model_;
  std::unique_ptr<Store> store_;
};

}  // namespace
}  // namespace waltax::ycsb

int main(int argc, char** argv) {
  return waltax::ycsb::YcsbProgram().Main(argc, argv);
}
