// A mix that was loaded into a RocksDB of its own, and its bytes there.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "tests/driver/rocksdb/temporary_database.h"
#include "workloads/mix/codec.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

struct KvMix {
  explicit KvMix(Mix described) : mix(std::move(described)) {
    uint64_t rows = 0;
    uint64_t bytes = 0;
    const Status status = store.Load(2, [](uint64_t) {}, &rows, &bytes);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  rocksdb::ColumnFamilyHandle* Of(size_t table, size_t index = kNone) {
    return database.engine().column_family(mix.tables[table].family + index +
                                           1);
  }
  std::string Key(size_t table, uint64_t row) const {
    std::string key;
    codec.EncodeKey(table, row, &key);
    return key;
  }
  std::string Value(size_t table, uint64_t row) {
    std::string value;
    EXPECT_TRUE(
        database.db()->Get({}, Of(table), Key(table, row), &value).ok());
    return value;
  }
  void Put(size_t table, uint64_t row, const std::string& value) {
    EXPECT_TRUE(database.db()->Put({}, Of(table), Key(table, row), value).ok());
  }

  Mix mix;
  Values values{mix, 7};
  Codec codec{values};
  waltax::TemporaryDatabase database{mix.families};
  std::unique_ptr<Store> opened = NewKvStore(database.engine(), values);
  Store& store = *opened;
};

}  // namespace waltax::mix
