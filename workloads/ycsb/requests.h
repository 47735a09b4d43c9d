// Which operation, on which record, with which values: what a worker draws.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/random.h"
#include "driver/workload.h"
#include "workloads/ycsb/draws.h"
#include "workloads/ycsb/options.h"
#include "workloads/ycsb/records.h"
#include "workloads/ycsb/store.h"

namespace waltax::ycsb {

// The number of a record that is there, of which `newest` is the highest. For
// one thread; a copy draws as if it was made anew.
using Chooser = std::function<uint64_t(Random& random, uint64_t newest)>;

// Of a request distribution but "sequential", which is no draw. REQUIRES:
// `options` were resolved.
Chooser NewChooser(const Options& options);

// Of fields that can be checked, only Values::field is drawn: what they hold
// hangs on the key.
struct DrawnRequest : Request {
  // Empty where it is known only when the operation is executed: of an insert,
  // and of the distribution "sequential". Then the key is, too.
  std::optional<uint64_t> number;
};

// What all workers draw from.
struct RequestModel {
  explicit RequestModel(const Options& options);
  // What draws must average to.
  [[nodiscard]] std::vector<InputRule> InputRules() const;

  Options options;
  RecordModel records;
  KeyFormat keys;
  Chooser chooser;
  Lengths scan_lengths;
};

// The requests of one worker. Not thread-safe.
class RequestStream {
 public:
  RequestStream(std::shared_ptr<const RequestModel> model, int index,
                uint64_t seed);
  // REQUIRES: the records up to `newest` are there.
  void Draw(uint64_t newest, DrawnRequest* request);
  // Writes the key of `request->number`, and the values that hang on it.
  void Name(DrawnRequest* request) const;
  // Adds what was drawn for each of RequestModel::InputRules() since the last
  // call, and starts anew.
  void TakeInputs(std::vector<InputCount>* counts);

 private:
  [[nodiscard]] Field DrawField(bool all);
  void DrawValues(Field field, Values* values);

  std::shared_ptr<const RequestModel> model_;
  Random random_;
  Chooser chooser_;
  std::array<uint64_t, kOps> drawn_{};
  uint64_t scanned_ = 0;  // records, of all scans
};

}  // namespace waltax::ycsb
