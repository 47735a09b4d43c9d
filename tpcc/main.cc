// tpcc: loads, runs and checks the TPC-C workload.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "driver/program/program.h"
#include "driver/rocksdb/tables.h"
#include "driver/sql/load.h"
#include "tpcc/check/check.h"
#include "tpcc/draws.h"
#include "tpcc/keys.h"
#include "tpcc/options.h"
#include "tpcc/population.h"
#include "tpcc/store.h"
#include "tpcc/tables.h"
#include "tpcc/workload.h"

namespace waltax::tpcc {
namespace {

// A key of the data set's record.
constexpr char kEngine[] = "engine";

class TpccProgram : public Program {
 public:
  TpccProgram()
      : Program("tpcc", "TPC-C on an embedded engine or on a server") {}

 private:
  void AddFlags(const Commands& commands) override {
    commands.load->description(
        "fill an empty database; equal seeds give equal rows but for the "
        "dates, which are those of the load");
    AddNumber(commands.load, "--warehouses", &load_warehouses_, 1,
              kMostWarehouses, "warehouses, 60 MB of disk each and 9 once");
    AddTerminalFlags(commands.run, &plan_.options);
    AddWarehousesFlag(commands.check, &plan_.options);
    AddAckFlags(commands, "append each acknowledged New-Order to this file",
                "every New-Order of this file must be there");
  }
  Status Prepare() override {
    return acks.empty() ? Status::Ok()
                        : ReadAckLog(acks, &expect_.acknowledged.emplace());
  }

  [[nodiscard]] std::vector<std::string> Tables() const override {
    return ColumnFamilies(tpcc::Tables());
  }
  [[nodiscard]] Layouts layouts() const override {
    return {kLayoutVersion, kSqlLayoutVersion};
  }
  [[nodiscard]] nlohmann::json Record() const override {
    nlohmann::json record = ToRecord(population_, rows_);
    // A server may have both engines.
    if (engine.store != "rocksdb") record[kEngine] = engine.store;
    return record;
  }
  // Plans a run on the data set.
  Status Accept(const nlohmann::json& record,
                const std::string& where) override {
    const bool embedded = engine.store == "rocksdb";
    const nlohmann::json loaded_with =
        embedded ? nlohmann::json(engine.store)
                 : record.value(kEngine, nlohmann::json());
    if (loaded_with != engine.store) {
      return Status::Usage(fmt::format(
          "--store: found \"{}\", but the data set was loaded with {}",
          engine.store,
          loaded_with.is_null() ? "another engine" : loaded_with.dump()));
    }
    DataSet data_set;
    if (!FromRecord(record, &data_set)) {
      return Status::Usage(fmt::format(
          "{}: the data set in {} does not describe itself: load again",
          embedded ? "--db" : "--database", where));
    }
    plan_.threads = run.threads;
    plan_.constants = DrawNuRandConstants(run.seed, data_set.c_last);
    plan_.last_name_load = data_set.c_last;
    return Resolve(run, data_set.warehouses, &plan_.options);
  }

  // Its dates are those of the load (clause 4.3.3.1), so that equal seeds give
  // equal rows but for them.
  Status Load(RocksdbEngine* rocksdb, const LoadReport& report,
              Loaded* loaded) override {
    const uint64_t warehouses = load_warehouses_;
    population_ = {static_cast<uint32_t>(warehouses), run.seed, Now(),
                   rocksdb != nullptr};
    table::Load load = LoadOf(population_, run.threads);
    load.report = [&](const LoadedRows& so_far) {
      // One chunk is not a warehouse, and comes last.
      report({{"warehouses", std::min(so_far.chunks, warehouses)},
              {"of", warehouses},
              {"rows", std::accumulate(so_far.rows.begin(), so_far.rows.end(),
                                       uint64_t{0})}});
    };
    // No data in level 0 either, which each clone would have to write again.
    const Status status =
        rocksdb != nullptr
            ? LoadTables(*rocksdb, load, &rows_)
            : mariadb::LoadTables(place(), load, /*and_lzero=*/true, &rows_);
    if (!status.ok()) return status;
    loaded->facts = ToRecord(population_, rows_);
    loaded->bytes = rows_.bytes;
    return status;
  }

  Status Open(RocksdbEngine* rocksdb) override {
    const int max_retries = plan_.options.max_retries;
    store_ = rocksdb != nullptr ? NewKvStore(*rocksdb, max_retries)
                                : NewSqlStore(server, max_retries);
    return Status::Ok();
  }
  Status NewWorkload(std::unique_ptr<Workload>* workload) override {
    TRY(SumNextOrders(*store_, &plan_.next_orders));
    TRY(AckLog::Open(ack_log, &acks_));
    *workload = NewTpccWorkload(plan_, store_.get(), acks_.get());
    return Status::Ok();
  }
  Status Check(CheckResult* result) override {
    return CheckConsistency(*store_,
                            static_cast<uint32_t>(plan_.options.warehouses),
                            run.threads, expect_, result);
  }

  uint64_t load_warehouses_ = 1;
  PopulationOptions population_;
  LoadedRows rows_;
  RunPlan plan_;
  CheckExpectations expect_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<AckLog> acks_;
};

}  // namespace
}  // namespace waltax::tpcc

int main(int argc, char** argv) {
  return waltax::tpcc::TpccProgram().Main(argc, argv);
}
