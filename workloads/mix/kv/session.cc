#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/rocksdb/status.h"
#include "workloads/mix/kv/store.h"

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

// One client of a mix on RocksDB.
class KvSession : public StepSession<rocksdb::Status> {
 public:
  KvSession(KvStore* store, uint64_t seed)
      : StepSession(store->values_),
        store_(*store),
        codec_(store->codec_),
        loop_(LoopOf(store->engine_, seed)) {
    rocksdb::ReadOptions options;
    // Nothing here deletes ranges; not looking for them makes Refresh() cheap.
    options.ignore_range_deletions = true;
    options.total_order_seek = true;
    for (const Operation& operation : mix_.operations) {
      for (const Step& step : operation.steps) {
        scans_.resize(std::max(scans_.size(), step.place + 1));
        if (step.verb != Verb::kScan) continue;
        scans_[step.place].reset(store_.engine_.base()->NewIterator(
            options, store_.family(step.table, step.scan.index)));
      }
    }
    for (const Table& table : mix_.tables) {
      old_entries_.resize(std::max(old_entries_.size(), table.indexes.size()));
    }
  }

 private:
  rocksdb::Status CommitSteps(const Operation& operation, const Step& first,
                              Conflicts* conflicts) override {
    const rocksdb::WriteOptions& options = store_.engine_.write_options();
    if (operation.commit == Commit::kEach && !first.writes()) return Attempt();
    if (first.unlocked) {
      batch_.Clear();
      const rocksdb::Status done = Attempt();
      return done.ok() ? WriteUnlocked(store_.engine_.db(), options, &batch_)
                       : done;
    }
    return loop_.Run(
        [&] {
          held_table_ = kNone;
          rocksdb::Status done = Attempt();
          if (!done.ok() || operation.commit != Commit::kTwoPhase ||
              loop_.batch().Count() == 0 || options.disableWAL) {
            return done;
          }
          // A prepared transaction outlives its process, and so does its name.
          return loop_.Prepare(fmt::format("waltax-{}", ++store_.prepared_));
        },
        conflicts);
  }
  std::string Explain(const rocksdb::Status& status, bool* fatal) override {
    *fatal = IsFatal(status);
    return status.ToString();
  }
  rocksdb::Status Get(const RequestStep& at) override {
    const auto [rows, count] = at.rows();
    if (count > 1 && !at.step.one_by_one && !at.step.lock) return MultiGet(at);
    rocksdb::Status status;
    for (size_t i = 0; i < count && status.ok(); ++i) {
      bool found = false;
      if (at.step.lock) {
        status = Lock(at, rows[i], &found);
        held_ = key_;
        held_table_ = found ? at.step.table : kNone;
      } else {
        codec_.EncodeKey(at.step.table, rows[i], &key_);
        status = Read(at.step.table, key_, rows[i], &found);
      }
      Count(at, found);
    }
    return status;
  }
  rocksdb::Status MultiGet(const RequestStep& at) {
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
      const bool found = !statuses_[i].IsNotFound();
      if (found && !statuses_[i].ok()) return statuses_[i];
      if (found && !codec_.DecodeValue(at.step.table, rows[i],
                                       pinned_all_[i].ToStringView(), &read_)) {
        return Garbled();
      }
      Count(at, found);
    }
    return {};
  }
  // Encodes where a scan begins, and what all its keys begin with.
  void EncodeStart(const RequestStep& at) {
    const Scan& scan = at.step.scan;
    prefix_.clear();
    if (scan.from == kNone) return;
    if (!scan.equal) {
      codec_.EncodeKey(at.step.table, at.first_row(), &prefix_);
      return;
    }
    Codec::AppendOrdered(at.table().columns[at.scanned_column()],
                         at.scanned_value(&new_row_), &prefix_);
  }
  rocksdb::Status ScanRows(const RequestStep& at) override {
    const Scan& scan = at.step.scan;
    rocksdb::Iterator& rows = *scans_[at.step.place];
    rocksdb::Status status = rows.Refresh();
    EncodeStart(at);
    if (scan.equal && scan.descending) {
      // Behind all that begin so; no key has this byte there.
      bytes_ = prefix_;
      bytes_.append(16, '\xff');
      rows.SeekForPrev(bytes_);
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
            codec_.DecodeValue(at.step.table, number,
                               rows.value().ToStringView(), &read_);
        if (!is_row) return Garbled();
      } else if (!scan.covered) {
        const size_t bytes = codec_.KeyBytes(at.step.table);
        if (key.size() < bytes) return Garbled();
        const std::string_view of_row = key.substr(key.size() - bytes);
        if (!codec_.DecodeKey(at.step.table, of_row, &number)) return Garbled();
        status = Read(at.step.table, of_row, number, &found);
      }
      reply_.rows += found ? 1 : 0;
      scan.descending ? rows.Prev() : rows.Next();
    }
    return status.ok() ? rows.status() : status;
  }
  rocksdb::Status Write(const RequestStep& at, size_t turn) override {
    const uint64_t number = at.written_row(turn);
    const bool put = at.step.verb == Verb::kPut;
    rocksdb::ColumnFamilyHandle* const family = store_.family(at.step.table);
    rocksdb::Status status;
    bool old = false;
    held_table_ = kNone;  // it may be this row
    if (put && !at.step.indexes.empty()) status = Lock(at, number, &old);
    if (status.ok() && old) status = DeleteEntries(at, number);
    if (!status.ok()) return status;
    codec_.EncodeKey(at.step.table, number, &key_);
    codec_.EncodeValue(at.step.table, new_row_, &bytes_);
    // The key of an insert is new, so that there is nothing to lock.
    status = put && !at.step.unlocked
                 ? loop_.transaction().Put(family, key_, bytes_)
                 : Unlocked(at).Put(family, key_, bytes_);
    reply_.changed = true;
    return status.ok() ? PutEntries(at, number) : status;
  }
  rocksdb::Status Change(const RequestStep& at, size_t turn) override {
    const uint64_t number = at.written_row(turn);
    bool found = false;
    const rocksdb::Status status = Lock(at, number, &found);
    Count(at, found);
    reply_.changed |= found;
    if (!status.ok() || !found) return status;
    return at.step.verb == Verb::kUpdate ? Update(at, turn)
                                         : Delete(at, number);
  }
  // Of a row that Lock() has found.
  rocksdb::Status Update(const RequestStep& at, size_t turn) {
    const uint64_t number = at.written_row(turn);
    for (const size_t index : at.step.indexes) {
      codec_.EncodeEntry(at.step.table, index, number, row_,
                         &old_entries_[index]);
    }
    at.SetColumns(turn, &row_, [](size_t /*column*/) {});
    for (const Assignment& each : at.step.add) {
      row_.cells[each.column].number += at.number(each.value, 0);
    }
    codec_.EncodeValue(at.step.table, row_, &bytes_);
    // It is read again where the same operation changes the row once more.
    rocksdb::ColumnFamilyHandle* const rows_of = store_.family(at.step.table);
    rocksdb::Status status =
        at.step.last ? loop_.batch().Put(rows_of, key_, bytes_)
                     : loop_.transaction().Put(rows_of, key_, bytes_,
                                               /*assume_tracked=*/true);
    for (const size_t index : at.step.indexes) {
      codec_.EncodeEntry(at.step.table, index, number, row_, &bytes_);
      if (!status.ok() || bytes_ == old_entries_[index]) continue;
      rocksdb::ColumnFamilyHandle* const family =
          store_.family(at.step.table, index);
      status = loop_.batch().Delete(family, old_entries_[index]);
      if (status.ok()) {
        status = loop_.batch().Put(family, bytes_, rocksdb::Slice());
      }
    }
    return status;
  }
  // The same.
  rocksdb::Status Delete(const RequestStep& at, uint64_t number) {
    const rocksdb::Status status =
        loop_.transaction().Delete(store_.family(at.step.table), key_,
                                   /*assume_tracked=*/true);
    return status.ok() ? DeleteEntries(at, number) : status;
  }
  // Reads a row outside of the transaction.
  rocksdb::Status Read(size_t table, std::string_view key, uint64_t number,
                       bool* found) {
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
  // Locks a row of the step's table and reads it into `row_`; its key stays in
  // `key_`.
  rocksdb::Status Lock(const RequestStep& at, uint64_t number, bool* found) {
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
  // Of `new_row_`.
  rocksdb::Status PutEntries(const RequestStep& at, uint64_t number) {
    rocksdb::Status status;
    for (const size_t index : at.step.indexes) {
      codec_.EncodeEntry(at.step.table, index, number, new_row_, &bytes_);
      status = Unlocked(at).Put(store_.family(at.step.table, index), bytes_,
                                rocksdb::Slice());
      if (!status.ok()) break;
    }
    return status;
  }
  // Of `row_`.
  rocksdb::Status DeleteEntries(const RequestStep& at, uint64_t number) {
    rocksdb::Status status;
    for (const size_t index : at.step.indexes) {
      if (!status.ok()) break;
      codec_.EncodeEntry(at.step.table, index, number, row_, &bytes_);
      status =
          loop_.batch().Delete(store_.family(at.step.table, index), bytes_);
    }
    return status;
  }
  // New rows, and what the lock on a row covers.
  rocksdb::WriteBatch& Unlocked(const RequestStep& at) {
    return at.step.unlocked ? batch_ : loop_.batch();
  }

  KvStore& store_;
  const Codec& codec_;
  TransactionLoop loop_;
  rocksdb::ReadOptions read_options_;
  // By the place of the step.
  std::vector<std::unique_ptr<rocksdb::Iterator>> scans_;
  rocksdb::WriteBatch batch_;  // of a step that is unlocked
  Row row_;                    // that is locked
  Row read_;
  std::string key_;
  // The key and the table of the row that a get has locked: `row_` is it.
  std::string held_;
  size_t held_table_ = kNone;
  std::string value_;  // of `row_`
  std::string bytes_;  // that are written
  std::string prefix_;
  std::vector<std::string> old_entries_;  // by the place among the indexes
  rocksdb::PinnableSlice pinned_;
  // Of a multi-get.
  std::vector<std::string> keys_;
  std::vector<rocksdb::Slice> slices_;
  std::vector<rocksdb::PinnableSlice> pinned_all_;
  std::vector<rocksdb::Status> statuses_;
};

std::unique_ptr<Session> KvStore::NewSession(uint64_t seed) {
  return std::make_unique<KvSession>(this, seed);
}

}  // namespace waltax::mix
