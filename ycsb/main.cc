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
#include "ycsb/workload.h"

namespace waltax::ycsb {
namespace {

class YcsbProgram : public Program {
 public:
  YcsbProgram() : Program("ycsb", "YCSB's core workload on embedded RocksDB") {}

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
    loaded->facts = {{"records", rows.rows[0]}};
    loaded->per_s = {{"records_per_s", rows.rows[0]}};
    loaded->bytes = rows.bytes;
    return status;
  }

  Status OpenRocksdb(RocksdbEngine& rocksdb) override {
    store_ = std::make_unique<KvStore>(rocksdb, options_.data, max_retries());
    return VerifyDataSet(rocksdb, engine.db_dir, options_.data);
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
