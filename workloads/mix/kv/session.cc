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
    : store_(*store),
      values_(store->values_),
      codec_(store->codec_),
      mix_(store->values_.mix()),
      loop_(LoopOf(store->engine_, seed)) {
  Compile();
}

void KvSession::Compile() {
  size_t steps = 0;
  for (const Operation& operation : mix_.operations) {
    std::vector<Compiled>& all = compiled_.emplace_back();
    for (const Step& step : operation.steps) {
      CompileStep(step, operation.commit == Commit::kEach, &all.emplace_back());
      all.back().last = step.rows == 1 && &step == &operation.steps.back();
    }
    steps = std::max(steps, operation.steps.size());
  }
  written_.resize(steps);
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

MixReply KvSession::Execute(const Request& request) {
  const Operation& operation = mix_.operations[request.operation];
  std::vector<Compiled>& compiled = compiled_[request.operation];
  const auto at = [&](size_t i) {
    return At{operation, request, operation.steps[i], compiled[i], written_[i]};
  };
  MixReply reply;
  rocksdb::Status status;
  std::fill(written_.begin(), written_.end(), 0);
  held_table_ = kNone;
  if (operation.commit == Commit::kEach) {
    for (size_t i = 0; i < operation.steps.size() && status.ok(); ++i) {
      status = DoAlone(at(i), &reply);
    }
    return Finish(request, status, reply);
  }
  Conflicts conflicts;
  status = loop_.Run(
      [&] {
        reply = {};
        held_table_ = kNone;
        std::fill(written_.begin(), written_.end(), 0);
        rocksdb::Status done;
        for (size_t i = 0; i < operation.steps.size() && done.ok(); ++i) {
          done = Do(at(i), &reply);
        }
        if (!done.ok() || operation.commit != Commit::kTwoPhase ||
            loop_.batch().Count() == 0 ||
            store_.engine_.write_options().disableWAL) {
          return done;
        }
        // A prepared transaction outlives its process, and so does its name.
        return loop_.Prepare(fmt::format("waltax-{}", ++store_.prepared_));
      },
      &conflicts);
  reply.conflicts = conflicts;
  return Finish(request, status, reply);
}

MixReply KvSession::Finish(const Request& request,
                           const rocksdb::Status& status, MixReply reply) {
  if (!status.ok()) {
    return GivenUp(mix_.operations[request.operation].name, status.ToString(),
                   IsFatal(status), reply);
  }
  for (const uint32_t rows : written_) reply.changed |= rows > 0;
  return reply;
}

rocksdb::Status KvSession::DoAlone(const At& at, MixReply* reply) {
  if (!at.step.writes()) return Do(at, reply);
  if (at.compiled.plain) {
    batch_.Clear();
    const rocksdb::Status filled = Do(at, reply);
    return filled.ok() ? WriteUnlocked(store_.engine_.db(),
                                       store_.engine_.write_options(), &batch_)
                       : filled;
  }
  const MixReply before = *reply;
  Conflicts conflicts = before.conflicts;
  const rocksdb::Status status = loop_.Run(
      [&] {
        *reply = before;
        at.written = 0;
        return Do(at, reply);
      },
      &conflicts);
  reply->conflicts = conflicts;
  return status;
}

rocksdb::Status KvSession::Do(const At& at, MixReply* reply) {
  if (at.step.verb != Verb::kUpdate) held_table_ = kNone;
  switch (at.step.verb) {
    case Verb::kGet:
      return Get(at, reply);
    case Verb::kScan:
      return ScanRows(at, reply);
    case Verb::kInsert:
      return Insert(at);
    case Verb::kPut:
      return Put(at);
    case Verb::kUpdate:
      return Update(at, reply);
    case Verb::kDelete:
      return Delete(at, reply);
  }
  return {};
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
  const auto [rows, count] = RowsOf(at.operation, at.step, at.request);
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
  const auto [rows, count] = RowsOf(at.operation, at.step, at.request);
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
  const size_t number = at.operation.draws[scan.from].at;
  if (!scan.equal) {
    codec_.EncodeKey(at.step.table, at.request.drawn[number], &prefix_);
    return;
  }
  const Table& table = mix_.tables[at.step.table];
  Codec::AppendOrdered(
      table.columns[FirstOf(table, scan)],
      ValueOfScan(values_, at.operation, at.step, at.request, &row_), &prefix_);
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
  const uint64_t limit = LimitOf(at.operation, at.step, at.request);
  const Table& table = mix_.tables[at.step.table];
  const bool wants_number = scan.below > 0 || !table.key.columns.empty();
  uint64_t left = limit == 0 ? UINT64_MAX : limit;
  for (; left > 0 && status.ok() && rows.Valid(); --left) {
    if (scan.equal && !rows.key().starts_with(prefix_)) break;
    const std::string_view key = rows.key().ToStringView();
    uint64_t number = 0;
    bool found = true;
    if (scan.index == kNone) {
      const bool is_key =
          !wants_number || codec_.DecodeKey(at.step.table, key, &number);
      if (is_key && scan.below > 0 && number >= scan.below) break;
      if (!is_key || !codec_.DecodeValue(at.step.table, number,
                                         rows.value().ToStringView(), &read_)) {
        return Garbled();
      }
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

void KvSession::Assign(const At& at, uint64_t number, size_t turn,
                       uint64_t stamp) {
  for (const Assignment& each : at.step.set) {
    const auto place = static_cast<size_t>(&each - at.step.set.data());
    if (!Picks(at.operation, at.step, at.request, place)) continue;
    if (each.value.kind == Value::Kind::kNew) {
      values_.Renew(at.step.table, each.column, number, stamp, &row_);
    } else {
      row_.cells[each.column].number =
          NumberOf(values_, at.operation, at.request, each.value, turn);
    }
  }
  for (const Assignment& each : at.step.add) {
    row_.cells[each.column].number +=
        NumberOf(values_, at.operation, at.request, each.value, 0);
  }
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

rocksdb::Status KvSession::Insert(const At& at) {
  const auto place = static_cast<size_t>(&at.step - at.operation.steps.data());
  const uint64_t first = at.request.inserted[place];
  rocksdb::Status status;
  for (size_t i = 0; i < at.step.batch && status.ok(); ++i) {
    const uint64_t number = first + i;
    values_.Make(at.step.table, number, kLoaded, &row_);
    Assign(at, number, i, kLoaded);
    codec_.EncodeKey(at.step.table, number, &key_);
    codec_.EncodeValue(at.step.table, row_, &value_);
    // Its key is new, so that there is nothing to lock.
    status = Unlocked(at).Put(store_.family(at.step.table), key_, value_);
    if (status.ok()) status = PutEntries(at, number);
    ++at.written;
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

rocksdb::Status KvSession::Put(const At& at) {
  const auto [rows, count] = RowsOf(at.operation, at.step, at.request);
  rocksdb::ColumnFamilyHandle* const family = store_.family(at.step.table);
  rocksdb::Status status;
  for (size_t i = 0; i < count && status.ok(); ++i) {
    bool old = false;
    if (!at.compiled.indexes.empty()) status = Lock(at, rows[i], &old);
    if (status.ok() && old) status = DeleteEntries(at, rows[i]);
    if (!status.ok()) break;
    values_.Make(at.step.table, rows[i], at.request.stamp, &row_);
    Assign(at, rows[i], i, at.request.stamp);
    codec_.EncodeKey(at.step.table, rows[i], &key_);
    codec_.EncodeValue(at.step.table, row_, &value_);
    status = at.compiled.plain ? batch_.Put(family, key_, value_)
                               : loop_.transaction().Put(family, key_, value_);
    if (status.ok()) status = PutEntries(at, rows[i]);
    ++at.written;
  }
  return status;
}

rocksdb::Status KvSession::Update(const At& at, MixReply* reply) {
  const auto [rows, count] = RowsOf(at.operation, at.step, at.request);
  rocksdb::Status status;
  for (size_t i = 0; i < count && status.ok(); ++i) {
    bool found = false;
    status = Lock(at, rows[i], &found);
    ++(found ? reply->found_rows : reply->missing);
    if (!status.ok() || !found) continue;
    for (const size_t index : at.compiled.indexes) {
      codec_.EncodeEntry(at.step.table, index, rows[i], row_,
                         &old_entries_[index]);
    }
    Assign(at, rows[i], i, at.request.stamp);
    codec_.EncodeValue(at.step.table, row_, &entry_);
    // It is read again where the same operation changes the row once more.
    rocksdb::ColumnFamilyHandle* const rows_of = store_.family(at.step.table);
    status = at.compiled.last
                 ? loop_.batch().Put(rows_of, key_, entry_)
                 : loop_.transaction().Put(rows_of, key_, entry_,
                                           /*assume_tracked=*/true);
    for (const size_t index : at.compiled.indexes) {
      codec_.EncodeEntry(at.step.table, index, rows[i], row_, &entry_);
      if (!status.ok() || entry_ == old_entries_[index]) continue;
      rocksdb::ColumnFamilyHandle* const family =
          store_.family(at.step.table, index);
      status = loop_.batch().Delete(family, old_entries_[index]);
      if (status.ok()) {
        status = loop_.batch().Put(family, entry_, rocksdb::Slice());
      }
    }
    ++at.written;
  }
  return status;
}

rocksdb::Status KvSession::Delete(const At& at, MixReply* reply) {
  const auto [rows, count] = RowsOf(at.operation, at.step, at.request);
  rocksdb::Status status;
  for (size_t i = 0; i < count && status.ok(); ++i) {
    bool found = false;
    status = Lock(at, rows[i], &found);
    ++(found ? reply->found_rows : reply->missing);
    if (!status.ok() || !found) continue;
    status = loop_.transaction().Delete(store_.family(at.step.table), key_,
                                        /*assume_tracked=*/true);
    if (status.ok()) status = DeleteEntries(at, rows[i]);
    ++at.written;
  }
  return status;
}

}  // namespace waltax::mix
