// What a request draws: which id it touches, and the bytes of links and nodes.
// Each distribution has a quantile or a Draw that is a template over the
// generator, so that recorded values of java.util.Random test the very code
// that runs with the fast one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "driver/distributions.h"
#include "driver/random.h"
#include "linkbench/options.h"
#include "linkbench/shuffle.h"

namespace waltax::linkbench {

// Zipf as the original draws it. Below this many items it sums the series; from
// there on it uses a closed form, which differs in the third digit and so
// decides the ranks.
inline Zipf OriginalZipf(uint64_t n, double shape) {
  constexpr uint64_t kExactSumLimit = 100'000;
  constexpr double kEulerMascheroni = 0.5772156649015329;
  const auto items = static_cast<double>(n);
  const double inverse = 1 / (1 - shape);
  if (n < kExactSumLimit || shape > 1) {
    return {n, shape, HarmonicSum(n, shape)};
  }
  if (shape == 1) return {n, shape, std::log(items) + kEulerMascheroni};
  return {n, shape, inverse * std::pow(items, 1 - shape) + 0.58 - inverse};
}

// Number of trials up to the first success, moved up by `min` and cut at
// `max` - 1.
class Geometric {
 public:
  Geometric(uint64_t min, uint64_t max, double probability)
      : min_(min), max_(max), log_failure_(std::log(1 - probability)) {}

  // DEVIATION T3: the support starts at min + 1 (min only for p == 0 exactly),
  // so that the mean is min + 1 / probability, one more than documented.
  [[nodiscard]] uint64_t Quantile(double p) const {
    if (p == 0) return min_;
    const double trials = std::ceil(std::log(1 - p) / log_failure_);
    const auto limit = static_cast<double>(max_ - 1 - min_);
    return trials >= limit ? max_ - 1 : min_ + static_cast<uint64_t>(trials);
  }

  template <typename Rng>
  uint64_t Draw(Rng& rng) const {
    return Quantile(rng.NextDouble());
  }

 private:
  uint64_t min_;
  uint64_t max_;
  double log_failure_;
};

// Payload sizes: log-normal with sigma 1, rounded, in [0, max).
class LogNormal {
 public:
  LogNormal(double median, uint64_t max) : mu_(std::log(median)), max_(max) {}

  template <typename Rng>
  uint64_t Draw(Rng& rng) const {
    const double value = std::floor(std::exp(rng.NextGaussian() + mu_) + 0.5);
    return value >= static_cast<double>(max_) ? max_ - 1
                                              : static_cast<uint64_t>(value);
  }

 private:
  double mu_;
  uint64_t max_;
};

// Which id a request touches: a rank from a distribution, moved to its place by
// a shuffle, which outlives it. Thread-safe after construction.
class AccessDistribution {
 public:
  AccessDistribution(const AccessOptions& options, uint64_t n,
                     const Shuffle& shuffle)
      : is_zipf_(options.function == "zipf"),
        is_uniform_(options.function == "uniform"),
        n_(n),
        zipf_(OriginalZipf(n, options.shape)),
        geometric_(0, n, options.probability),
        shuffle_(shuffle) {}

  // An offset in [0, n).
  template <typename Rng>
  uint64_t Draw(Rng& rng) const {
    return shuffle_.Permute(DrawRank(rng));
  }

  template <typename Rng>
  uint64_t DrawRank(Rng& rng) const {
    if (is_zipf_) return zipf_.Draw(rng);
    return is_uniform_ ? rng.NextInt(n_) : geometric_.Draw(rng);
  }

 private:
  bool is_zipf_;
  bool is_uniform_;
  uint64_t n_;
  Zipf zipf_;
  Geometric geometric_;
  const Shuffle& shuffle_;
};

// Bytes of links and nodes, with the original's compressibility: chunks of 128
// bytes are either drawn afresh or copied out of a small buffer of motifs that
// recur through the whole data set.
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
