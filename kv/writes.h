// Which key the n-th write of a run has, and what its value holds: all of it
// follows from the number, so that a check needs no copy of what was written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kv/options.h"

namespace waltax::kv {

// The stamp of values that no run wrote.
inline constexpr uint64_t kLoaded = UINT64_MAX;

// Thread-safe.
class Writes {
 public:
  Writes(const Options& options, uint64_t seed);

  // The number of the key that write `number` has.
  [[nodiscard]] uint64_t KeyOf(uint64_t number) const;
  // As db_bench has keys: the number's eight bytes, the highest first, and
  // zeros as characters up to the key's size.
  void EncodeKey(uint64_t key, std::string* bytes) const;
  // Nothing when the bytes are none of EncodeKey().
  [[nodiscard]] std::optional<uint64_t> DecodeKey(std::string_view bytes) const;
  // The stamp, then bytes that only this stamp on this key has, which repeat
  // themselves as db_bench's do.
  void EncodeValue(uint64_t key, uint64_t stamp, std::string* bytes) const;
  // The stamp; nothing when the bytes are not what was written to this key.
  [[nodiscard]] std::optional<uint64_t> DecodeValue(
      uint64_t key, std::string_view bytes) const;

  [[nodiscard]] const Options& options() const { return options_; }

 private:
  // What a value has behind its stamp before it repeats that.
  [[nodiscard]] std::string_view Drawn(uint64_t key, uint64_t stamp) const;

  Options options_;
  uint64_t seed_;
  size_t drawn_;      // bytes of Drawn()
  std::string pool_;  // random bytes, from which tails are cut
};

}  // namespace waltax::kv
