#include "ycsb/records.h"

#include <algorithm>
#include <utility>

#include "ycsb/payload.h"

namespace waltax::ycsb {

RecordModel::RecordModel(const DataOptions& data)
    : data_(data), names_(data.FieldNames()) {
  if (data.fieldlengthdistribution == "constant") return;
  lengths_.emplace(data.minfieldlength, data.fieldlength,
                   data.fieldlengthdistribution == "zipfian");
}

template <typename Append>
void RecordModel::Fill(std::optional<uint32_t> field, Values* values,
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
  for (std::string_view& one : values->fields) {
    one = std::string_view(bytes).substr(begin, one.size());
    begin += one.size();
  }
}

void RecordModel::Draw(Random& random, std::optional<uint32_t> field,
                       Values* values) const {
  Fill(field, values, [&](uint32_t) {
    const uint64_t length =
        lengths_ ? lengths_->Draw(random) : data_.fieldlength;
    AppendRandom(random, length, &values->bytes);
  });
}

void RecordModel::Compute(std::string_view key, std::optional<uint32_t> field,
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

}  // namespace waltax::ycsb
