// One fast random stream per thread: xoshiro256++ (Blackman & Vigna 2019),
// seeded by splitmix64 from the seed and a hash of the stream's number, so that
// two streams begin in unrelated states.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace waltax {

// Standard normals from any generator that has NextDouble(), by Marsaglia's
// polar method: two at a time, of which the second is kept. java.util.Random
// does the same, so that one code serves both.
class PolarGaussian {
 public:
  template <typename Generator>
  double Next(Generator& generator) {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double u = 0;
    double v = 0;
    double s = 0;
    do {
      u = 2 * generator.NextDouble() - 1;
      v = 2 * generator.NextDouble() - 1;
      s = u * u + v * v;
    } while (s >= 1 || s == 0);
    const double scale = std::sqrt(-2 * std::log(s) / s);
    spare_ = v * scale;
    has_spare_ = true;
    return u * scale;
  }

 private:
  double spare_ = 0;
  bool has_spare_ = false;
};

// Not thread-safe: one instance per thread.
class Random {
 public:
  explicit Random(uint64_t seed, uint64_t stream = 0) {
    // SplitMix steps by a constant: streams a few steps apart would begin with
    // the same words, so the stream's number is hashed first.
    const uint64_t offset = SplitMix(&stream);
    uint64_t x = seed + offset;
    for (auto& word : state_) word = SplitMix(&x);
  }

  uint64_t Next() {
    const uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, 1) with 53 random bits.
  double NextDouble() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

  // Uniform in [0, n). REQUIRES: n > 0. Lemire's multiply-shift; its bias is
  // below n / 2^64, far under what any test of ours can see.
  uint64_t NextInt(uint64_t n) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * n) >>
                                 64);
  }

  double NextGaussian() { return gaussian_.Next(*this); }

 private:
  static uint64_t SplitMix(uint64_t* x) {
    uint64_t z = (*x += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  uint64_t state_[4];
  PolarGaussian gaussian_;
};

}  // namespace waltax
