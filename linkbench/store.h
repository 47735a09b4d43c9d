// The seam between the LinkBench workload and what stores it: ten operations of
// a social graph. Behind it stand RocksDB, the tables of a server, and nothing.
//
// A link (id1, type, id2) is visible or hidden; deleting hides. Every pair
// (id1, type) has a count, and the invariant of the workload is that it equals
// the number of visible links. Whatever changes a link changes its count in the
// same transaction.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driver/answering.h"
#include "driver/status.h"
#include "linkbench/tables.h"

namespace waltax {
class RocksdbEngine;
namespace mariadb {
struct ServerFlags;
}  // namespace mariadb
}  // namespace waltax

namespace waltax::linkbench {

// Links of one (id1, type) as a read returns them. Its buffers are reused.
class LinkRows {
 public:
  void Clear() {
    rows_.clear();
    bytes_.clear();
  }
  void Add(uint64_t id2, const LinkValue& value) {
    rows_.push_back({id2, value.time, bytes_.size(), value.data.size(),
                     value.version, value.visible});
    bytes_.append(value.data);
  }
  [[nodiscard]] size_t size() const { return rows_.size(); }
  [[nodiscard]] uint64_t id2(size_t i) const { return rows_[i].id2; }
  [[nodiscard]] uint64_t time(size_t i) const { return rows_[i].time; }
  // Valid until the next Add or Clear.
  [[nodiscard]] LinkValue value(size_t i) const {
    const Row& row = rows_[i];
    return {row.visible, row.version, row.time,
            std::string_view(bytes_).substr(row.offset, row.length)};
  }

 private:
  struct Row {
    uint64_t id2;
    uint64_t time;
    size_t offset;
    size_t length;
    uint32_t version;
    bool visible;
  };
  std::vector<Row> rows_;
  std::string bytes_;
};

struct ListQuery {
  uint64_t id1 = 0;
  uint64_t type = 0;
  uint64_t max_time = 0;  // inclusive, ms
  uint32_t offset = 0;
  uint32_t limit = 0;
};

// One worker's access to the store. An operation found a link or a node that
// existed before. Not thread-safe; sessions of one store may
// run concurrently.
class Session : protected Answering<Reply> {
 public:
  using Answering<Reply>::Answering;
  virtual ~Session() = default;

  // Inserts the link, or overwrites and shows it. UPDATE_LINK is the same
  // operation (DEVIATION T9).
  virtual Reply AddLink(const LinkKey& /*key*/, const LinkValue& /*value*/) {
    return Answer();
  }
  // Hides the link at `time_ms`; nothing happens to a link that is absent or
  // hidden. A hidden one counts as found, as in the original.
  virtual Reply DeleteLink(const LinkKey& /*key*/, uint64_t /*time_ms*/) {
    return Answer();
  }
  virtual Reply CountLinks(uint64_t /*id1*/, uint64_t /*type*/,
                           uint64_t* count) {
    *count = 0;
    return Answer();
  }
  // Those of `id2s` that exist, hidden ones too, in their order.
  virtual Reply MultigetLinks(uint64_t /*id1*/, uint64_t /*type*/,
                              std::span<const uint64_t> /*id2s*/,
                              LinkRows* rows) {
    rows->Clear();
    return Answer();
  }
  // Visible links, newest first; equal times in an order of the store's own,
  // the same in every read (ties by id2: ascending here, descending in SQL).
  virtual Reply GetLinksList(const ListQuery& /*query*/, LinkRows* rows) {
    rows->Clear();
    return Answer();
  }

  // Node ids are given out in ascending order.
  virtual Reply AddNode(const NodeValue& /*value*/, uint64_t* id) {
    *id = 0;
    return Answer();
  }
  // Both touch the node only if it has the type of `value`, or `type`.
  virtual Reply UpdateNode(uint64_t /*id*/, const NodeValue& /*value*/) {
    return Answer();
  }
  virtual Reply DeleteNode(uint64_t /*id*/, uint32_t /*type*/) {
    return Answer();
  }
  // `data` holds the node's bytes; `value->data` points into it.
  virtual Reply GetNode(uint64_t /*id*/, uint32_t /*type*/,
                        NodeValue* /*value*/, std::string* /*data*/) {
    return Answer();
  }
};

// Thread-safe. This one does nothing.
class Store {
 public:
  virtual ~Store() = default;
  // `seed` spreads the pauses between retries.
  virtual std::unique_ptr<Session> NewSession(uint64_t /*seed*/) {
    return std::make_unique<Session>();
  }
  // Shows the rows of a table, in the store's order. REQUIRES: no session is at
  // work.
  virtual Status Scan(Table /*table*/, const table::KeyRange& /*range*/,
                      const table::Visit& /*visit*/) const {
    return Status::Usage(
        "check: found the null store, which keeps nothing, want another store");
  }
};

// Each opens a store: an operation that met `max_retries` conflicts, or still
// meets one after 10 s, fails. The engine outlives it and its sessions; its
// first AddNode gets an id above every stored node's and not below
// `first_new_node`.
std::unique_ptr<Store> NewKvStore(RocksdbEngine& engine,
                                  uint64_t first_new_node, int max_retries);
std::unique_ptr<Store> NewSqlStore(const mariadb::ServerFlags& server,
                                   int max_retries);

}  // namespace waltax::linkbench
