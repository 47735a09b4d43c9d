#include "workloads/mix/store.h"

#include <algorithm>

namespace waltax::mix {

int64_t RequestStep::number(const Value& value, size_t turn) const {
  if (value.kind == Value::Kind::kNumber) return value.number;
  const Draw& draw = operation.draws[value.draw];
  const uint64_t drawn =
      request.drawn[draw.at + std::min(turn, draw.count - 1)];
  const auto number = static_cast<int64_t>(
      draw.is_row() ? values.KeyOf(draw.table, drawn) : drawn);
  return value.negative ? -number : number;
}

Cell RequestStep::scanned_value(Row* row) const {
  const size_t column = scanned_column();
  const Draw& draw = operation.draws[step.scan.from];
  if (draw.table != step.table ||
      table().columns[column].references == step.table) {
    return {number({Value::Kind::kDraw, 0, step.scan.from, false}, 0), {}};
  }
  // Of a row of the table itself, what it had when it was loaded.
  if (table().columns[column].type == Type::kInt) {
    return {values.Initial(step.table, column, first_row()), {}};
  }
  values.Renew(step.table, column, first_row(), kLoaded, row);
  return row->cells[column];
}

void RequestStep::MakeRow(size_t turn, Row* row) const {
  const bool put = step.verb == Verb::kPut;
  values.Make(step.table, written_row(turn), put ? request.stamp : kLoaded,
              row);
  // New texts are there already.
  for (const Assignment& each : step.set) {
    if (each.value.kind == Value::Kind::kNew) continue;
    row->cells[each.column].number = number(each.value, turn);
  }
}

}  // namespace waltax::mix
