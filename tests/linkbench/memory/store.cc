#include "tests/linkbench/memory/store.h"

#include <map>
#include <string>

namespace waltax::linkbench {

class MemorySession : public Session {
 public:
  explicit MemorySession(MemoryStore* store) : store_(store) {}

  Reply AddLink(const LinkKey& key, const LinkValue& value) override;
  Reply DeleteLink(const LinkKey& key, uint64_t time_ms) override;
  Reply CountLinks(uint64_t id1, uint64_t type, uint64_t* count) override;
  Reply MultigetLinks(uint64_t id1, uint64_t type,
                      std::span<const uint64_t> id2s, LinkRows* rows) override;
  Reply GetLinksList(const ListQuery& query, LinkRows* rows) override;
  Reply AddNode(const NodeValue& value, uint64_t* id) override;
  Reply UpdateNode(uint64_t id, const NodeValue& value) override;
  Reply DeleteNode(uint64_t id, uint32_t type) override;
  Reply GetNode(uint64_t id, uint32_t type, NodeValue* value,
                std::string* data) override;

 private:
  using Adjacency = MemoryStore::Adjacency;
  using StoredLink = MemoryStore::StoredLink;
  using StoredNode = MemoryStore::StoredNode;

  static Reply Found(bool found, bool changed = false) {
    return {.found = found, .changed = changed};
  }
  static StoredNode Stored(const NodeValue& value) {
    return {value.type, value.version, value.time, std::string(value.data)};
  }
  static LinkValue View(const StoredLink& link) {
    return {link.visible, link.version, link.time, link.data};
  }
  // Makes the link what `value` says and keeps count and order in step.
  static void Replace(Adjacency* adjacency, uint64_t id2, StoredLink* link,
                      const LinkValue& value);

  MemoryStore* store_;
};

void MemorySession::Replace(Adjacency* adjacency, uint64_t id2,
                            StoredLink* link, const LinkValue& value) {
  if (link->visible) {
    adjacency->newest_first.erase({~link->time, id2});
    --adjacency->count;
  }
  *link = {value.visible, value.version, value.time, std::string(value.data)};
  if (link->visible) {
    adjacency->newest_first.insert({~link->time, id2});
    ++adjacency->count;
  }
}

Reply MemorySession::AddLink(const LinkKey& key, const LinkValue& value) {
  auto& shard = store_->ShardOf(key.id1);
  const std::lock_guard lock(shard.mutex);
  Adjacency& adjacency = shard.adjacencies[{key.id1, key.type}];
  const auto [at, inserted] = adjacency.links.try_emplace(key.id2);
  Replace(&adjacency, key.id2, &at->second, value);
  return Found(!inserted, true);
}

Reply MemorySession::DeleteLink(const LinkKey& key, uint64_t time_ms) {
  (void)time_ms;  // only the count's timestamp would carry it
  auto& shard = store_->ShardOf(key.id1);
  const std::lock_guard lock(shard.mutex);
  const auto adjacency = shard.adjacencies.find({key.id1, key.type});
  if (adjacency == shard.adjacencies.end()) return Found(false);
  const auto at = adjacency->second.links.find(key.id2);
  if (at == adjacency->second.links.end()) return Found(false);
  if (!at->second.visible) return Found(true);
  const StoredLink before = at->second;
  LinkValue hidden = View(before);
  hidden.visible = false;
  Replace(&adjacency->second, key.id2, &at->second, hidden);
  return Found(true, true);
}

Reply MemorySession::CountLinks(uint64_t id1, uint64_t type, uint64_t* count) {
  auto& shard = store_->ShardOf(id1);
  const std::lock_guard lock(shard.mutex);
  const auto at = shard.adjacencies.find({id1, type});
  const bool found = at != shard.adjacencies.end();
  *count = found ? at->second.count : 0;
  return Found(found);
}

Reply MemorySession::MultigetLinks(uint64_t id1, uint64_t type,
                                   std::span<const uint64_t> id2s,
                                   LinkRows* rows) {
  rows->Clear();
  auto& shard = store_->ShardOf(id1);
  const std::lock_guard lock(shard.mutex);
  const auto at = shard.adjacencies.find({id1, type});
  if (at == shard.adjacencies.end()) return Found(false);
  for (const uint64_t id2 : id2s) {
    const auto link = at->second.links.find(id2);
    if (link != at->second.links.end()) rows->Add(id2, View(link->second));
  }
  return Found(rows->size() > 0);
}

Reply MemorySession::GetLinksList(const ListQuery& query, LinkRows* rows) {
  rows->Clear();
  auto& shard = store_->ShardOf(query.id1);
  const std::lock_guard lock(shard.mutex);
  const auto at = shard.adjacencies.find({query.id1, query.type});
  if (at == shard.adjacencies.end()) return Found(false);
  const Adjacency& adjacency = at->second;
  auto entry = adjacency.newest_first.lower_bound({~query.max_time, 0});
  for (uint32_t skipped = 0;
       skipped < query.offset && entry != adjacency.newest_first.end();
       ++skipped) {
    ++entry;
  }
  for (; entry != adjacency.newest_first.end() && rows->size() < query.limit;
       ++entry) {
    rows->Add(entry->second, View(adjacency.links.at(entry->second)));
  }
  return Found(rows->size() > 0);
}

Reply MemorySession::AddNode(const NodeValue& value, uint64_t* id) {
  *id = store_->next_node_id_.fetch_add(1);
  auto& shard = store_->ShardOf(*id);
  const std::lock_guard lock(shard.mutex);
  shard.nodes[*id] = Stored(value);
  return Found(false, true);
}

Reply MemorySession::UpdateNode(uint64_t id, const NodeValue& value) {
  auto& shard = store_->ShardOf(id);
  const std::lock_guard lock(shard.mutex);
  const auto at = shard.nodes.find(id);
  if (at == shard.nodes.end() || at->second.type != value.type) {
    return Found(false);
  }
  at->second = Stored(value);
  return Found(true, true);
}

Reply MemorySession::DeleteNode(uint64_t id, uint32_t type) {
  auto& shard = store_->ShardOf(id);
  const std::lock_guard lock(shard.mutex);
  const auto at = shard.nodes.find(id);
  if (at == shard.nodes.end() || at->second.type != type) return Found(false);
  shard.nodes.erase(at);
  return Found(true, true);
}

Reply MemorySession::GetNode(uint64_t id, uint32_t type, NodeValue* value,
                             std::string* data) {
  auto& shard = store_->ShardOf(id);
  const std::lock_guard lock(shard.mutex);
  const auto at = shard.nodes.find(id);
  if (at == shard.nodes.end() || at->second.type != type) return Found(false);
  *data = at->second.data;
  *value = {at->second.type, at->second.version, at->second.time, *data};
  return Found(true);
}

std::unique_ptr<Session> MemoryStore::NewSession(uint64_t seed) {
  (void)seed;  // nothing here is ever retried
  return std::make_unique<MemorySession>(this);
}

Status MemoryStore::Scan(Table table, const table::KeyRange& range,
                         const table::Visit& visit) const {
  std::map<std::string, std::string> rows;
  for (const Shard& shard : shards_) {
    for (const auto& [pair, adjacency] : shard.adjacencies) {
      AddRows(table, pair.first, pair.second, adjacency, &rows);
    }
  }
  const std::string end = table::KeyBehind(range.last);
  for (const auto& [key, value] : rows) {
    if (key >= range.first && (end.empty() || key < end)) visit(key, value);
  }
  return Status::Ok();
}

// What the index would have of hidden links this store does not keep: that is
// what the links say.
void MemoryStore::AddRows(Table table, uint64_t id1, uint64_t type,
                          const Adjacency& adjacency,
                          std::map<std::string, std::string>* rows) {
  std::string value;
  if (table == Table::kCounts) {
    EncodeRow(CountValue{adjacency.count, 0, 0}, &value);
    rows->emplace(EncodeCountKey(id1, type).view(), value);
    return;
  }
  for (const auto& [id2, link] : adjacency.links) {
    const LinkKey key = {id1, type, id2};
    if (table == Table::kLinks) {
      EncodeRow(LinkValue{link.visible, link.version, link.time, link.data},
                &value);
      rows->emplace(EncodeLinkKey(key).view(), value);
    } else if (!link.visible ||
               adjacency.newest_first.contains({~link.time, id2})) {
      EncodeRow(IndexValue{link.version, link.data}, &value);
      rows->emplace(EncodeIndexKey(key, link.visible, link.time).view(), value);
    }
  }
}

}  // namespace waltax::linkbench
