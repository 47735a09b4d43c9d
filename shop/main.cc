// shop: loads, runs and checks customers, products and orders.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "program/program.h"
#include "shop/kv/loader.h"
#include "shop/kv/store.h"
#include "shop/options.h"
#include "shop/sql/loader.h"
#include "shop/sql/store.h"
#include "shop/workload.h"

namespace waltax::shop {
namespace {

class ShopProgram : public Program {
 public:
  ShopProgram()
      : Program("shop",
                "customers, products and orders, on an embedded engine or on a "
                "server") {}

 private:
  // Of a load by whatever way.
  [[nodiscard]] auto Reporting(const LoadReport& report) const {
    return [this, &report](const auto& so_far) {
      report({{"rows", so_far.rows}, {"of", options_.data.rows}});
    };
  }
  void AddFlags(const Commands& commands) override {
    for (CLI::App* command : {commands.load, commands.run, commands.check}) {
      AddDataFlags(command, &options_.data);
    }
    shop::AddRunFlags(commands.run, &options_.run);
  }

  [[nodiscard]] std::vector<std::string> Tables() const override {
    return KvTableNames();
  }
  Status LoadRocksdb(RocksdbEngine& rocksdb, const LoadReport& report,
                     Loaded* loaded) override {
    KvLoaded rows;
    const Status status = shop::Load(rocksdb, options_.data, run.seed,
                                     run.threads, Reporting(report), &rows);
    Report(rows.rows, rows.bytes, loaded);
    return status;
  }
  Status LoadServer(const LoadReport& report, Loaded* loaded) override {
    SqlLoaded rows;
    const Status status = LoadSql(place(), options_.data, run.seed, run.threads,
                                  Reporting(report), &rows);
    Report(rows.rows, rows.bytes, loaded);
    return status;
  }

  Status OpenRocksdb(RocksdbEngine& rocksdb) override {
    const Status status =
        VerifyDataSet(rocksdb, engine.db_dir, options_.data, &seed_);
    store_ = std::make_unique<KvStore>(rocksdb, population(), max_retries());
    return status;
  }
  Status OpenServer(mariadb::Connection& connection) override {
    const Status status =
        VerifySqlDataSet(connection, place(), options_.data, &seed_);
    store_ = std::make_unique<SqlStore>(place(), population(), max_retries());
    return status;
  }
  Status NewWorkload(std::unique_ptr<Workload>* workload) override {
    Before before;
    const Status status = store_->Survey(run.threads, &before);
    if (!status.ok()) return status;
    *workload = std::make_unique<ShopWorkload>(options_, store_.get(),
                                               run.threads, before);
    return Status::Ok();
  }
  Status Check(CheckResult* result) override {
    return store_->Check(std::nullopt, run.threads, result);
  }

  static void Report(uint64_t rows, uint64_t bytes, Loaded* loaded) {
    loaded->facts = {{"rows", rows}};
    loaded->per_s = {{"rows_per_s", rows}};
    loaded->bytes = bytes;
  }
  [[nodiscard]] Population population() const {
    return {options_.data.rows, seed_};
  }
  [[nodiscard]] int max_retries() const { return options_.run.max_retries; }

  Options options_;
  uint64_t seed_ = 1;  // of the data set
  std::unique_ptr<Store> store_;
};

}  // namespace
}  // namespace waltax::shop

int main(int argc, char** argv) {
  return waltax::shop::ShopProgram().Main(argc, argv);
}
