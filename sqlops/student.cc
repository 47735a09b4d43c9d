#include "sqlops/student.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "driver/random.h"

namespace waltax::sqlops {

namespace {

constexpr size_t kNameBytes = 25;
constexpr size_t kAddrBytes = 110;
constexpr size_t kEmailBytes = 40;
constexpr uint64_t kMobiles = 1'000'000'000;
// No text that is drawn begins with a capital letter.
constexpr std::string_view kNewName = "Renamed ";

void AppendText(Random& random, size_t bytes, double ratio, std::string* text) {
  text->clear();
  const size_t drawn = std::clamp<size_t>(
      static_cast<size_t>(std::lround(static_cast<double>(bytes) * ratio)), 1,
      bytes);
  for (size_t i = 0; i < drawn; ++i) {
    text->push_back(static_cast<char>('a' + random.NextInt(26)));
  }
  while (text->size() < bytes) {
    text->append(*text, 0, std::min(drawn, bytes - text->size()));
  }
}

}  // namespace

void Students::Write(uint64_t id, Student* student) const {
  Random random(seed_, id);
  student->id = id;
  AppendText(random, kNameBytes, ratio_, &student->name);
  student->dob.clear();
  fmt::format_to(std::back_inserter(student->dob), "{}-{:02}-{:02}",
                 1970 + random.NextInt(30), 1 + random.NextInt(12),
                 1 + random.NextInt(28));
  AppendText(random, kAddrBytes, ratio_, &student->addr);
  student->mobno = random.NextInt(kMobiles);
  AppendText(random, kEmailBytes, ratio_, &student->email);
  for (uint64_t& sub : student->sub) sub = 1 + random.NextInt(kCourses);
}

void WriteNewName(uint64_t number, std::string* name) {
  *name = kNewName;
  fmt::format_to(std::back_inserter(*name), "{:017}",
                 number % 100'000'000'000'000'000);
}

bool IsNewName(std::string_view name) {
  return name.size() == kNameBytes && name.starts_with(kNewName);
}

}  // namespace waltax::sqlops
