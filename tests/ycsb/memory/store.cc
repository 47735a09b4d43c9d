#include "tests/ycsb/memory/store.h"

#include "ycsb/population.h"

namespace waltax::ycsb {

class MemorySession : public Session {
 public:
  explicit MemorySession(MemoryStore* store) : store_(*store) {}

  Reply Read(std::string_view key, Field field, Row* row) override {
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
  Reply ReadModifyWrite(std::string_view key, Field field, const Values& values,
                        Row* row) override {
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
  Reply Scan(std::string_view key, uint32_t limit, Field /*field*/) override {
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
  void Copy(const MemoryStore::Record& record, Field field, Row* row) {
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

void MemoryStore::Put(std::string_view key, const Values& values) {
  Record& record = table_[std::string(key)];
  record.fields.assign(values.fields.begin(), values.fields.end());
  record.counter = 0;
}

void MemoryStore::Load(uint64_t seed) {
  const Population population(data_, seed);
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

// Reads without the lock: all sessions are idle.
Status MemoryStore::ReadRows(const KeyRange& range, bool /*fields*/,
                             const VisitRow& visit) {
  auto at = table_.lower_bound(range.first);
  const auto end =
      range.end.empty() ? table_.end() : table_.lower_bound(range.end);
  for (; at != end; ++at) {
    const Row row = {{at->second.fields.begin(), at->second.fields.end()},
                     at->second.counter};
    visit(at->first, &row);
  }
  return Status::Ok();
}

}  // namespace waltax::ycsb
