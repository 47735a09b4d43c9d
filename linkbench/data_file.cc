#include "linkbench/data_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace waltax::linkbench {

namespace {

constexpr std::array<std::string_view, 5> kSections = {
    "nlinks", "link_nreads", "link_nwrites", "node_nreads", "node_nwrites"};

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
  if (row->cumulative_percent < 0 || row->cumulative_percent > 100) {
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

}  // namespace waltax::linkbench
