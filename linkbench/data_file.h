// The original's distribution file: five named sections of (value, cumulative
// percentage) rows. Out-degrees come from the section nlinks.
#pragma once

#include <string>
#include <vector>

#include "driver/status.h"
#include "linkbench/nlinks_table.h"

namespace waltax::linkbench {

struct DataFile {
  std::vector<DegreeKnot> nlinks;
  // FNV-1a of the whole file, to tell a data set's file from another.
  std::string hash;
};

// FNV-1a of the built-in table's values, after a word that no file's hash has.
std::string BuiltInTableHash();

// Fails with path, line and what was expected there.
Status ReadDataFile(const std::string& path, DataFile* file);

}  // namespace waltax::linkbench
