// sqlops: loads, runs and checks single SQL statements on a table of students.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "program/program.h"
#include "sqlops/options.h"
#include "sqlops/pool.h"
#include "sqlops/sql/loader.h"
#include "sqlops/sql/store.h"
#include "sqlops/workload.h"

namespace waltax::sqlops {
namespace {

class SqlopsProgram : public Program {
 public:
  SqlopsProgram()
      : Program("sqlops", "single SQL statements on a server, one kind a run") {
  }

 private:
  void AddFlags(const Commands& commands) override {
    for (CLI::App* command : {commands.load, commands.run, commands.check}) {
      AddDataFlags(command, &options_.data);
    }
    AddRequestFlags(commands.run, &options_);
  }

  Status Prepare() override {
    // Its queue is of one thread's requesters (sqlops/pool.h).
    if (options_.shape.pool > 0) run.carriers = 1;
    options_.shape.requesters = run.threads;
    return Status::Ok();
  }

  Status LoadServer(const LoadReport& report, waltax::Loaded* loaded) override {
    const auto reporting = [&](const Loaded& so_far) {
      report({{"students", so_far.students}, {"of", options_.data.students}});
    };
    Loaded rows;
    const Status status =
        Load(place(), options_.data, run.seed, run.threads, reporting, &rows);
    loaded->facts = {{"students", rows.students}};
    loaded->per_s = {{"students_per_s", rows.students}};
    loaded->bytes = rows.bytes;
    return status;
  }
  Status OpenServer(mariadb::Connection& connection) override {
    const Status status =
        VerifyDataSet(connection, place(), options_.data, &seed_);
    store_ = std::make_unique<SqlStore>(place(), options_, students());
    if (options_.shape.pool > 0) {
      store_ =
          std::make_unique<PooledStore>(std::move(store_), options_.shape.pool);
    }
    return status;
  }
  Status NewWorkload(std::unique_ptr<Workload>* workload) override {
    Before before;
    const Status status = store_->Survey(&before);
    if (!status.ok()) return status;
    *workload = std::make_unique<SqlopsWorkload>(options_, students(),
                                                 store_.get(), before);
    return Status::Ok();
  }
  Status Check(CheckResult* result) override {
    return store_->Check({}, result);
  }

  [[nodiscard]] Students students() const {
    return {seed_, options_.data.compression_ratio};
  }

  Options options_;
  uint64_t seed_ = 1;  // of the data set
  std::unique_ptr<Store> store_;
};

}  // namespace
}  // namespace waltax::sqlops

int main(int argc, char** argv) {
  return waltax::sqlops::SqlopsProgram().Main(argc, argv);
}
