#include "ycsb/payload.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace waltax::ycsb {

void AppendRandom(Random& random, size_t bytes, std::string* out) {
  constexpr std::array<uint32_t, 6> kShifts = {0, 5, 10, 15, 20, 25};
  constexpr std::array<uint32_t, 6> kMasks = {31, 63, 95, 31, 63, 95};
  const size_t begin = out->size();
  out->resize(begin + bytes);
  char* at = out->data() + begin;
  for (size_t done = 0; done < bytes;) {
    const auto bits = static_cast<uint32_t>(random.Next() >> 32);
    for (size_t i = 0; i < kShifts.size() && done < bytes; ++i, ++done) {
      *at++ = static_cast<char>(' ' + ((bits >> kShifts[i]) & kMasks[i]));
    }
  }
}

int32_t JavaHash(std::string_view text, int32_t before) {
  auto hash = static_cast<uint32_t>(before);
  for (const char letter : text) {
    hash = 31 * hash + static_cast<unsigned char>(letter);
  }
  return static_cast<int32_t>(hash);
}

void AppendDeterministic(std::string_view key, std::string_view field,
                         size_t bytes, std::string* out) {
  const size_t begin = out->size();
  fmt::format_to(std::back_inserter(*out), "{}:{}", key, field);
  int32_t hash = JavaHash(std::string_view(*out).substr(begin));
  while (out->size() - begin < bytes) {
    // Of the text with the colon, to which the hash is then added.
    hash = JavaHash(":", hash);
    const size_t behind = out->size() + 1;
    fmt::format_to(std::back_inserter(*out), ":{}", hash);
    hash = JavaHash(std::string_view(*out).substr(behind), hash);
  }
  out->resize(begin + bytes);
}

}  // namespace waltax::ycsb
