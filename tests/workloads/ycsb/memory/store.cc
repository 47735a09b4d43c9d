#include "tests/workloads/ycsb/memory/store.h"

#include "workloads/ycsb/records.h"

namespace waltax::ycsb {

class MemorySession : public Session {
 public:
  explicit MemorySession(MemoryStore* store) : store_(*store) {}

  Reply Execute(const Request& request, Row* row) override {
    const std::scoped_lock lock(store_.mutex_);
    Reply reply;
    if (request.op == Op::kScan) {
      auto at = store_.table_.lower_bound(request.key);
      const auto end = store_.table_.end();
      for (; at != end && reply.rows < request.scan_length; ++at) ++reply.rows;
      reply.found = reply.rows > 0;
      return reply;
    }
    if (!request.can_miss()) {
      store_.Put(request.key, request.values);
      reply.changed = true;
      return reply;
    }
    const auto at = store_.table_.find(request.key);
    reply.found = reply.changed = at != store_.table_.end();
    if (!reply.found) return reply;
    if (request.op != Op::kUpdate) Copy(at->second, request.field, row);
    if (request.op != Op::kRead) Write(request.values, &at->second);
    if (request.op == Op::kReadModifyWrite) ++at->second.counter;
    return reply;
  }

 private:
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

  MemoryStore& store_;
  MemoryStore::Record read_;
};

void MemoryStore::Put(std::string_view key, const Values& values) {
  Record& record = table_[std::string(key)];
  record.fields.assign(values.fields.begin(), values.fields.end());
  record.counter = 0;
}

void MemoryStore::Fill(uint64_t seed) {
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
