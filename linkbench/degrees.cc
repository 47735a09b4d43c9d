#include "linkbench/degrees.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

#include "linkbench/nlinks_table.h"

namespace waltax::linkbench {

namespace {

constexpr std::array<std::string_view, 5> kSections = {
    "nlinks", "link_nreads", "link_nwrites", "node_nreads", "node_nwrites"};

constexpr uint64_t kMostLinks = 1'000'000'000;  // of a node

std::string Hash(std::string_view bytes) {
  uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<uint8_t>(byte)) * 0x100000001B3ULL;
  }
  return fmt::format("{:016x}", hash);
}

template <typename Number>
bool Parse(const std::string& text, Number* number) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *number);
  return error == std::errc() && stop == end;
}

Status BadLine(const std::string& path, int line, std::string_view found,
               std::string_view wanted) {
  return Status::Usage(fmt::format("--data-file: {}:{}: found \"{}\", want {}",
                                   path, line, found, wanted));
}

// Parses "VALUE PERCENT" and refuses a row that does not ascend.
std::optional<std::string> ParseRow(const std::string& line,
                                    const DegreeKnot* previous,
                                    DegreeKnot* row) {
  std::istringstream words(line);
  std::string value;
  std::string percent;
  std::string extra;
  words >> value >> percent >> extra;
  if (!Parse(value, &row->value) || !extra.empty() ||
      !Parse(percent, &row->cumulative_percent)) {
    return "a section's name, or a whole number and a percentage";
  }
  if (row->value > kMostLinks) return "at most 1000000000 links";
  // Not a number is in no range.
  if (!(row->cumulative_percent >= 0 && row->cumulative_percent <= 100)) {
    return "a percentage from 0 to 100";
  }
  if (previous != nullptr &&
      (row->value <= previous->value ||
       row->cumulative_percent < previous->cumulative_percent)) {
    return "rows in ascending order";
  }
  return std::nullopt;
}

Status ParseSections(const std::string& path, const std::string& text,
                     std::vector<DegreeKnot>* nlinks) {
  std::istringstream lines(text);
  std::string line;
  std::string_view section;
  DegreeKnot row{};
  bool first = true;
  for (int number = 1; std::getline(lines, line); ++number) {
    const size_t end = line.find_last_not_of(" \t\r");
    if (end == std::string::npos) continue;
    line.resize(end + 1);
    const auto* name = std::find(kSections.begin(), kSections.end(), line);
    if (name != kSections.end()) {
      section = *name;
      first = true;
      continue;
    }
    if (section.empty()) return BadLine(path, number, line, "a section's name");
    const DegreeKnot previous = row;
    const auto wanted = ParseRow(line, first ? nullptr : &previous, &row);
    if (wanted) return BadLine(path, number, line, *wanted);
    first = false;
    if (section == "nlinks") nlinks->push_back(row);
  }
  return Status::Ok();
}

}  // namespace

std::string BuiltInTableHash() {
  std::string text;
  for (const DegreeKnot& knot : kDegreeKnots) {
    text += fmt::format("{} {}\n", knot.value, knot.cumulative_percent);
  }
  return "built-in " + Hash(text);
}

Status ReadDataFile(const std::string& path, DataFile* file) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return Status::Usage(fmt::format(
        "--data-file: {} cannot be read; leave the flag out for the built-in "
        "distribution",
        path));
  }
  std::ostringstream text;
  text << stream.rdbuf();
  file->nlinks.clear();
  file->hash = Hash(text.str());
  const Status parsed = ParseSections(path, text.str(), &file->nlinks);
  if (!parsed.ok()) return parsed;
  if (file->nlinks.empty()) {
    return Status::Usage(
        fmt::format("--data-file: {} has no section nlinks", path));
  }
  return Status::Ok();
}

OutDegrees::OutDegrees(const GraphOptions& options)
    : options_(options),
      start_(options.startid1),
      ids_(static_cast<double>(options.ids())),
      shuffle_(kDegreeShuffleSeed, options.ids()) {}

Status OutDegrees::Create(const GraphOptions& options,
                          std::unique_ptr<OutDegrees>* degrees) {
  degrees->reset(new OutDegrees(options));
  if (options.data_file.empty()) {
    (*degrees)->UseBuiltInTable();
    return Status::Ok();
  }
  DataFile file;
  const Status read = ReadDataFile(options.data_file, &file);
  if (!read.ok()) return read;
  (*degrees)->data_hash_ = file.hash;
  for (const DegreeKnot& knot : file.nlinks) {
    (*degrees)->rows_.push_back(
        {knot.cumulative_percent / 100, static_cast<double>(knot.value), 0});
  }
  return Status::Ok();
}

void OutDegrees::UseBuiltInTable() {
  data_hash_ = BuiltInTableHash();
  for (const DegreeKnot& knot : kDegreeKnots) {
    Row row{knot.cumulative_percent / 100, static_cast<double>(knot.value), 0};
    if (!rows_.empty() && row.value > rows_.back().value + 1) {
      row.slope =
          (row.value - rows_.back().value) / (row.share - rows_.back().share);
    }
    rows_.push_back(row);
  }
}

uint64_t OutDegrees::Real(uint64_t rank) const {
  const double share = 1 - static_cast<double>(rank) / ids_;
  auto row = rows_.begin();
  // Nine of ten nodes are in the first rows, so look there before halving.
  const auto few = std::min<size_t>(4, rows_.size());
  const auto near = row + static_cast<std::ptrdiff_t>(few);
  while (row != near && row->share < share) ++row;
  if (row == near) {
    row = std::lower_bound(
        near, rows_.end(), share,
        [](const Row& left, double right) { return left.share < right; });
  }
  if (row == rows_.end()) --row;
  return static_cast<uint64_t>(
      std::round(row->value - row->slope * (row->share - share)));
}

// DEVIATION T18: where the original would divide by zero (reciprocal, first id)
// or add up state between calls (perfect_squares), we take the formula's sense.
uint64_t OutDegrees::Arithmetic(uint64_t id1) const {
  const auto id = static_cast<double>(id1);
  const auto config = static_cast<double>(options_.nlinks_config);
  double extra = 0;
  switch (options_.nlinks_func) {
    case DegreeFunction::kReal:
    case DegreeFunction::kConst:
      break;
    case DegreeFunction::kReciprocal:
      extra = std::ceil(ids_ / std::max(1.0, id - static_cast<double>(start_)));
      break;
    case DegreeFunction::kMultiples:
      extra = std::fmod(id, config) == 0 ? config : 0;
      break;
    case DegreeFunction::kPerfectSquares: {
      const double root = std::ceil(std::pow(id, 1 / config));
      if (std::floor(std::pow(root, config)) == id) {
        extra = id - std::floor(std::pow(root - 1, config));
      }
      break;
    }
    case DegreeFunction::kExponential: {
      const double log = std::ceil(std::log(id) / std::log(config));
      if (std::floor(std::pow(config, log)) == id) {
        extra = id - std::floor(std::pow(config, log - 1));
      }
      break;
    }
  }
  return static_cast<uint64_t>(options_.nlinks_default +
                               static_cast<int64_t>(extra));
}

uint64_t OutDegrees::Total(uint64_t id1) const {
  // DEVIATION T13: rank 0 gets the largest value of the table at any scale,
  // unless --degree-cap says otherwise. The arithmetic functions are not
  // shuffled.
  const uint64_t total = options_.nlinks_func == DegreeFunction::kReal
                             ? Real(shuffle_.Inverse(id1 - start_))
                             : Arithmetic(id1);
  return options_.degree_cap == 0 ? total
                                  : std::min(total, options_.degree_cap);
}

uint64_t OutDegrees::OfType(uint64_t id1, uint32_t type) const {
  const uint64_t total = Total(id1);
  const uint64_t share = total / options_.link_type_count;
  // DEVIATION T2: the remainder is total - share, not total mod types, so that
  // two types of a node with 6 links get 4 each.
  return share + (type < total - share ? 1 : 0);
}

}  // namespace waltax::linkbench
