#include "tpcc/kv/rows.h"

#include <rocksdb/iterator.h>

namespace waltax::tpcc {

rocksdb::Status MissingRow(Table table) {
  return rocksdb::Status::Corruption(kTableNames[static_cast<size_t>(table)],
                                     "a row that must exist is missing");
}

rocksdb::Status GarbledRow(Table table) {
  return rocksdb::Status::Corruption(kTableNames[static_cast<size_t>(table)],
                                     "a value is not a row of this table");
}

rocksdb::Status KvRows::Lock(Table table, const rocksdb::Slice& key) {
  // Without a place for the value it only locks: the batch holds nothing that
  // would have to be looked for before the table is read.
  std::string* const no_value = nullptr;
  return loop_.transaction().GetForUpdate(rocksdb::ReadOptions(),
                                          tables_[table], key, no_value);
}

rocksdb::Status KvRows::GetBytes(Table table, const rocksdb::Slice& key,
                                 const rocksdb::Snapshot* snapshot,
                                 rocksdb::PinnableSlice* bytes) {
  bytes->Reset();
  read_options_.snapshot = snapshot;
  rocksdb::Status status =
      tables_.db->Get(read_options_, tables_[table], key, bytes);
  return status.IsNotFound() ? MissingRow(table) : status;
}

std::unique_ptr<rocksdb::Iterator> KvRows::NewIterator(
    Table table, const rocksdb::Snapshot* snapshot) const {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  // Nothing here deletes ranges; not looking for them makes it cheap to make
  // and to refresh.
  options.ignore_range_deletions = true;
  return std::unique_ptr<rocksdb::Iterator>(
      tables_.db->NewIterator(options, tables_[table]));
}

}  // namespace waltax::tpcc
