#include "driver/sql/batch.h"

namespace waltax::mariadb {

void Batch::Add(std::string_view value) {
  Column& column = columns_[next_++];
  column.text.append(value);
  column.sizes.push_back(value.size());
}

void Batch::Clear() {
  sets_ = 0;
  for (Column& column : columns_) {
    column.numbers.clear();
    column.text.clear();
    column.sizes.clear();
    column.starts.clear();
  }
}

std::vector<MYSQL_BIND>* Batch::Binds() {
  for (size_t i = 0; i < columns_.size(); ++i) {
    Column& column = columns_[i];
    MYSQL_BIND& bind = binds_[i] = {};
    if (column.sizes.empty()) {
      bind.buffer_type = MYSQL_TYPE_LONGLONG;
      bind.is_unsigned = column.is_unsigned ? 1 : 0;
      bind.buffer = column.numbers.data();
      continue;
    }
    char* start = column.text.data();
    for (const unsigned long size : column.sizes) {
      column.starts.push_back(start);
      start += size;
    }
    bind.buffer_type = MYSQL_TYPE_STRING;
    bind.buffer = static_cast<void*>(column.starts.data());
    bind.length = column.sizes.data();
  }
  return &binds_;
}

}  // namespace waltax::mariadb
