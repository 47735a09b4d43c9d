#include <fmt/format.h>
#include <rocksdb/iterator.h>

#include <memory>
#include <string>

#include "driver/rocksdb/status.h"
#include "linkbench/keys.h"
#include "linkbench/kv/store.h"
#include "linkbench/range_check.h"

namespace waltax::linkbench {

namespace {

// A table as its rows are decoded.
struct CheckTable {
  const char* name;
  rocksdb::ColumnFamilyHandle* handle;
  size_t key_bytes;
  // False when the value has not the length that it should have; the key is
  // decoded in any case.
  bool (*decode)(const rocksdb::Slice& key, const rocksdb::Slice& value,
                 CheckRow* row);
};

bool DecodeLink(const rocksdb::Slice& key, const rocksdb::Slice& value,
                CheckRow* row) {
  row->key = DecodeLinkKey(key);
  return DecodeRow(value.ToStringView(), &row->link);
}

bool DecodeIndex(const rocksdb::Slice& key, const rocksdb::Slice& value,
                 CheckRow* row) {
  row->key = DecodeIndexKey(key, &row->link.visible, &row->link.time);
  return DecodeIndexValue(value.ToStringView(), &row->link);
}

bool DecodeCount(const rocksdb::Slice& key, const rocksdb::Slice& value,
                 CheckRow* row) {
  row->key = {GetBigEndian<uint64_t>(key.data()),
              GetBigEndian<uint64_t>(key.data() + 8), 0};
  CountValue count;
  if (!DecodeRow(value.ToStringView(), &count)) return false;
  row->count = count.count;
  return true;
}

// One table over a range of ids.
class Scan : public RowSource {
 public:
  Scan(rocksdb::DB* db, const CheckTable& table, const IdRange& range,
       Findings* findings)
      : db_(db), table_(table), findings_(*findings) {
    rocksdb::ReadOptions options;
    options.total_order_seek = true;
    options.fill_cache = false;  // the next slice shall find its cache warm
    if (range.last < UINT64_MAX) {
      end_ = EncodeNodeKey(range.last + 1);
      options.iterate_upper_bound = &bound_;
    }
    rows_.reset(db->NewIterator(options, table_.handle));
    if (range.first == 0) {
      rows_->SeekToFirst();  // a garbled key can lie before that of id 0
    } else {
      rows_->Seek(EncodeNodeKey(range.first).slice());
    }
  }

  bool Next(CheckRow* row) override {
    if (started_) rows_->Next();
    started_ = true;
    while (rows_->Valid() && !Decode(row)) rows_->Next();
    return rows_->Valid();
  }
  [[nodiscard]] Status status() const override {
    return rows_->status().ok()
               ? Status::Ok()
               : Explained(rows_->status(), "check the data set",
                           db_->GetName());
  }

 private:
  bool Decode(CheckRow* row) {
    if (rows_->key().size() != table_.key_bytes) {
      findings_.Violation(fmt::format("{}: a key of {} bytes", table_.name,
                                      rows_->key().size()));
      return false;
    }
    if (table_.decode(rows_->key(), rows_->value(), row)) return true;
    findings_.Violation(
        fmt::format("{}: id1 {} type {} id2 {}: value has a wrong length",
                    table_.name, row->key.id1, row->key.type, row->key.id2));
    return false;
  }

  rocksdb::DB* db_;
  CheckTable table_;
  Findings& findings_;
  Key<kNodeKeyBytes> end_{};
  rocksdb::Slice bound_{end_.slice()};
  std::unique_ptr<rocksdb::Iterator> rows_;
  bool started_ = false;
};

class KvReader : public RangeReader {
 public:
  explicit KvReader(const KvTables& tables) : tables_(tables) {}

  Status Open(const IdRange& range, Findings* findings,
              RangeSources* sources) override {
    const auto scan = [&](const CheckTable& table) {
      return std::make_unique<Scan>(tables_.db, table, range, findings);
    };
    sources->links = scan({"links", tables_.links, kLinkKeyBytes, DecodeLink});
    sources->index =
        scan({"index", tables_.index, kIndexKeyBytes, DecodeIndex});
    sources->counts =
        scan({"counts", tables_.counts, kCountKeyBytes, DecodeCount});
    return Status::Ok();
  }

 private:
  KvTables tables_;
};

// Of the row at which `rows` stands; `without` if there is none.
uint64_t IdAt(const rocksdb::Iterator& rows, uint64_t without) {
  if (!rows.Valid() || rows.key().size() != kCountKeyBytes) return without;
  return GetBigEndian<uint64_t>(rows.key().data());
}

}  // namespace

Status CheckTables(const KvTables& tables, int threads, CheckResult* result) {
  const std::unique_ptr<rocksdb::Iterator> ends(
      tables.db->NewIterator(rocksdb::ReadOptions(), tables.counts));
  ends->SeekToFirst();
  const uint64_t low = IdAt(*ends, 0);
  ends->SeekToLast();
  const uint64_t high = IdAt(*ends, low);
  return CheckRanges(
      CutIds(low, high, threads), threads,
      [&tables](std::unique_ptr<RangeReader>* reader) {
        *reader = std::make_unique<KvReader>(tables);
        return Status::Ok();
      },
      result);
}

}  // namespace waltax::linkbench
