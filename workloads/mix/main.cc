// mix: loads, runs and checks a workload that a TOML file describes.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/program/program.h"
#include "workloads/mix/file.h"
#include "workloads/mix/shards/store.h"
#include "workloads/mix/store.h"
#include "workloads/mix/workload.h"

namespace waltax::mix {
namespace {

constexpr char kName[] = "mix";
constexpr int64_t kMostNodes = 64;

// What a change of a layout or of what rows hold must increase: older data sets
// are then refused.
constexpr Layouts kLayouts = {2, 2, 2, true};

class MixProgram : public Program {
 public:
  MixProgram() : Program(kName, "A workload that a TOML file describes") {}

 private:
  void AddFlags(const Commands& commands) override {
    for (CLI::App* command : {commands.load, commands.run, commands.check}) {
      AddText(command, "--file", &file_,
              "what `waltax workload FILE --json` prints", "the workload");
      AddNumber(command, "--scale", &scale_, 1e-9, 1e6,
                "multiplies the rows of all tables");
      AddNumber(command, "--nodes", &count_, 1, kMostNodes,
                "nodes that the rows are dealt out to");
      AddChoice(command, "--owner", &owner_, {"range", "hash"},
                "which node has a row: by its place among the keys, or a hash");
    }
    AddNumber(commands.load, "--node", &node_, 0, kMostNodes - 1,
              "the node whose part is loaded, from 0");
    TakePlaces(commands.run);
    TakePlaces(commands.check);
    AddAckFlags(commands,
                "append each request that writes, and that it is committed",
                "what is committed by this file must be there");
    run_ = commands.run;
  }
  // What the command line says goes before what the file says.
  Status Prepare() override {
    Status status = Read(file_, scale_, &mix_);
    if (!status.ok()) return status;
    if (run_->count("--rate") == 0) run.rate = mix_.load.rate;
    if (run_->count("--arrivals") == 0) run.arrivals = mix_.load.arrivals;
    if (*run_ && run_->count("--threads") == 0 && mix_.load.clients > 0) {
      run.threads = static_cast<int>(mix_.load.clients);
    }
    if (mix_.load.pool > 0 && engine.store == "rocksdb") {
      return Status::Usage(
          "--file: found load.pool with --store rocksdb, which has no "
          "connections, want a server or a file without it");
    }
    // Those who share connections are of one thread.
    if (mix_.load.pool > 0) run.carriers = 1;
    values_ = std::make_unique<Values>(mix_, run.seed);
    if (node_) {
      values_->is_here =
          [this, owner = Owner(count_, owner_, *values_)](uint64_t row) {
            return owner.OfRow(row) == *node_;
          };
    }
    if (!acks.empty()) status = ReadRequestLog(acks, mix_, &logged_);
    return status;
  }

  [[nodiscard]] std::vector<std::string> Tables() const override {
    return mix_.families;
  }
  [[nodiscard]] Locking locking() const override {
    return mix_.optimistic() ? Locking::kOptimistic : Locking::kPessimistic;
  }
  [[nodiscard]] Layouts layouts() const override { return kLayouts; }
  [[nodiscard]] nlohmann::json Record() const override {
    return RecordOf(run.seed, node_.value_or(0));
  }
  [[nodiscard]] nlohmann::json RecordOf(uint64_t seed, uint64_t node) const {
    nlohmann::json record = {
        {"seed", seed}, {"tables", mix_.digest}, {"scale", scale_}};
    if (count_ > 1) {
      record["cut"] = {{"nodes", count_}, {"owner", owner_}, {"node", node}};
    }
    return record;
  }
  // Its rows follow from the seed that it was loaded with.
  Status Accept(const nlohmann::json& record,
                const std::string& where) override {
    const auto seed = record.value("seed", uint64_t{0});
    nlohmann::json ours = record;  // without what the program adds
    ours.erase("workload");
    ours.erase("layout");
    if (ours != RecordOf(seed, nodes_.size())) {
      return Status::Usage(fmt::format(
          "--file: found {}, but the data set in {} has other tables: give "
          "the file, --scale, --nodes and --owner that it was loaded with, or "
          "load again",
          file_, where));
    }
    if (nodes_.empty()) values_ = std::make_unique<Values>(mix_, seed);
    return Status::Ok();
  }

  Status Load(RocksdbEngine* rocksdb, const LoadReport& report,
              Loaded* loaded) override {
    uint64_t rows = 0;
    for (const Table& table : mix_.tables) rows += table.loaded_rows();
    Status status;
    if (!kept()) {
      const auto tell = [&report](uint64_t so_far) {
        report({{"rows", so_far}});
      };
      status =
          NewStore(rocksdb)->Load(run.threads, tell, &rows, &loaded->bytes);
    }
    loaded->facts = {{"rows", rows}};
    return status;
  }
  [[nodiscard]] size_t Nodes() const override { return node_ ? 1 : count_; }
  Status Open(RocksdbEngine* rocksdb) override {
    if (IsNull()) return Status::Ok();
    nodes_.push_back(NewStore(rocksdb));
    if (nodes_.size() < Nodes()) return Status::Ok();
    store_ = count_ > 1 ? NewShardedStore(owner_, *values_, std::move(nodes_))
                        : std::move(nodes_.front());
    return store_->Recover();
  }
  std::unique_ptr<Store> NewStore(RocksdbEngine* rocksdb) const {
    if (rocksdb != nullptr) return NewKvStore(*rocksdb, *values_);
    return IsRedis() ? NewRedisStore(redis(), *values_)
                     : NewSqlStore(place(), *values_);
  }
  Status NewWorkload(std::unique_ptr<Workload>* workload) override {
    TableStates states;
    Status status = Survey(*values_, store_.get(), &states);
    if (status.ok()) status = AckLog::Open(ack_log, &log_);
    if (!status.ok()) return status;
    *workload = NewMixWorkload(*values_, store_.get(), run.threads,
                               std::move(states), log_.get());
    return status;
  }
  Status Check(CheckResult* result) override {
    return mix::Check(*values_, *store_, nullptr,
                      acks.empty() ? nullptr : &logged_, result);
  }

  std::string file_;
  double scale_ = 1;
  std::unique_ptr<AckLog> log_;        // of `ack_log`
  std::vector<LoggedRequest> logged_;  // in `acks`
  CLI::App* run_ = nullptr;
  uint64_t count_ = 1;            // of nodes
  std::string owner_ = "range";   // or "hash"
  std::optional<uint64_t> node_;  // whose part alone is loaded; none: all
  std::vector<std::unique_ptr<Store>> nodes_;  // as they are opened
  Mix mix_;
  std::unique_ptr<Values> values_;
  std::unique_ptr<Store> store_;
};

}  // namespace
}  // namespace waltax::mix

int main(int argc, char** argv) {
  return waltax::mix::MixProgram().Main(argc, argv);
}
