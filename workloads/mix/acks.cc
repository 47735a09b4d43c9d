#include "workloads/mix/acks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "workloads/mix/check.h"

namespace waltax::mix {
namespace {

constexpr size_t kBeforeDrawn = 2;  // numbers of a line

bool Renews(const RequestStep& at, size_t column) {
  if (at.step.verb != Verb::kUpdate) return at.step.verb == Verb::kPut;
  for (size_t i = 0; i < at.step.set.size(); ++i) {
    if (at.step.set[i].column == column && at.picks(i)) return true;
  }
  return false;
}

}  // namespace

Status Begin(const Request& request, AckLog* log) {
  std::vector<uint64_t> numbers = {request.stamp, request.operation};
  numbers.insert(numbers.end(), request.drawn.begin(), request.drawn.end());
  numbers.insert(numbers.end(), request.inserted.begin(),
                 request.inserted.end());
  return log->Begin(numbers);
}

Status ReadRequestLog(const std::string& path, const Mix& mix,
                      std::vector<LoggedRequest>* requests) {
  requests->clear();
  std::vector<AckedWrite> logged;
  const AckFormat format = {
      .holds = "a request of this mix that begins or is committed",
      .acknowledged = 1,
      .begun = kBeforeDrawn + mix.most_values + mix.most_steps};
  const Status status = ReadAckedWrites(path, format, &logged);
  for (const AckedWrite& each : logged) {
    const auto drawn = each.begun.begin() + kBeforeDrawn;
    const auto inserted = drawn + static_cast<ptrdiff_t>(mix.most_values);
    if (each.begun[1] >= mix.operations.size()) {
      return Status::Usage(fmt::format(
          "--acks: found {}, which is of another mix, want that of --file",
          path));
    }
    requests->push_back({each,
                         {each.begun[1],
                          {drawn, inserted},
                          each.begun[0],
                          {inserted, each.begun.end()}}});
  }
  return status;
}

AckCheck::AckCheck(const Values& values, const std::vector<LoggedRequest>& log)
    : values_(values), mix_(values.mix()), rows_(mix_.tables.size()) {
  for (const LoggedRequest& each : log) {
    if (each.end) ++acknowledged_;
    const Operation& operation = mix_.operations[each.request.operation];
    for (const Step& step : operation.steps) {
      const Table& table = mix_.tables[step.table];
      // Where one may put what another inserts, the last of them is not known.
      if (!step.writes() || (table.inserted && table.put)) continue;
      const RequestStep at = {values_, operation, each.request, step};
      for (size_t k = 0; k < step.most(); ++k) {
        rows_[step.table][at.written_row(k)].push_back({at, &each});
      }
    }
  }
}

void AckCheck::See(size_t table, uint64_t number, const Row& row) {
  const auto node = rows_[table].extract(number);
  if (node.empty()) return;
  const Writes& writes = node.mapped();
  const Table& of = mix_.tables[table];
  bool deleted = false;
  const Write* told = nullptr;  // the first delete that was acknowledged
  for (const Write& each : writes) {
    // A run gives numbers again whose rows had been deleted when it began.
    if (each.at.step.verb == Verb::kInsert) told = nullptr;
    if (each.at.step.verb != Verb::kDelete) continue;
    deleted = true;
    if (told == nullptr && each.of->end) told = &each;
  }
  if (told != nullptr && !of.put) {
    Lose(*told, number, "it was deleted and is there");
  }
  if (deleted) return;
  for (size_t i = 0; i < of.columns.size(); ++i) {
    if (of.columns[i].type != Type::kInt) {
      CheckText(table, i, number, row.cells[i].text, writes);
    } else if (of.columns[i].changes.raised) {
      CheckSum(table, i, number, row.cells[i].number, writes);
    }
  }
}

void AckCheck::CheckText(size_t table, size_t column, uint64_t number,
                         std::string_view text, const Writes& writes) {
  std::optional<uint64_t> end = 0;  // of the write whose text is there
  for (auto each = writes.rbegin(); each != writes.rend(); ++each) {
    if (!Renews(each->at, column)) continue;
    values_.Renew(table, column, number, each->of->request.stamp, &row_);
    if (row_.cells[column].text != text) continue;
    end = each->of->end;
    break;
  }
  if (!end) return;  // nothing began after it ended
  for (const Write& each : writes) {
    if (Renews(each.at, column) && each.of->begin >= *end) {
      Lose(each, number, mix_.tables[table].columns[column].name + " is older");
    }
  }
}

// What was not acknowledged can only be more.
void AckCheck::CheckSum(size_t table, size_t column, uint64_t number,
                        int64_t value, const Writes& writes) {
  int64_t missing = values_.Initial(table, column, number) - value;
  for (const Write& each : writes) {
    if (each.of->end) missing += AddedBy(each, column);
  }
  for (auto each = writes.rbegin(); each != writes.rend() && missing > 0;
       ++each) {
    const int64_t added = AddedBy(*each, column);
    if (!each->of->end || added == 0) continue;
    missing -= added;
    Lose(*each, number,
         mix_.tables[table].columns[column].name + " lacks what was added");
  }
}

int64_t AckCheck::AddedBy(const Write& write, size_t column) {
  int64_t sum = 0;
  for (const Assignment& each : write.at.step.add) {
    if (each.column == column) sum += write.at.number(each.value, 0);
  }
  return sum;
}

void AckCheck::Lose(const Write& write, uint64_t row,
                    std::string_view sentence) {
  if (!write.of->end) return;
  const uint64_t number = write.of->number;
  lost_.try_emplace(
      number, fmt::format("acknowledged: {}: row {}: {}, request {}",
                          mix_.tables[write.at.step.table].name, row, sentence,
                          number));
}

void AckCheck::Tell(Findings* findings) {
  for (const auto& rows : rows_) {
    for (const auto& [row, writes] : rows) {
      if (std::any_of(writes.begin(), writes.end(), [](const Write& each) {
            return each.at.step.verb == Verb::kDelete;
          })) {
        continue;
      }
      for (const Write& each : writes) {
        if (each.at.step.verb != Verb::kUpdate)
          Lose(each, row, "it is missing");
      }
    }
  }
  findings->Acknowledged(acknowledged_);
  for (auto& [number, sentence] : lost_) {
    findings->Lost(number, std::move(sentence));
  }
}

}  // namespace waltax::mix
