#include "kv/writes.h"

#include <algorithm>
#include <cmath>

#include "driver/rocksdb/key_bytes.h"

namespace waltax::kv {
namespace {

constexpr size_t kPoolBytes = 1 << 20;  // beyond the longest value
constexpr size_t kStampBytes = sizeof(uint64_t);

// The finalizer of splitmix64: each number gives another.
uint64_t Mixed(uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

}  // namespace

Writes::Writes(const Options& options, uint64_t seed)
    : options_(options), seed_(Mixed(seed)) {
  const size_t behind = options.data.value_size - kStampBytes;
  drawn_ = std::clamp<size_t>(
      static_cast<size_t>(std::lround(static_cast<double>(behind) *
                                      options.data.compression_ratio)),
      std::min<size_t>(1, behind), behind);
  pool_.resize(kPoolBytes + options.data.value_size);
  for (size_t i = 0; i < pool_.size(); ++i) {
    pool_[i] = static_cast<char>(Mixed(i));
  }
}

uint64_t Writes::KeyOf(uint64_t number) const {
  if (options_.sequential()) return number;
  return Mixed(number ^ seed_) % options_.data.num;
}

void Writes::EncodeKey(uint64_t key, std::string* bytes) const {
  bytes->assign(options_.data.key_size, '0');
  PutBigEndian(bytes->data(), key);
}

std::optional<uint64_t> Writes::DecodeKey(std::string_view bytes) const {
  if (bytes.size() != options_.data.key_size) return std::nullopt;
  if (bytes.find_first_not_of('0', sizeof(uint64_t)) != bytes.npos) {
    return std::nullopt;
  }
  const char* const number = bytes.data();
  return GetBigEndian<uint64_t>(number);
}

std::string_view Writes::Drawn(uint64_t key, uint64_t stamp) const {
  const size_t at = Mixed(key ^ Mixed(stamp)) % kPoolBytes;
  return std::string_view(pool_).substr(at, drawn_);
}

void Writes::EncodeValue(uint64_t key, uint64_t stamp,
                         std::string* bytes) const {
  bytes->resize(kStampBytes);
  PutBigEndian(bytes->data(), stamp);
  const std::string_view drawn = Drawn(key, stamp);
  while (bytes->size() < options_.data.value_size) {
    bytes->append(drawn, 0, options_.data.value_size - bytes->size());
  }
}

std::optional<uint64_t> Writes::DecodeValue(uint64_t key,
                                            std::string_view bytes) const {
  if (bytes.size() != options_.data.value_size) return std::nullopt;
  const char* const number = bytes.data();
  const auto stamp = GetBigEndian<uint64_t>(number);
  const std::string_view drawn = Drawn(key, stamp);
  std::string_view rest = bytes.substr(kStampBytes);
  while (!rest.empty()) {
    const size_t length = std::min(drawn.size(), rest.size());
    if (rest.substr(0, length) != drawn.substr(0, length)) return std::nullopt;
    rest.remove_prefix(length);
  }
  return stamp;
}

}  // namespace waltax::kv
