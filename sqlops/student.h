// What a row of table student holds, all of which follows from its s_id.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waltax::sqlops {

// INT columns hold no more. The last one is never inserted: a delete of it
// finds nothing.
inline constexpr uint64_t kMissingId = 2'147'483'647;

// An s_sub is one of 1 to this.
inline constexpr uint64_t kCourses = 1'000;

// The study's columns but for s_id. Texts have 175 bytes together, so that a
// row takes what the study's did in InnoDB, some 200 bytes.
struct Student {
  uint64_t id = 0;
  std::string name;  // 25 bytes
  std::string dob;   // "1990-01-31"
  std::string addr;  // 110 bytes
  uint64_t mobno = 0;
  std::string email;  // 40 bytes
  uint64_t sub[3] = {};

  bool operator==(const Student&) const = default;
};

// Thread-safe.
class Students {
 public:
  // A share `compression_ratio` of each text is random letters, and the rest
  // repeats them, as db_bench's values do.
  Students(uint64_t seed, double compression_ratio)
      : seed_(seed), ratio_(compression_ratio) {}

  void Write(uint64_t id, Student* student) const;

 private:
  uint64_t seed_;
  double ratio_;
};

// The s_name that an update writes: another one each time, since a server
// writes nothing for a row that keeps its values.
void WriteNewName(uint64_t number, std::string* name);
bool IsNewName(std::string_view name);

}  // namespace waltax::sqlops
