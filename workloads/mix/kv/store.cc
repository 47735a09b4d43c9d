// A mix on RocksDB: a column family for each table and each index.
#include "workloads/mix/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string_view>
#include <utility>

#include "driver/rocksdb/engine.h"
#include "driver/rocksdb/rows.h"
#include "driver/rocksdb/status.h"
#include "driver/rocksdb/tables.h"
#include "driver/rocksdb/transaction_loop.h"
#include "workloads/mix/codec.h"

namespace waltax::mix {
namespace {

rocksdb::Status Garbled() {
  return rocksdb::Status::Corruption("mix", "a value is no row of its table");
}

// What the sessions of a store share.
struct KvPlace {
  RocksdbEngine& engine;
  const Values& values;
  Codec codec{values};
  std::atomic<uint64_t> prepared = 0;  // transactions, of two phases

  // Of a table, or of one of its indexes.
  [[nodiscard]] rocksdb::ColumnFamilyHandle* family(
      size_t table, size_t index = kNone) const {
    return engine.column_family(values.mix().tables[table].family + index + 1);
  }
  [[nodiscard]] TransactionLoop Loop(uint64_t seed) const {
    const rocksdb::WriteOptions& options = engine.write_options();
    if (engine.optimistic() != nullptr) {
      return {engine.optimistic(), options, kMaxRetries, seed};
    }
    return {engine.db(), options, kMaxRetries, seed};
  }
};

// One client of a mix on RocksDB.
class KvSession : public StepSession<rocksdb::Status> {
 public:
  KvSession(KvPlace* place, uint64_t seed)
      : StepSession(place->values),
        place_(*place),
        codec_(place->codec),
        loop_(place->Loop(seed)) {
    rocksdb::ReadOptions options;
    // Nothing here deletes ranges; not looking for them makes Refresh() cheap.
    options.ignore_range_deletions = true;
    options.total_order_seek = true;
    for (const Operation& operation : mix_.operations) {
      for (const Step& step : operation.steps) {
        scans_.resize(std::max(scans_.size(), step.place + 1));
        if (step.verb != Verb::kScan) continue;
        scans_[step.place].reset(place_.engine.base()->NewIterator(
            options, place_.family(step.table, step.scan.index)));
      }
    }
  }

 private:
  struct ReadKey {
    std::string bytes;
    [[nodiscard]] rocksdb::Slice slice() const { return bytes; }
  };

  rocksdb::Status CommitSteps(const Operation& operation, const Step& first,
                              uint32_t* retries) override {
    const rocksdb::WriteOptions& options = place_.engine.write_options();
    if (operation.commit == Commit::kEach && !first.writes()) return Attempt();
    if (first.unlocked) {
      batch_.Clear();
      const rocksdb::Status done = Attempt();
      return done.ok() ? WriteUnlocked(place_.engine.db(), options, &batch_)
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
          return loop_.Prepare(fmt::format("waltax-{}", ++place_.prepared));
        },
        retries);
  }
  std::string Explain(const rocksdb::Status& status) override {
    return status.ToString();
  }
  rocksdb::Status Get(const RequestStep& at) override {
    if (at.step.rows > 1 && !at.step.one_by_one && !at.step.lock) {
      return MultiGet(at);
    }
    rocksdb::Status status;
    for (const uint64_t row : at.rows()) {
      bool found = false;
      if (at.step.lock) {
        status = Lock(at, row, &found);
        held_ = key_;
        held_table_ = found ? at.step.table : kNone;
      } else {
        codec_.EncodeKey(at.step.table, row, &key_);
        status = Read(at.step.table, key_, row, &found);
      }
      if (!status.ok()) break;
      Count(at, found);
    }
    return status;
  }
  rocksdb::Status MultiGet(const RequestStep& at) {
    reads_.Clear();
    for (const uint64_t row : at.rows()) {
      codec_.EncodeKey(at.step.table, row, &key_);
      reads_.Add({key_});
    }
    reads_.Run(place_.engine.base(), read_options_,
               place_.family(at.step.table), /*sorted=*/false);
    for (size_t i = 0; i < reads_.size(); ++i) {
      const bool found = !reads_.status(i).IsNotFound();
      if (found && !reads_.status(i).ok()) return reads_.status(i);
      if (found &&
          !codec_.DecodeValue(at.step.table, at.rows()[i],
                              reads_.value(i).ToStringView(), &read_)) {
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
      codec_.EncodeKey(at.step.table, at.drawn(scan.from), &prefix_);
      return;
    }
    Codec::AppendOrdered(at.table().columns[scan.column],
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
    rocksdb::ColumnFamilyHandle* const family = place_.family(at.step.table);
    rocksdb::Status status;
    bool old = false;
    held_table_ = kNone;  // it may be this row
    if (put && !at.step.indexes.empty()) status = Lock(at, number, &old);
    if (!status.ok()) return status;
    EncodeEntries(at, number, old ? &row_ : nullptr, &old_entries_);
    EncodeEntries(at, number, &new_row_, &entries_);
    codec_.EncodeKey(at.step.table, number, &key_);
    codec_.EncodeValue(at.step.table, new_row_, &bytes_);
    // The key of an insert is new, so that there is nothing to lock.
    status = put && !at.step.unlocked
                 ? loop_.transaction().Put(family, key_, bytes_)
                 : BatchOf(at).Put(family, key_, bytes_);
    reply_.committed = true;
    return status.ok() ? ChangeEntries(at) : status;
  }
  rocksdb::Status Change(const RequestStep& at, size_t turn) override {
    const uint64_t number = at.written_row(turn);
    bool found = false;
    rocksdb::Status status = Lock(at, number, &found);
    Count(at, found);
    reply_.committed |= found;
    if (!status.ok() || !found) return status;
    const bool updates = at.step.verb == Verb::kUpdate;
    EncodeEntries(at, number, &row_, &old_entries_);
    if (updates) Update(at, turn);
    EncodeEntries(at, number, updates ? &row_ : nullptr, &entries_);
    // It is read again where the same operation changes the row once more.
    constexpr bool kTracked = true;
    rocksdb::ColumnFamilyHandle* const family = place_.family(at.step.table);
    rocksdb::Transaction& transaction = loop_.transaction();
    status = !updates       ? transaction.Delete(family, key_, kTracked)
             : at.step.last ? loop_.batch().Put(family, key_, bytes_)
                            : transaction.Put(family, key_, bytes_, kTracked);
    return status.ok() ? ChangeEntries(at) : status;
  }
  // Of the row that Lock() has found.
  void Update(const RequestStep& at, size_t turn) {
    at.SetColumns(turn, &row_, [](size_t /*column*/) {});
    for (const Assignment& each : at.step.add) {
      row_.cells[each.column].number += at.number(each, 0);
    }
    codec_.EncodeValue(at.step.table, row_, &bytes_);
  }
  // Of the indexes that the step may change; empty ones where there is no row.
  void EncodeEntries(const RequestStep& at, uint64_t number, const Row* row,
                     std::vector<std::string>* entries) {
    entries->resize(at.step.indexes.size());
    for (size_t i = 0; i < entries->size(); ++i) {
      (*entries)[i].clear();
      if (row == nullptr) continue;
      codec_.EncodeEntry(at.step.table, at.step.indexes[i], number, *row,
                         &(*entries)[i]);
    }
  }
  rocksdb::Status ChangeEntries(const RequestStep& at) {
    rocksdb::Status status;
    rocksdb::WriteBatch& batch = BatchOf(at);
    for (size_t i = 0; i < entries_.size() && status.ok(); ++i) {
      if (entries_[i] == old_entries_[i]) continue;
      rocksdb::ColumnFamilyHandle* const family =
          place_.family(at.step.table, at.step.indexes[i]);
      if (!old_entries_[i].empty()) {
        status = batch.Delete(family, old_entries_[i]);
      }
      if (status.ok() && !entries_[i].empty()) {
        status = batch.Put(family, entries_[i], rocksdb::Slice());
      }
    }
    return status;
  }
  // Reads a row outside of the transaction.
  rocksdb::Status Read(size_t table, std::string_view key, uint64_t number,
                       bool* found) {
    pinned_.Reset();
    const rocksdb::Status status = place_.engine.base()->Get(
        read_options_, place_.family(table), key, &pinned_);
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
        read_options_, place_.family(at.step.table), key_, &value_);
    *found = status.ok();
    if (status.IsNotFound()) return {};
    if (!status.ok()) return status;
    return codec_.DecodeValue(at.step.table, number, value_, &row_) ? status
                                                                    : Garbled();
  }
  // For new rows, and what the lock on a row covers.
  rocksdb::WriteBatch& BatchOf(const RequestStep& at) {
    return at.step.unlocked ? batch_ : loop_.batch();
  }

  KvPlace& place_;
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
  // By the place among the indexes of the step, of a row as it was and as it
  // is.
  std::vector<std::string> old_entries_;
  std::vector<std::string> entries_;
  rocksdb::PinnableSlice pinned_;
  waltax::MultiGet<ReadKey> reads_;
};

// Thread-safe.
class KvStore : public Store {
 public:
  KvStore(RocksdbEngine& engine, const Values& values)
      : place_{engine, values} {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    return std::make_unique<KvSession>(&place_, seed);
  }
  // As who coordinates them does with transactions that a killed process had
  // prepared, and nobody was told of: they keep their names and locks.
  Status Recover() override {
    if (place_.engine.db() == nullptr) return Status::Ok();
    std::vector<rocksdb::Transaction*> prepared;
    place_.engine.db()->GetAllPreparedTransactions(&prepared);
    Status status;
    for (rocksdb::Transaction* each : prepared) {
      const std::unique_ptr<rocksdb::Transaction> transaction(each);
      const rocksdb::Status done = transaction->Rollback();
      if (!done.ok()) {
        status = Explained(done, "roll back what was prepared",
                           place_.engine.base()->GetName());
      }
    }
    return status;
  }
  Status Scan(size_t table, const Visit& visit) override {
    Row row;
    const auto decode = [&](std::string_view key, std::string_view value) {
      uint64_t number = 0;
      const bool whole = place_.codec.DecodeKey(table, key, &number) &&
                         place_.codec.DecodeValue(table, number, value, &row);
      visit(number, whole ? &row : nullptr);
    };
    return ScanKeys(place_.engine.base(), place_.family(table), "", "", decode);
  }
  Status ScanIndex(size_t table, size_t index,
                   const VisitEntry& visit) override {
    return ScanKeys(place_.engine.base(), place_.family(table, index), "", "",
                    [&](std::string_view entry, std::string_view /*value*/) {
                      visit(entry);
                    });
  }
  Status Load(int threads, const RowReport& report, uint64_t* rows,
              uint64_t* bytes) override {
    constexpr uint64_t kRowsOfChunk = 65'536;
    const std::vector<Table>& tables = place_.values.mix().tables;
    LoadParts parts(place_.values);
    table::Load load;
    for (size_t table = 0; table < tables.size(); ++table) {
      parts.Add(table, kNone, kRowsOfChunk);
      for (size_t i = 0; i < tables[table].indexes.size(); ++i) {
        parts.Add(table, i, kRowsOfChunk);
      }
    }
    if (parts.size() == 0) return Status::Ok();
    load.threads = threads;
    load.chunks.resize(parts.size());
    std::iota(load.chunks.begin(), load.chunks.end(), 0);
    load.write = [&](uint64_t chunk, table::RowSink* files) {
      const LoadParts::Part& part = parts[chunk];
      std::string key;
      std::string value;
      parts.ForAll(part, [&](uint64_t number, const Row& row) {
        if (part.index == kNone) {
          place_.codec.EncodeKey(part.table, number, &key);
          place_.codec.EncodeValue(part.table, row, &value);
        } else {
          place_.codec.EncodeEntry(part.table, part.index, number, row, &key);
        }
        files->Put(part.order, key, value);
        return files->ok();
      });
    };
    // Without the entries of indexes.
    const auto rows_of = [&tables](const LoadedRows& files) {
      uint64_t sum = 0;
      for (const Table& each : tables) sum += files.rows[each.family - 1];
      return sum;
    };
    load.report = [&](const LoadedRows& files) { report(rows_of(files)); };
    LoadedRows files;
    const Status status = LoadTables(place_.engine, load, &files);
    if (!status.ok()) return status;
    *rows = rows_of(files);
    *bytes = files.bytes;
    return status;
  }

 private:
  KvPlace place_;
};

}  // namespace

std::unique_ptr<Store> NewKvStore(RocksdbEngine& engine, const Values& values) {
  return std::make_unique<KvStore>(engine, values);
}

}  // namespace waltax::mix
