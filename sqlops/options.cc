#include "sqlops/options.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "driver/flags.h"
#include "sqlops/student.h"

namespace waltax::sqlops {

namespace {

// The study's hot row, which must be there.
constexpr int64_t kFewestStudents = 24;
constexpr int64_t kMostRows = 1'000'000;
constexpr int64_t kMostConnections = 1024;
constexpr double kLongestRampS = 3600;

std::vector<std::string> Flags() {
  std::vector<std::string> flags;
  for (const OpName& name : OpNames()) flags.emplace_back(name.flag);
  return flags;
}

}  // namespace

const std::vector<OpName>& OpNames() {
  static const std::vector<OpName> names = {
      {"insert", "INSERT"},         {"insert-random", "INSERT"},
      {"select-names", "SELECT"},   {"select-subjects", "SELECT"},
      {"select-point", "SELECT"},   {"update-hot", "UPDATE"},
      {"update-random", "UPDATE"},  {"delete-missing", "DELETE"},
      {"delete-present", "DELETE"}, {"order-key", "ORDER-BY"},
      {"order-column", "ORDER-BY"}, {"order-all", "ORDER-BY"},
  };
  return names;
}

Op Options::op() const {
  size_t place = 0;
  while (OpNames()[place].flag != statement) ++place;
  return static_cast<Op>(place);
}

nlohmann::json ToJson(const DataOptions& data) {
  return {{"students", data.students},
          {"compression_ratio", data.compression_ratio},
          {"foreign_keys", data.refers()}};
}

nlohmann::json ToJson(const Options& options) {
  nlohmann::json json = ToJson(options.data);
  json["statement"] = options.statement;
  json["order_limit"] = options.order_limit;
  json["max_retries"] = options.max_retries;
  json["pool"] = options.shape.pool;
  json["ramp_s"] = options.shape.ramp_s;
  return json;
}

void AddDataFlags(CLI::App* app, DataOptions* data) {
  AddWholeNumber(app, "--students", &data->students, kFewestStudents,
                 static_cast<int64_t>(kMissingId) - 1, "rows of the table");
  AddNumber(app, "--compression-ratio", &data->compression_ratio, .01, 1,
            "share of each text that does not repeat itself");
  AddSwitch(app, "--foreign-keys", &data->foreign_keys,
            "students' courses refer to a table of them (InnoDB)");
}

void AddRequestFlags(CLI::App* app, Options* options) {
  AddChoice(app, "--statement", &options->statement, Flags(),
            "what every request executes");
  AddWholeNumber(app, "--order-limit", &options->order_limit, 1, kMostRows,
                 "rows that order-key and order-column ask for");
  AddWholeNumber(app, "--max-retries", &options->max_retries, 0, 1'000'000,
                 "conflicts after which a statement is an error");
  AddWholeNumber(
      app, "--pool", &options->shape.pool, 1, kMostConnections,
      "connections that all requesters share; else each has its own");
  AddNumber(app, "--ramp-s", &options->shape.ramp_s, 0, kLongestRampS,
            "seconds over which requesters begin, one after the other");
}

}  // namespace waltax::sqlops
