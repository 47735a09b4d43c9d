// What fields hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "driver/random.h"

namespace waltax::ycsb {

// Appends `bytes` printable ones, drawn as the original draws them: six of each
// 32 random bits, which makes 6.25 bits of entropy a byte.
void AppendRandom(Random& random, size_t bytes, std::string* out);

// Appends what a field of a record holds when its content can be checked: the
// key, the field's name, and hashes of the text so far, cut at `bytes`.
void AppendDeterministic(std::string_view key, std::string_view field,
                         size_t bytes, std::string* out);

// Java's String.hashCode() of ASCII text, that of `text` behind a text whose
// hash is `before`.
int32_t JavaHash(std::string_view text, int32_t before = 0);

}  // namespace waltax::ycsb
