// Bytes of links and nodes, with the original's compressibility: chunks of 128
// bytes are either drawn afresh or copied out of a small buffer of motifs that
// recur through the whole data set.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "driver/random.h"
#include "linkbench/options.h"

namespace waltax::linkbench {

// Not thread-safe: one per thread and kind of payload.
class MotifPayload {
 public:
  explicit MotifPayload(const PayloadOptions& options)
      : start_(static_cast<uint8_t>(options.start_byte)),
        range_(
            static_cast<uint32_t>(options.end_byte - options.start_byte + 1)),
        uniqueness_(options.uniqueness) {}

  // Makes `out` `size` bytes long and fills it. The first call also draws the
  // motifs, from the same generator.
  template <typename Rng>
  void Fill(Rng& rng, size_t size, std::string* out) {
    if (!motifs_drawn_) {
      FillRandom(rng, motifs_.data(), motifs_.size());
      motifs_drawn_ = true;
    }
    out->resize(size);
    for (size_t at = 0; at < size; at += kChunkBytes) {
      const size_t bytes = std::min(kChunkBytes, size - at);
      if (rng.NextDouble() < uniqueness_) {
        FillRandom(rng, out->data() + at, bytes);
      } else {
        const uint64_t from = rng.NextInt(motifs_.size() - bytes + 1);
        std::memcpy(out->data() + at, motifs_.data() + from, bytes);
      }
    }
  }

 private:
  // DEVIATION T4: the original never sees its own *_motif_length, so that both
  // lengths are constants.
  static constexpr size_t kMotifBytes = 512;
  static constexpr size_t kChunkBytes = 128;

  template <typename Rng>
  void FillRandom(Rng& rng, char* out, size_t size) {
    size_t i = 0;
    if constexpr (std::is_same_v<Rng, Random>) {
      // Two bytes from one draw: a half word has 32 bits, and the multiply's
      // bias of range / 2^32 is far below what compression could notice.
      for (; i + 2 <= size; i += 2) {
        const uint64_t bits = rng.Next();
        out[i] = Byte(bits >> 32);
        out[i + 1] = Byte(bits & 0xFFFFFFFF);
      }
    }
    for (; i < size; ++i)
      out[i] = static_cast<char>(start_ + rng.NextInt(range_));
  }

  [[nodiscard]] char Byte(uint64_t half_word) const {
    return static_cast<char>(start_ + ((half_word * range_) >> 32));
  }

  uint8_t start_;
  uint32_t range_;
  double uniqueness_;
  bool motifs_drawn_ = false;
  std::array<char, kMotifBytes> motifs_{};
};

}  // namespace waltax::linkbench
