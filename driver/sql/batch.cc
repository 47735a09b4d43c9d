#include "driver/sql/batch.h"

#include <algorithm>

namespace waltax::mariadb {

Batch::Column* Batch::Next(Kind kind) {
  if (next_ == columns_.size()) {
    overfull_ = true;
    return nullptr;
  }
  Column& column = columns_[next_++];
  if (kind == Kind::kUnknown || column.kind == kind) return &column;
  if (column.kind == Kind::kUnknown) {
    column.kind = kind;
    // Sets before this one have NULL there.
    if (kind == Kind::kText) {
      column.sizes.assign(sets_ - 1, 0);
    } else {
      column.numbers.assign(sets_ - 1, 0);
    }
    return &column;
  }
  column.mixed = true;
  return nullptr;
}

void Batch::AddNumber(int64_t value, bool is_unsigned) {
  Column* column = Next(is_unsigned ? Kind::kUnsigned : Kind::kSigned);
  if (column == nullptr) return;
  column->numbers.push_back(value);
  column->indicators.push_back(STMT_INDICATOR_NONE);
}

void Batch::Add(std::string_view value) {
  Column* column = Next(Kind::kText);
  if (column == nullptr) return;
  column->text.append(value);
  column->sizes.push_back(value.size());
  column->indicators.push_back(STMT_INDICATOR_NONE);
}

void Batch::Add(Null /*value*/) {
  Column* column = Next(Kind::kUnknown);
  if (column == nullptr) return;
  if (column->kind == Kind::kText) {
    column->sizes.push_back(0);
  } else if (column->kind != Kind::kUnknown) {
    column->numbers.push_back(0);
  }
  column->indicators.push_back(STMT_INDICATOR_NULL);
}

bool Batch::IsWhole() const {
  if (overfull_) return false;
  return std::all_of(columns_.begin(), columns_.end(), [&](const Column& c) {
    return !c.mixed && c.indicators.size() == sets_;
  });
}

void Batch::Clear() {
  sets_ = 0;
  next_ = 0;
  overfull_ = false;
  for (Column& column : columns_) {
    column.kind = Kind::kUnknown;
    column.mixed = false;
    column.numbers.clear();
    column.text.clear();
    column.sizes.clear();
    column.indicators.clear();
  }
}

MYSQL_BIND Batch::BindOf(Column* column) const {
  MYSQL_BIND bind{};
  bind.u.indicator = column->indicators.data();
  if (column->kind != Kind::kText) {
    // A column of NULLs alone is sent as numbers.
    column->numbers.resize(sets_);
    bind.buffer_type = MYSQL_TYPE_LONGLONG;
    bind.is_unsigned = column->kind == Kind::kUnsigned ? 1 : 0;
    bind.buffer = column->numbers.data();
    return bind;
  }
  column->starts.clear();
  char* start = column->text.data();
  for (const unsigned long size : column->sizes) {
    column->starts.push_back(start);
    start += size;
  }
  bind.buffer_type = MYSQL_TYPE_STRING;
  bind.buffer = static_cast<void*>(column->starts.data());
  bind.length = column->sizes.data();
  return bind;
}

std::vector<MYSQL_BIND>* Batch::Binds() {
  binds_.clear();
  for (Column& column : columns_) binds_.push_back(BindOf(&column));
  return &binds_;
}

}  // namespace waltax::mariadb
