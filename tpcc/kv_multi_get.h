// Many rows of one table, read together.
#pragma once

#include <rocksdb/slice.h>
#include <rocksdb/utilities/transaction_db.h>

#include <cstddef>
#include <vector>

namespace waltax::tpcc {

// Used again and again, so that only the largest read allocates.
template <typename Key>
class MultiGet {
 public:
  // Forgets keys and values, and lets go of the blocks that hold these.
  void Clear() {
    for (size_t i = 0; i < size_; ++i) values_[i].Reset();
    size_ = 0;
  }
  void Add(const Key& key) {
    if (size_ == keys_.size()) Grow();
    keys_[size_++] = key;
  }
  // Reads each key's value, or why there is none. `sorted`: they ascend.
  void Run(rocksdb::TransactionDB* db, const rocksdb::ReadOptions& options,
           rocksdb::ColumnFamilyHandle* table, bool sorted) {
    for (size_t i = 0; i < size_; ++i) slices_[i] = keys_[i].slice();
    db->MultiGet(options, table, size_, slices_.data(), values_.data(),
                 statuses_.data(), sorted);
  }

  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] const rocksdb::Slice& key(size_t i) const { return slices_[i]; }
  [[nodiscard]] const rocksdb::Status& status(size_t i) const {
    return statuses_[i];
  }
  [[nodiscard]] const rocksdb::PinnableSlice& value(size_t i) const {
    return values_[i];
  }

 private:
  void Grow() {
    const size_t size = keys_.empty() ? 16 : 2 * keys_.size();
    keys_.resize(size);
    slices_.resize(size);
    values_.resize(size);
    statuses_.resize(size);
  }

  std::vector<Key> keys_;
  std::vector<rocksdb::Slice> slices_;
  std::vector<rocksdb::PinnableSlice> values_;
  std::vector<rocksdb::Status> statuses_;
  size_t size_ = 0;
};

}  // namespace waltax::tpcc
