#include "driver/latency.h"

#include <zlib.h>

#include <cmath>
#include <string_view>

namespace waltax {
namespace {

// Export (HdrHistogram 2.x, class AbstractHistogram); integers big-endian:
//
//   text       := base64(envelope)
//   envelope   := 0x1c849314:u32 length:u32 zlib(histogram)
//   histogram  := 0x1c849313:u32 length-of-counts:u32 normalizing-offset:u32
//                 significant-digits:u32 lowest:u64 highest:u64 ratio:f64
//                 counts
//   counts     := (count | run-of-empty-slots)*     up to the last used slot
//   count      := zigzag-leb128(number of values)
//   run        := zigzag-leb128(-number of empty slots)
constexpr uint32_t kEnvelopeCookie = 0x1c849314;
constexpr uint32_t kHistogramCookie = 0x1c849313;
constexpr uint32_t kSignificantDigits = 3;
constexpr uint64_t kLowestDiscernible = 1;

void PutFixed32(std::string* out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out->push_back(static_cast<char>(value >> shift));
  }
}

void PutFixed64(std::string* out, uint64_t value) {
  PutFixed32(out, static_cast<uint32_t>(value >> 32));
  PutFixed32(out, static_cast<uint32_t>(value));
}

// HdrHistogram's variant of LEB128: a ninth byte carries 8 bits and ends it.
void PutZigZag(std::string* out, int64_t value) {
  uint64_t rest =
      (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
  for (int i = 0; i < 8 && rest > 0x7f; ++i) {
    out->push_back(static_cast<char>(rest | 0x80));
    rest >>= 7;
  }
  out->push_back(static_cast<char>(rest));
}

std::string Compress(const std::string& plain) {
  uLongf size = compressBound(plain.size());
  std::string packed(size, '\0');
  // Cannot fail: the buffer has the bound's size and the level is valid.
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
            reinterpret_cast<const Bytef*>(plain.data()), plain.size(),
            Z_BEST_SPEED);
  packed.resize(size);
  return packed;
}

// RFC 4648 section 4.
std::string Base64(std::string_view bytes) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t n = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < n ? static_cast<uint8_t>(bytes[i + j]) : 0U);
    }
    for (size_t j = 0; j < 4; ++j) {
      text.push_back(j <= n ? kAlphabet[group >> (18 - 6 * j) & 63] : '=');
    }
  }
  return text;
}

}  // namespace

void Histogram::Merge(const Histogram& other) {
  if (other.count_ == 0) return;
  for (size_t i = 0; i < kSlots; ++i) slots_[i] += other.slots_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

void Histogram::Clear() {
  if (count_ == 0) return;
  std::fill(slots_.begin(), slots_.end(), 0);
  count_ = 0;
  sum_ = 0;
  min_ = std::numeric_limits<uint64_t>::max();
  max_ = 0;
}

double Histogram::Mean() const {
  return count_ == 0 ? 0 : sum_ / static_cast<double>(count_);
}

uint64_t Histogram::Percentile(double percentile) const {
  const double rank = std::ceil(percentile / 100 * static_cast<double>(count_));
  const uint64_t wanted = std::max<uint64_t>(1, static_cast<uint64_t>(rank));
  uint64_t seen = 0;
  for (size_t slot = 0; slot < kSlots; ++slot) {
    seen += slots_[slot];
    if (seen >= wanted) return std::min(HighestValueOf(slot), max_);
  }
  return max_;
}

uint64_t Histogram::HighestValueOf(size_t slot) {
  if (slot < kSubBuckets) return slot;
  const uint64_t half = kSubBuckets / 2;
  const uint64_t bucket = slot / half - 1;
  const uint64_t sub_bucket = slot % half + half;
  return ((sub_bucket + 1) << bucket) - 1;
}

std::string Histogram::EncodeCounts() const {
  std::string counts;
  int64_t empty = 0;
  for (const uint64_t count : slots_) {
    if (count == 0) {
      ++empty;
      continue;
    }
    if (empty > 0) PutZigZag(&counts, -empty);
    empty = 0;
    PutZigZag(&counts, static_cast<int64_t>(count));
  }
  return counts;
}

std::string Histogram::EncodeV2Base64() const {
  const std::string counts = EncodeCounts();
  std::string histogram;
  PutFixed32(&histogram, kHistogramCookie);
  PutFixed32(&histogram, static_cast<uint32_t>(counts.size()));
  PutFixed32(&histogram, 0);  // counts are not rotated
  PutFixed32(&histogram, kSignificantDigits);
  PutFixed64(&histogram, kLowestDiscernible);
  PutFixed64(&histogram, kHighestTrackable);
  PutFixed64(&histogram, std::bit_cast<uint64_t>(1.0));
  histogram += counts;

  const std::string packed = Compress(histogram);
  std::string envelope;
  PutFixed32(&envelope, kEnvelopeCookie);
  PutFixed32(&envelope, static_cast<uint32_t>(packed.size()));
  return Base64(envelope + packed);
}

}  // namespace waltax
