#include "workloads/mix/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <mutex>
#include <utility>

#include "workloads/mix/ycsb_draws.h"

namespace waltax::mix {
namespace {

constexpr size_t kPoolBytes = 1 << 20;
constexpr size_t kStampLetters = 11;
// In the order of their codes, so that a letter's place is found at once.
constexpr std::string_view kLetters =
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

// A bijection of so many bits, by multiplications and shifts that undo
// themselves.
constexpr uint64_t kFirst = 0xBF58476D1CE4E5B9;
constexpr uint64_t kSecond = 0x94D049BB133111EB;

int BitsOf(const Key& key) { return key.bytes == 4 ? 31 : 62; }
uint64_t MaskOf(int bits) { return (uint64_t{1} << bits) - 1; }

// Its own inverse: twice the shift reaches past all bits.
uint64_t Fold(uint64_t x, int bits) { return x ^ (x >> ((bits + 1) / 2)); }

// Of an odd factor modulo 2^64, by Newton's steps, each of which doubles the
// bits that are right.
constexpr uint64_t Inverse(uint64_t factor) {
  uint64_t inverse = factor;
  for (int i = 0; i < 5; ++i) inverse *= 2 - factor * inverse;
  return inverse;
}

double Share(uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

uint32_t SizeOf(const Size& size, uint64_t bits) {
  if (size.steps.empty()) {
    return size.low + static_cast<uint32_t>(bits % (size.high - size.low + 1));
  }
  const auto step = std::upper_bound(
      size.steps.begin(), size.steps.end() - 1, Share(bits),
      [](double share, const auto& each) { return share < each.second; });
  return step->first;
}

void PutStamp(uint64_t stamp, char* out) {
  for (size_t i = kStampLetters; i-- > 0; stamp >>= 6) {
    out[i] = kLetters[stamp & 63];
  }
}

std::optional<uint64_t> GetStamp(std::string_view in) {
  uint64_t stamp = 0;
  for (size_t i = 0; i < kStampLetters; ++i) {
    const size_t letter = kLetters.find(in[i]);
    if (letter == kLetters.npos) return std::nullopt;
    stamp = stamp << 6 | letter;
  }
  return stamp;
}

}  // namespace

// The numbers of YCSB's hashes, which have no inverse: those that were loaded,
// and as many more as a key that is none of them makes it look for.
class Unhashed {
 public:
  explicit Unhashed(uint64_t rows) : next_(rows + kFew), most_(4 * next_) {}

  std::optional<uint64_t> Find(uint64_t hash) {
    const std::scoped_lock lock(mutex_);
    while (true) {
      const auto found = std::lower_bound(numbers_.begin(), numbers_.end(),
                                          std::pair(hash, uint64_t{0}));
      if (found != numbers_.end() && found->first == hash) return found->second;
      if (numbers_.size() >= most_) return std::nullopt;
      for (uint64_t i = numbers_.size(); i < next_; ++i) {
        numbers_.emplace_back(Fnv64(i), i);
      }
      std::sort(numbers_.begin(), numbers_.end());
      next_ *= 2;
    }
  }

 private:
  static constexpr uint64_t kFew = 1 << 18;

  std::mutex mutex_;
  std::vector<std::pair<uint64_t, uint64_t>> numbers_;  // by hash
  uint64_t next_;
  uint64_t most_;
};

// The finalizer of splitmix64.
uint64_t Mixed(uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * kFirst;
  number = (number ^ (number >> 27)) * kSecond;
  return number ^ (number >> 31);
}

Values::Values(const Mix& mix, uint64_t seed) : mix_(mix), salt_(Mixed(seed)) {
  bytes_.resize(2 * kPoolBytes);
  letters_.resize(2 * kPoolBytes);
  for (size_t i = 0; i < bytes_.size(); ++i) {
    const uint64_t bits = Mixed(i);
    bytes_[i] = static_cast<char>(bits);
    letters_[i] = kLetters[bits >> 58];
  }
  for (const Table& table : mix.tables) {
    unhashed_.push_back(std::make_unique<Unhashed>(table.loaded_rows()));
  }
}

Values::~Values() = default;

uint64_t Values::KeyOf(size_t table, uint64_t number) const {
  const Key& key = mix_.tables[table].key;
  if (key.fnv) return Fnv64(number);
  if (!key.hashed) return number;
  const int bits = BitsOf(key);
  const uint64_t mask = MaskOf(bits);
  uint64_t x = Fold((number + Mixed(table)) & mask, bits);
  x = Fold((x * kFirst) & mask, bits);
  return Fold((x * kSecond) & mask, bits);
}

std::optional<uint64_t> Values::NumberOf(size_t table, uint64_t key) const {
  const Key& how = mix_.tables[table].key;
  if (how.fnv) return unhashed_[table]->Find(key);
  const int bits = BitsOf(how);
  const uint64_t mask = MaskOf(bits);
  if (key > mask) return std::nullopt;
  if (!how.hashed) return key;
  uint64_t x = Fold(key, bits);
  x = Fold((x * Inverse(kSecond)) & mask, bits);
  x = Fold((x * Inverse(kFirst)) & mask, bits);
  return (x - Mixed(table)) & mask;
}

void Values::AppendTextKey(size_t table, uint64_t number,
                           std::string* out) const {
  const Key& key = mix_.tables[table].key;
  char digits[20];
  const char* const end =
      std::to_chars(digits, std::end(digits), KeyOf(table, number)).ptr;
  out->append(key.prefix);
  if (end - digits < key.digits) {
    out->append(static_cast<size_t>(key.digits - (end - digits)), '0');
  }
  out->append(digits, static_cast<size_t>(end - digits));
}

std::optional<uint64_t> Values::NumberOfText(size_t table,
                                             std::string_view key) const {
  const std::string& before = mix_.tables[table].key.prefix;
  if (!key.starts_with(before)) return std::nullopt;
  const char* const end = key.data() + key.size();
  uint64_t stored = 0;
  const auto read = std::from_chars(key.data() + before.size(), end, stored);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return NumberOf(table, stored);
}

uint64_t Values::Missing(size_t table, uint64_t any) const {
  const uint64_t half = uint64_t{1} << (BitsOf(mix_.tables[table].key) - 1);
  return half + any % half;
}

int64_t Values::Initial(size_t table, size_t column, uint64_t number) const {
  const Table& of = mix_.tables[table];
  const Column& what = of.columns[column];
  const bool refers = what.references != kNone;
  const uint64_t values = refers
                              ? mix_.tables[what.references].loaded_rows()
                              : static_cast<uint64_t>(what.high - what.low) + 1;
  if (values <= 1) return refers ? 0 : what.low;
  // Of a key's columns each value comes in turn, so that all have as many rows.
  const bool in_key = Has(of.key.columns, column);
  const uint64_t drawn =
      (in_key ? number : Bits(table, column, number, kLoaded)) % values;
  if (refers) return static_cast<int64_t>(KeyOf(what.references, drawn));
  return what.low + static_cast<int64_t>(drawn);
}

void Values::Make(size_t table, uint64_t number, uint64_t stamp,
                  Row* row) const {
  const std::vector<Column>& columns = mix_.tables[table].columns;
  row->Fit(columns.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].type == Type::kInt) {
      row->cells[i].number = Initial(table, i, number);
    } else {
      Renew(table, i, number, stamp, row);
    }
  }
}

void Values::Renew(size_t table, size_t column, uint64_t number, uint64_t stamp,
                   Row* row) const {
  row->Fit(mix_.tables[table].columns.size());
  const Column& what = mix_.tables[table].columns[column];
  const uint64_t bits = Bits(table, column, number, stamp);
  const size_t size = SizeOf(what.size, bits);
  const size_t stamped = size < kStampLetters ? 0 : kStampLetters;
  std::string& text = row->texts[column];
  text.resize(stamped);
  size_t drawn = size;  // before the text repeats what was drawn
  if (stamped > 0) {
    PutStamp(stamp, text.data());
    const size_t behind = size - stamped;
    const double unlike =
        static_cast<double>(behind) * (1 - what.compressibility);
    drawn = std::clamp<size_t>(static_cast<size_t>(std::lround(unlike)),
                               std::min<size_t>(1, behind),
                               std::min(kPoolBytes, behind));
  }
  const char* const pool = PoolOf(what).data() + bits % kPoolBytes;
  while (text.size() < size) {
    text.append(pool, std::min(drawn, size - text.size()));
  }
  row->cells[column].text = text;
}

std::optional<uint64_t> Values::StampOf(size_t table, size_t column,
                                        uint64_t number,
                                        std::string_view text) const {
  if (text.size() < kStampLetters) {
    const Size& size = mix_.tables[table].columns[column].size;
    const bool fits = size.low <= text.size() && text.size() <= size.high;
    return fits ? std::optional(kLoaded) : std::nullopt;
  }
  const std::optional<uint64_t> stamp = GetStamp(text);
  if (!stamp) return std::nullopt;
  thread_local Row row;
  Renew(table, column, number, *stamp, &row);
  return row.cells[column].text == text ? stamp : std::nullopt;
}

}  // namespace waltax::mix
