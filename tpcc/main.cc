// tpcc: loads, runs and checks the TPC-C workload.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "program/program.h"
#include "tpcc/check/check.h"
#include "tpcc/draws.h"
#include "tpcc/kv/loader.h"
#include "tpcc/kv/store.h"
#include "tpcc/ledger.h"
#include "tpcc/options.h"
#include "tpcc/sql/loader.h"
#include "tpcc/sql/store.h"
#include "tpcc/workload.h"

namespace waltax::tpcc {
namespace {

uint64_t SumOf(const LoadedRows& loaded) {
  return std::accumulate(loaded.rows.begin(), loaded.rows.end(), uint64_t{0});
}

auto Reporting(const LoadReport& report, uint64_t warehouses) {
  return [&report, warehouses](const LoadedRows& loaded) {
    // One chunk is not a warehouse, and comes last.
    report({{"warehouses", std::min(loaded.chunks, warehouses)},
            {"of", warehouses},
            {"rows", SumOf(loaded)}});
  };
}

void Report(const LoadedRows& loaded, const PopulationOptions& population,
            Loaded* event) {
  for (size_t i = 0; i < loaded.rows.size(); ++i) {
    event->facts["rows"][std::string(kTableNames[i])] = loaded.rows[i];
  }
  event->facts["warehouses"] = population.warehouses;
  event->facts["c_last"] = LastNameConstant(population.seed);
  event->per_s = {{"rows_per_s", SumOf(loaded)}};
  event->bytes = loaded.bytes;
}

class TpccProgram : public Program {
 public:
  TpccProgram()
      : Program("tpcc", "TPC-C on an embedded engine or on a server") {}

 private:
  void AddFlags(const Commands& commands) override {
    commands.load->description(
        "fill an empty database; equal seeds give equal rows but for the "
        "dates, which are those of the load");
    AddLoadFlags(commands.load, &flags_);
    AddTerminalFlags(commands.run, &flags_);
    AddCheckFlags(commands.check, &flags_);
  }
  Status Prepare() override {
    return flags_.acks.empty() ? Status::Ok()
                               : ReadAckLog(flags_.acks, &acknowledged_);
  }

  [[nodiscard]] std::vector<std::string> Tables() const override {
    return KvTableNames();
  }
  Status LoadRocksdb(RocksdbEngine& rocksdb, const LoadReport& report,
                     Loaded* loaded) override {
    const PopulationOptions population = PopulationOf(flags_.load_warehouses);
    LoadedRows rows;
    const Status status =
        tpcc::Load(rocksdb, population, run.threads,
                   Reporting(report, population.warehouses), &rows);
    Report(rows, population, loaded);
    return status;
  }
  Status LoadServer(const LoadReport& report, Loaded* loaded) override {
    const PopulationOptions population = PopulationOf(flags_.load_warehouses);
    LoadedRows rows;
    const Status status =
        tpcc::LoadServer(server, engine.store, population, run.threads,
                         Reporting(report, population.warehouses), &rows);
    Report(rows, population, loaded);
    return status;
  }

  Status OpenRocksdb(RocksdbEngine& rocksdb) override {
    DataSet data_set;
    Status status = ReadDataSet(rocksdb, engine.db_dir, &data_set);
    if (status.ok()) status = Plan(data_set.warehouses, data_set.c_last);
    if (!status.ok()) return status;
    store_ = std::make_unique<KvStore>(rocksdb, plan_.options.max_retries);
    return status;
  }
  Status OpenServer(mariadb::Connection& connection) override {
    DataSet data_set;
    Status status = ReadServerDataSet(connection, engine.store, &data_set);
    if (status.ok()) status = Plan(data_set.warehouses, data_set.c_last);
    store_ = std::make_unique<SqlStore>(server, plan_.options.max_retries);
    return status;
  }
  Status NewWorkload(std::unique_ptr<Workload>* workload) override {
    const Status status =
        Ledger::Open(*store_, warehouses(), plan_.options.ack_log, &ledger_);
    if (!status.ok()) return status;
    *workload =
        std::make_unique<TpccWorkload>(plan_, store_.get(), ledger_.get());
    return Status::Ok();
  }
  Status Check(CheckResult* result) override {
    const Status status = CheckConsistency(*store_, warehouses(), run.threads,
                                           {{}, acknowledged_}, result);
    if (flags_.acks.empty()) result->acknowledged.reset();
    return status;
  }

  // Its dates are those of the load (clause 4.3.3.1), so that equal seeds give
  // equal rows but for them.
  [[nodiscard]] PopulationOptions PopulationOf(uint64_t warehouses) const {
    return {static_cast<uint32_t>(warehouses), run.seed, Now()};
  }
  // Plans a run on a data set of so many warehouses, whose C-Load is `c_last`.
  Status Plan(uint32_t data_warehouses, uint32_t c_last) {
    plan_.threads = run.threads;
    plan_.constants = DrawNuRandConstants(run.seed, c_last);
    plan_.last_name_load = c_last;
    plan_.options = flags_.options;
    return Resolve(run, data_warehouses, &plan_.options);
  }
  [[nodiscard]] uint32_t warehouses() const {
    return static_cast<uint32_t>(plan_.options.warehouses);
  }

  WorkloadFlags flags_;
  RunPlan plan_;
  std::vector<AcknowledgedOrder> acknowledged_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Ledger> ledger_;
};

}  // namespace
}  // namespace waltax::tpcc

int main(int argc, char** argv) {
  return waltax::tpcc::TpccProgram().Main(argc, argv);
}
