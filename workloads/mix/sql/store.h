// A mix on a server: MyRocks or InnoDB, a table for each table.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/rocksdb/key_bytes.h"
#include "driver/sql/connection.h"
#include "workloads/mix/codec.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

// Hands the id of a row to `take`, as whatever takes values has it: a number,
// or a text in `id`.
template <typename Take>
void TakeId(const Values& values, size_t table, uint64_t number,
            std::string* id, const Take& take) {
  const Key& key = values.mix().tables[table].key;
  if (!key.is_text && key.bytes <= 8) {
    return take(static_cast<int64_t>(values.KeyOf(table, number)));
  }
  id->clear();
  if (!key.is_text) {
    id->resize(key.bytes, '0');
    PutBigEndian(id->data(), values.KeyOf(table, number));
  } else {
    values.AppendTextKey(table, number, id);
  }
  take(std::string_view(*id));
}

// Thread-safe. The values outlive it.
class SqlStore : public Store {
 public:
  // Sessions work on tables whose names have `behind` added.
  SqlStore(mariadb::SqlPlace place, const Values& values,
           std::string behind = "")
      : place_(std::move(place)), values_(values), behind_(std::move(behind)) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(size_t table, size_t index, const Visit& visit) override;
  // Makes the tables in a database without any, and fills them.
  Status Load(int threads, const RowReport& report, uint64_t* rows,
              uint64_t* bytes) override;

 private:
  mariadb::SqlPlace place_;
  const Values& values_;
  std::string behind_;
};

}  // namespace waltax::mix
