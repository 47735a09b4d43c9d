// What the statements of the study are told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace waltax::sqlops {

// One of these is all that a run executes.
enum class Op : uint8_t {
  kInsert,
  kInsertRandom,
  kSelectNames,
  kSelectSubjects,
  kSelectPoint,
  kUpdateHot,
  kUpdateRandom,
  kDeleteMissing,
  kDeletePresent,
  kOrderKey,
  kOrderColumn,
  kOrderAll,
};
inline constexpr size_t kOps = 12;

// What --statement takes, and what events call it, in the order of Op.
struct OpName {
  std::string_view flag;
  std::string_view event;
};
const std::vector<OpName>& OpNames();
[[nodiscard]] inline std::string_view EventName(Op op) {
  return OpNames()[static_cast<size_t>(op)].event;
}

// What the loader writes. A run must use what its data set was loaded with.
struct DataOptions {
  uint64_t students = 1000;  // s_id from 1 on
  double compression_ratio = .3;
  // A table of courses, which the three columns of each student refer to. As in
  // the study's model of InnoDB; MyRocks has none.
  std::optional<bool> foreign_keys;

  [[nodiscard]] bool refers() const { return foreign_keys.value_or(false); }
};

// How the requesters come and what they share, as a load generator has it.
struct Shape {
  uint64_t pool = 0;  // connections that all requesters share; 0: one for each
  double ramp_s = 0;  // over which they begin, one after the other
  int requesters = 1;

  // When a requester's first statement begins, from the beginning of its slice.
  [[nodiscard]] int64_t BeginNs(int requester) const {
    return static_cast<int64_t>(1e9 * ramp_s * requester / requesters);
  }
};

struct Options {
  DataOptions data;
  std::string statement = "insert";
  uint64_t order_limit = 100;  // rows of order-key and order-column
  int max_retries = 100;       // conflicts after which a statement is an error
  Shape shape;

  [[nodiscard]] Op op() const;
};

// Every effective value, under its flag's name.
nlohmann::json ToJson(const DataOptions& data);
nlohmann::json ToJson(const Options& options);

void AddDataFlags(CLI::App* app, DataOptions* data);
void AddRequestFlags(CLI::App* app, Options* options);

}  // namespace waltax::sqlops
