#include "workloads/mix/kv/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/rocksdb/status.h"

namespace waltax::mix {
namespace {

rocksdb::Status Garbled() {
  return rocksdb::Status::Corruption("mix", "a value is no row of its table");
}

TransactionLoop LoopOf(RocksdbEngine& engine, uint64_t seed) {
  const rocksdb::WriteOptions& options = engine.write_options();
  if (engine.optimistic() != nullptr) {
    return {engine.optimistic(), options, kMaxRetries, seed};
  }
  return {engine.db(), options, kMaxRetries, seed};
}

}  // namespace

std::unique_ptr<Session> KvStore::NewSession(uint64_t seed) {
  return std::make_unique<KvSession>(this, seed);
}

KvSession::KvSession(KvStore* store, uint64_t seed)
    : StepSession(store->values_),
      store_(*store),
      codec_(store->codec_),
      loop_(LoopOf(store->engine_, seed)) {
  Compile();
}

void KvSession::Compile() {
  for (const Operation& operation : mix_.operations) {
    std::vector<Compiled>& all = compiled_.emplace_back();
    for (const Step& step : operation.steps) {
      CompileStep(step, operation.commit == Commit::kEach, &all.emplace_back());
      all.back().last = step.rows == 1 && &step == &operation.steps.back();
    }
  }
}

void KvSession::CompileStep(const Step& step, bool alone, Compiled* compiled) {
  const Table& table = mix_.tables[step.table];
  compiled->plain = alone && store_.engine_.db() != nullptr &&
                    (step.verb == Verb::kInsert ||
                     (step.verb == Verb::kPut && table.indexes.empty()));
  for (size_t i = 0; i < table.indexes.size(); ++i) {
    const bool changed = std::any_of(
        table.indexes[i].columns.begin(), table.indexes[i].columns.end(),
        [&](size_t column) {
          const auto is = [column](const Assignment& each) {
            return each.column == column;
          };
          return std::any_of(step.set.begin(), step.set.end(), is) ||
                 std::any_of(step.add.begin(), step.add.end(), is);
        });
    if (step.verb != Verb::kUpdate || changed) compiled->indexes.push_back(i);
  }
  old_entries_.resize(std::max(old_entries_.size(), table.indexes.size()));
  if (step.verb != Verb::kScan) return;
  rocksdb::ReadOptions options;
  // Nothing here deletes ranges; not looking for them makes Refresh() cheap.
  options.ignore_range_deletions = true;
  options.total_order_seek = true;
  const Scan& scan = step.scan;
  compiled->rows.reset(store_.engine_.base()->NewIterator(
      options, store_.family(step.table, scan.index)));
  if (scan.index == kNone || step.columns.empty()) return;
  compiled->covered =
      std::all_of(step.columns.begin(), step.columns.end(), [&](size_t column) {
        return Has(table.indexes[scan.index].columns, column) ||
               Has(table.key.columns, column);
      });
}

std::optional<StepSession::Failure> KvSession::CommitSteps(
    const Operation& operation, const Request& request, size_t first,
    size_t end, MixReply* reply) {
  std::vector<Compiled>& compiled = compiled_[request.operation];
  const rocksdb::WriteOptions& options = store_.engine_.write_options();
  const bool alone = operation.commit == Commit::kEach;
  const MixReply before = *reply;
  const auto attempt = [&] {
    *reply = before;
    held_table_ = kNone;
    rocksdb::Status done;
    for (size_t i = first; i < end && done.ok(); ++i) {
      written_[i] = 0;
      done = Do({{values_, operation, request, operation.steps[i]},
                 compiled[i],
                 written_[i]},
                reply);
    }
    return done;
  };
  rocksdb::Status status;
  if (alone && !operation.steps[first].writes()) {
    status = attempt();
  } else if (alone && compiled[first].plain) {
    batch_.Clear();
    status = attempt();
    if (status.ok()) {
      status = WriteUnlocked(store_.engine_.db(), options, &batch_);
    }
  } else {
    Conflicts conflicts = before.conflicts;
    status = loop_.Run(
        [&] {
          rocksdb::Status done = attempt();
          if (!done.ok() || operation.commit != Commit::kTwoPhase ||
              loop_.batch().Count() == 0 || options.disableWAL) {
            return done;
          }
          // A prepared transaction outlives its process, and so does its name.
          return loop_.Prepare(fmt::format("waltax-{}", ++store_.prepared_));
        },
        &conflicts);
    reply->conflicts = conflicts;
  }
  if (!status.ok()) return Failure{status.ToString(), IsFatal(status)};
  for (const uint32_t rows : written_) reply->changed |= rows > 0;
  return std::nullopt;
}

rocksdb::Status KvSession::Do(const At& at, MixReply* reply) {
  if (at.step.verb != Verb::kUpdate) held_table_ = kNone;
  switch (at.step.verb) {
    case Verb::kGet:
      return Get(at, reply);
    case Verb::kScan:
      return ScanRows(at, reply);
    case Verb::kInsert:
    case Verb::kPut:
      return Write(at);
    case Verb::kUpdate:
    case Verb::kDelete:
      break;
  }
  return Change(at, reply);
}

rocksdb::Status KvSession::ReadKey(size_t table, std::string_view key,
                                   uint64_t number, bool* found) {
  pinned_.Reset();
  const rocksdb::Status status = store_.engine_.base()->Get(
      read_options_, store_.family(table), key, &pinned_);
  *found = status.ok();
  if (status.IsNotFound()) return {};
  if (!status.ok()) return status;
  return codec_.DecodeValue(table, number, pinned_.ToStringView(), &read_)
             ? status
             : Garbled();
}

rocksdb::Status KvSession::Read(size_t table, uint64_t number, bool* found) {
  codec_.EncodeKey(table, number, &key_);
  return ReadKey(table, key_, number, found);
}

rocksdb::Status KvSession::Get(const At& at, MixReply* reply) {
  const auto [rows, count] = at.rows();
  if (count > 1 && !at.step.one_by_one && !at.step.lock) {
    return MultiGet(at, reply);
  }
  rocksdb::Status status;
  for (size_t i = 0; i < count && status.ok(); ++i) {
    bool found = false;
    status = at.step.lock ? Lock(at, rows[i], &found)
                          : Read(at.step.table, rows[i], &found);
    if (at.step.lock && found) {
      held_ = key_;
      held_table_ = at.step.table;
    }
    ++(found ? reply->found_rows : reply->missing);
  }
  return status;
}

rocksdb::Status KvSession::MultiGet(const At& at, MixReply* reply) {
  const auto [rows, count] = at.rows();
  if (keys_.size() < count) {
    keys_.resize(count);
    slices_.resize(count);
    pinned_all_ = std::vector<rocksdb::PinnableSlice>(count);
    statuses_.resize(count);
  }
  for (size_t i = 0; i < count; ++i) {
    codec_.EncodeKey(at.step.table, rows[i], &keys_[i]);
    slices_[i] = keys_[i];
    pinned_all_[i].Reset();
  }
  store_.engine_.base()->MultiGet(read_options_, store_.family(at.step.table),
                                  count, slices_.data(), pinned_all_.data(),
                                  statuses_.data());
  for (size_t i = 0; i < count; ++i) {
    if (statuses_[i].IsNotFound()) {
      ++reply->missing;
      continue;
    }
    if (!statuses_[i].ok()) return statuses_[i];
    if (!codec_.DecodeValue(at.step.table, rows[i],
                            pinned_all_[i].ToStringView(), &read_)) {
      return Garbled();
    }
    ++reply->found_rows;
  }
  return {};
}

void KvSession::EncodeStart(const At& at) {
  const Scan& scan = at.step.scan;
  prefix_.clear();
  if (scan.from == kNone) return;
  if (!scan.equal) {
    codec_.EncodeKey(at.step.table, at.first_row(), &prefix_);
    return;
  }
  Codec::AppendOrdered(at.table().columns[at.scanned_column()],
                       at.scanned_value(&row_), &prefix_);
}

rocksdb::Status KvSession::ScanRows(const At& at, MixReply* reply) {
  const Scan& scan = at.step.scan;
  rocksdb::Iterator& rows = *at.compiled.rows;
  rocksdb::Status status = rows.Refresh();
  EncodeStart(at);
  if (scan.equal && scan.descending) {
    // Behind all that begin so; no key has this byte there.
    entry_ = prefix_;
    entry_.append(16, '\xff');
    rows.SeekForPrev(entry_);
  } else if (scan.descending) {
    prefix_.empty() ? rows.SeekToLast() : rows.SeekForPrev(prefix_);
  } else {
    prefix_.empty() ? rows.SeekToFirst() : rows.Seek(prefix_);
  }
  const uint64_t limit = at.limit();
  const bool wants_number = !at.table().key.columns.empty();
  uint64_t left = limit == 0 ? UINT64_MAX : limit;
  for (; left > 0 && status.ok() && rows.Valid(); --left) {
    if (scan.equal && !rows.key().starts_with(prefix_)) break;
    const std::string_view key = rows.key().ToStringView();
    uint64_t number = 0;
    bool found = true;
    if (scan.index == kNone) {
      const bool is_row =
          (!wants_number || codec_.DecodeKey(at.step.table, key, &number)) &&
          codec_.DecodeValue(at.step.table, number, rows.value().ToStringView(),
                             &read_);
      if (!is_row) return Garbled();
    } else if (!at.compiled.covered) {
      const size_t bytes = codec_.KeyBytes(at.step.table);
      if (key.size() < bytes) return Garbled();
      const std::string_view of_row = key.substr(key.size() - bytes);
      if (!codec_.DecodeKey(at.step.table, of_row, &number)) return Garbled();
      status = ReadKey(at.step.table, of_row, number, &found);
    }
    reply->rows += found ? 1 : 0;
    scan.descending ? rows.Prev() : rows.Next();
  }
  return status.ok() ? rows.status() : status;
}

rocksdb::Status KvSession::PutEntries(const At& at, uint64_t number) {
  rocksdb::Status status;
  for (const size_t index : at.compiled.indexes) {
    codec_.EncodeEntry(at.step.table, index, number, row_, &entry_);
    status = Unlocked(at).Put(store_.family(at.step.table, index), entry_,
                              rocksdb::Slice());
    if (!status.ok()) break;
  }
  return status;
}

rocksdb::Status KvSession::DeleteEntries(const At& at, uint64_t number) {
  rocksdb::Status status;
  for (const size_t index : at.compiled.indexes) {
    if (!status.ok()) break;
    codec_.EncodeEntry(at.step.table, index, number, row_, &entry_);
    status = loop_.batch().Delete(store_.family(at.step.table, index), entry_);
  }
  return status;
}

rocksdb::Status KvSession::Lock(const At& at, uint64_t number, bool* found) {
  codec_.EncodeKey(at.step.table, number, &key_);
  *found = held_table_ == at.step.table && held_ == key_;
  held_table_ = kNone;
  if (*found) return {};
  const rocksdb::Status status = loop_.transaction().GetForUpdate(
      read_options_, store_.family(at.step.table), key_, &value_);
  *found = status.ok();
  if (status.IsNotFound()) return {};
  if (!status.ok()) return status;
  return codec_.DecodeValue(at.step.table, number, value_, &row_) ? status
                                                                  : Garbled();
}

rocksdb::Status KvSession::Write(const At& at) {
  const bool put = at.step.verb == Verb::kPut;
  rocksdb::ColumnFamilyHandle* const family = store_.family(at.step.table);
  rocksdb::Status status;
  for (size_t i = 0; i < at.step.most() && status.ok(); ++i) {
    const uint64_t number = at.written_row(i);
    bool old = false;
    if (put && !at.compiled.indexes.empty()) status = Lock(at, number, &old);
    if (status.ok() && old) status = DeleteEntries(at, number);
    if (!status.ok()) break;
    at.MakeRow(i, &row_);
    codec_.EncodeKey(at.step.table, number, &key_);
    codec_.EncodeValue(at.step.table, row_, &value_);
    // The key of an insert is new, so that there is nothing to lock.
    status = put && !at.compiled.plain
                 ? loop_.transaction().Put(family, key_, value_)
                 : Unlocked(at).Put(family, key_, value_);
    if (status.ok()) status = PutEntries(at, number);
    ++at.written;
  }
  return status;
}

rocksdb::Status KvSession::Change(const At& at, MixReply* reply) {
  const auto [rows, count] = at.rows();
  rocksdb::Status status;
  for (size_t i = 0; i < count && status.ok(); ++i) {
    bool found = false;
    status = Lock(at, rows[i], &found);
    ++(found ? reply->found_rows : reply->missing);
    if (!status.ok() || !found) continue;
    status =
        at.step.verb == Verb::kUpdate ? Update(at, i) : Delete(at, rows[i]);
    ++at.written;
  }
  return status;
}

rocksdb::Status KvSession::Update(const At& at, size_t turn) {
  const uint64_t number = at.written_row(turn);
  for (const size_t index : at.compiled.indexes) {
    codec_.EncodeEntry(at.step.table, index, number, row_,
                       &old_entries_[index]);
  }
  at.SetColumns(turn, &row_, [](size_t /*column*/) {});
  for (const Assignment& each : at.step.add) {
    row_.cells[each.column].number += at.number(each.value, 0);
  }
  codec_.EncodeValue(at.step.table, row_, &entry_);
  // It is read again where the same operation changes the row once more.
  rocksdb::ColumnFamilyHandle* const rows_of = store_.family(at.step.table);
  rocksdb::Status status =
      at.compiled.last ? loop_.batch().Put(rows_of, key_, entry_)
                       : loop_.transaction().Put(rows_of, key_, entry_,
                                                 /*assume_tracked=*/true);
  for (const size_t index : at.compiled.indexes) {
    codec_.EncodeEntry(at.step.table, index, number, row_, &entry_);
    if (!status.ok() || entry_ == old_entries_[index]) continue;
    rocksdb::ColumnFamilyHandle* const family =
        store_.family(at.step.table, index);
    status = loop_.batch().Delete(family, old_entries_[index]);
    if (status.ok()) {
      status = loop_.batch().Put(family, entry_, rocksdb::Slice());
    }
  }
  return status;
}

rocksdb::Status KvSession::Delete(const At& at, uint64_t number) {
  const rocksdb::Status status =
      loop_.transaction().Delete(store_.family(at.step.table), key_,
                                 /*assume_tracked=*/true);
  return status.ok() ? DeleteEntries(at, number) : status;
}

}  // namespace waltax::mix
