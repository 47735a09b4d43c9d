#include "workloads/mix/store.h"

#include <algorithm>

namespace waltax::mix {

int64_t RequestStep::number(size_t draw, size_t turn) const {
  const Draw& of = operation.draws[draw];
  const uint64_t drawn = request.drawn[of.at + std::min(turn, of.count - 1)];
  return static_cast<int64_t>(of.is_row() ? values.KeyOf(of.table, drawn)
                                          : drawn);
}

Cell RequestStep::scanned_value(Row* row) const {
  const Scan& scan = step.scan;
  if (!scan.of_row) return {number(scan.from, 0), {}};
  if (table().columns[scan.column].type == Type::kInt) {
    return {values.Initial(step.table, scan.column, drawn(scan.from)), {}};
  }
  values.Renew(step.table, scan.column, drawn(scan.from), kLoaded, row);
  return row->cells[scan.column];
}

void RequestStep::MakeRow(size_t turn, Row* row) const {
  const bool put = step.verb == Verb::kPut;
  values.Make(step.table, written_row(turn), put ? request.stamp : kLoaded,
              row);
  // New texts are there already.
  for (const Assignment& each : step.set) {
    if (table().columns[each.column].type != Type::kInt) continue;
    row->cells[each.column].number = number(each, turn);
  }
}

}  // namespace waltax::mix
