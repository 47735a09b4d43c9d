// kv: loads, runs and checks a workload for RocksDB's write path.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "kv/check.h"
#include "kv/loader.h"
#include "kv/options.h"
#include "kv/store.h"
#include "kv/workload.h"
#include "program/program.h"

namespace waltax::kv {
namespace {

class KvProgram : public Program {
 public:
  KvProgram() : Program("kv", "Writes of keys and values, as db_bench's") {}

 private:
  void AddFlags(const Commands& commands) override {
    for (CLI::App* command : {commands.load, commands.run, commands.check}) {
      AddDataFlags(command, &options_.data);
    }
    AddWriteFlags(commands.run, &options_);
  }
  Status Prepare() override {
    writes_ = std::make_shared<Writes>(options_, run.seed);
    return CheckWriteFlags(options_);
  }

  [[nodiscard]] std::vector<std::string> Tables() const override {
    return TableNames(options_.data);
  }
  [[nodiscard]] Locking locking() const override {
    return options_.optimistic() ? Locking::kOptimistic : Locking::kPessimistic;
  }
  Status LoadRocksdb(RocksdbEngine& rocksdb, const LoadReport& report,
                     Loaded* loaded) override {
    const auto reporting = [&](const LoadedRows& so_far) {
      report({{"keys", Sum(so_far)}, {"of", options_.data.num}});
    };
    LoadedRows rows;
    const Status status =
        kv::Load(rocksdb, *writes_, run.threads, reporting, &rows);
    if (!status.ok()) return status;
    loaded->facts = {{"keys", Sum(rows)}};
    loaded->per_s = {{"keys_per_s", Sum(rows)}};
    loaded->bytes = rows.bytes;
    return status;
  }

  Status OpenRocksdb(RocksdbEngine& rocksdb) override {
    store_ = std::make_unique<Store>(rocksdb, options_.data);
    const Status resolved = store_->RollBackPrepared();
    if (!resolved.ok()) return resolved;
    return VerifyDataSet(rocksdb, engine.db_dir, options_.data);
  }
  Status NewWorkload(std::unique_ptr<Workload>* workload) override {
    uint64_t next = 0;
    if (store_) {
      const Status status = NextWrite(*store_, *writes_, &next);
      if (!status.ok()) return status;
    }
    *workload =
        std::make_unique<KvWorkload>(writes_, store_.get(), run.threads, next);
    return Status::Ok();
  }
  Status Check(CheckResult* result) override {
    return CheckStore(*store_, *writes_, std::nullopt, result);
  }

  static uint64_t Sum(const LoadedRows& loaded) {
    uint64_t keys = 0;
    for (const uint64_t rows : loaded.rows) keys += rows;
    return keys;
  }

  Options options_;
  std::shared_ptr<const Writes> writes_;
  std::unique_ptr<Store> store_;
};

}  // namespace
}  // namespace waltax::kv

int main(int argc, char** argv) {
  return waltax::kv::KvProgram().Main(argc, argv);
}
