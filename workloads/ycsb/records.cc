#include "workloads/ycsb/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "workloads/ycsb/shards/owner.h"

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

RecordModel::RecordModel(const DataOptions& data)
    : data_(data), names_(data.FieldNames()) {
  if (data.fieldlengthdistribution == "constant") return;
  lengths_.emplace(data.minfieldlength, data.fieldlength,
                   data.fieldlengthdistribution == "zipfian");
}

template <typename Append>
void RecordModel::Fill(Field field, Values* values,
                       const Append& append) const {
  const uint32_t first = field.value_or(0);
  const uint32_t end = field ? first + 1 : fields();
  std::string& bytes = values->bytes;
  values->field = field;
  values->fields.clear();
  bytes.clear();
  // Lengths at first: the bytes move while they grow.
  for (uint32_t i = first; i < end; ++i) {
    const size_t begin = bytes.size();
    append(i);
    values->fields.emplace_back(bytes.data(), bytes.size() - begin);
  }
  size_t begin = 0;
  for (std::string_view& value : values->fields) {
    value = std::string_view(bytes).substr(begin, value.size());
    begin += value.size();
  }
}

void RecordModel::Draw(Random& random, Field field, Values* values) const {
  Fill(field, values, [&](uint32_t) {
    const uint64_t length =
        lengths_ ? lengths_->Draw(random) : data_.fieldlength;
    AppendRandom(random, length, &values->bytes);
  });
}

void RecordModel::Compute(std::string_view key, Field field,
                          Values* values) const {
  Fill(field, values, [&](uint32_t i) {
    AppendDeterministic(key, names_[i], data_.fieldlength, &values->bytes);
  });
}

bool RecordModel::Holds(std::string_view key, uint32_t field,
                        std::string_view found) const {
  if (data_.checkable()) {
    thread_local std::string wanted;
    wanted.clear();
    AppendDeterministic(key, names_[field], data_.fieldlength, &wanted);
    return found == wanted;
  }
  const uint64_t least = lengths_ ? data_.minfieldlength : data_.fieldlength;
  if (found.size() < least || found.size() > data_.fieldlength) return false;
  return std::all_of(found.begin(), found.end(), [](char letter) {
    return letter >= ' ' && static_cast<unsigned char>(letter) < 0x80;
  });
}

KeyList::KeyList(const DataOptions& data) : format_(data.keys()) {
  const Owner owner(data.shards, format_);
  const std::optional<uint64_t> node = data.shards.node;
  std::string key;
  if (!node) sorted_.reserve(data.insertcount);
  for (uint64_t number = data.insertstart; number < data.end(); ++number) {
    if (node) {
      format_.Write(number, &key);
      if (owner.Of(key) != *node) continue;
    }
    sorted_.push_back(format_.Order(format_.Shown(number)));
  }
  // Ordered keys often are sorted already.
  if (!std::is_sorted(sorted_.begin(), sorted_.end())) {
    std::sort(sorted_.begin(), sorted_.end());
  }
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
}

}  // namespace waltax::ycsb
