#include "tests/ycsb/memory/store.h"

#include "ycsb/population.h"

namespace waltax::ycsb {

class MemorySession : public Session {
 public:
  explicit MemorySession(MemoryStore* store) : store_(*store) {}

  Reply Read(std::string_view key, std::optional<uint32_t> field,
             Row* row) override {
    const std::scoped_lock lock(store_.mutex_);
    const auto at = store_.table_.find(key);
    if (at == store_.table_.end()) return {};
    Copy(at->second, field, row);
    return Found();
  }
  Reply Update(std::string_view key, const Values& values) override {
    return Change(key, values, 0);
  }
  Reply Replace(std::string_view key, const Values& values) override {
    return Insert(key, values);
  }
  Reply ReadModifyWrite(std::string_view key, std::optional<uint32_t> field,
                        const Values& values, Row* row) override {
    const std::scoped_lock lock(store_.mutex_);
    const auto at = store_.table_.find(key);
    if (at == store_.table_.end()) return {};
    Copy(at->second, field, row);
    Write(values, &at->second);
    ++at->second.counter;
    return Found();
  }
  Reply Insert(std::string_view key, const Values& values) override {
    const std::scoped_lock lock(store_.mutex_);
    store_.Put(key, values);
    return {};
  }
  Reply Scan(std::string_view key, uint32_t limit,
             std::optional<uint32_t> /*field*/) override {
    const std::scoped_lock lock(store_.mutex_);
    Reply reply;
    auto at = store_.table_.lower_bound(key);
    for (; at != store_.table_.end() && reply.rows < limit; ++at) ++reply.rows;
    reply.found = reply.rows > 0;
    return reply;
  }

 private:
  static Reply Found() {
    Reply reply;
    reply.found = reply.changed = true;
    return reply;
  }
  static void Write(const Values& values, MemoryStore::Record* record) {
    const size_t first = values.field.value_or(0);
    for (size_t i = 0; i < values.fields.size(); ++i) {
      record->fields[first + i] = values.fields[i];
    }
  }
  // The views of `row` are into this session.
  void Copy(const MemoryStore::Record& record, std::optional<uint32_t> field,
            Row* row) {
    read_ = record;
    row->counter = read_.counter;
    row->fields.assign(read_.fields.size(), {});
    for (uint32_t i = 0; i < read_.fields.size(); ++i) {
      if (!field || *field == i) row->fields[i] = read_.fields[i];
    }
  }
  Reply Change(std::string_view key, const Values& values, uint64_t counted) {
    const std::scoped_lock lock(store_.mutex_);
    const auto at = store_.table_.find(key);
    if (at == store_.table_.end()) return {};
    Write(values, &at->second);
    at->second.counter += counted;
    return Found();
  }

  MemoryStore& store_;
  MemoryStore::Record read_;
};

// Reads without the lock: all sessions are idle.
class MemoryRows : public RowSource {
 public:
  MemoryRows(const MemoryStore& store, const KeyRange& range)
      : at_(store.table_.lower_bound(range.first)),
        end_(range.end.empty() ? store.table_.end()
                               : store.table_.lower_bound(range.end)) {}

  bool Next(StoredRow* row) override {
    if (at_ == end_) return false;
    row->key = at_->first;
    row->row.counter = at_->second.counter;
    row->row.fields.assign(at_->second.fields.begin(),
                           at_->second.fields.end());
    ++at_;
    return true;
  }
  [[nodiscard]] Status status() const override { return Status::Ok(); }

 private:
  using Iterator =
      std::map<std::string, MemoryStore::Record, std::less<>>::const_iterator;
  Iterator at_;
  Iterator end_;
};

void MemoryStore::Put(std::string_view key, const Values& values) {
  Record& record = table_[std::string(key)];
  record.fields.assign(values.fields.begin(), values.fields.end());
  record.counter = 0;
}

void MemoryStore::Load(uint64_t seed) {
  const Population population(records_.data(), seed);
  for (uint64_t chunk = 0; chunk < population.chunks(); ++chunk) {
    population.WriteChunk(chunk,
                          [this](std::string_view key, const Values& values) {
                            Put(key, values);
                            return true;
                          });
  }
}

std::unique_ptr<Session> MemoryStore::NewSession(uint64_t /*seed*/) {
  return std::make_unique<MemorySession>(this);
}

OpenRows MemoryStore::Rows() {
  return [this](const KeyRange& range, std::unique_ptr<RowSource>* rows) {
    *rows = std::make_unique<MemoryRows>(*this, range);
    return Status::Ok();
  };
}

Status MemoryStore::Survey(Totals* totals) {
  return SurveyRecords(Rows(), totals);
}

Status MemoryStore::Check(const Expected& expected, int threads,
                          CheckResult* result) {
  return CheckRecords(records_, expected, threads, Rows(), result);
}

}  // namespace waltax::ycsb
