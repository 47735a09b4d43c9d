// How many links every node starts with. Nothing is stored: the loader and the
// requests compute it from the id.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/status.h"
#include "linkbench/nlinks_table.h"
#include "linkbench/options.h"
#include "linkbench/shuffle.h"

namespace waltax::linkbench {

// The original's distribution file: five named sections of (value, cumulative
// percentage) rows. Out-degrees come from the section nlinks.
struct DataFile {
  std::vector<DegreeKnot> nlinks;
  // FNV-1a of the whole file, to tell a data set's file from another.
  std::string hash;
};

// FNV-1a of the built-in table's values, after a word that no file's hash has.
std::string BuiltInTableHash();

// Fails with path, line and what was expected there.
Status ReadDataFile(const std::string& path, DataFile* file);

// Thread-safe after construction.
class OutDegrees {
 public:
  // Reads options.data_file, if any. REQUIRES: Validate() accepted the options.
  static Status Create(const GraphOptions& options,
                       std::unique_ptr<OutDegrees>* degrees);

  // Links of all types as the distribution has them, and of one type
  // (0-based). REQUIRES: startid1 <= id1 < maxid1.
  [[nodiscard]] uint64_t Total(uint64_t id1) const;
  [[nodiscard]] uint64_t OfType(uint64_t id1, uint32_t type) const;

  // The node that the distribution gives most links.
  [[nodiscard]] uint64_t HottestId() const {
    return start_ + shuffle_.Permute(0);
  }
  // Of the data file, or of the built-in table.
  [[nodiscard]] const std::string& data_hash() const { return data_hash_; }

 private:
  // At cumulative share `share` the distribution has reached `value`; `slope`
  // is that of the line from the row before, 0 for a step.
  struct Row {
    double share;
    double value;
    double slope;
  };

  explicit OutDegrees(const GraphOptions& options);
  void UseBuiltInTable();
  [[nodiscard]] uint64_t Real(uint64_t rank) const;
  [[nodiscard]] uint64_t Arithmetic(uint64_t id1) const;

  GraphOptions options_;
  uint64_t start_;
  double ids_;
  Shuffle shuffle_;
  std::vector<Row> rows_;
  std::string data_hash_;
};

}  // namespace waltax::linkbench
