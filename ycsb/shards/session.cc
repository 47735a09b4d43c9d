#include "ycsb/shards/session.h"

#include <algorithm>
#include <utility>

#include "driver/clock.h"

namespace waltax::ycsb {

ShardSession::ShardSession(Owner owner, bool by_range,
                           std::optional<size_t> home,
                           std::vector<std::unique_ptr<Session>> sessions,
                           std::shared_ptr<ClientCounts> counts)
    : owner_(std::move(owner)),
      by_range_(by_range),
      home_(home),
      sessions_(std::move(sessions)),
      counts_(std::move(counts)) {}

template <typename Ask>
Reply ShardSession::At(size_t node, const Ask& ask) {
  if (!home_) return ask(*sessions_[node]);
  const int64_t start_ns = MonotonicNs();
  const Reply reply = ask(*sessions_.front());
  if (reply.error == nullptr) {
    Histogram& latency_ns =
        node == *home_ ? counts_->local_ns : counts_->forwarded_ns;
    latency_ns.Record(static_cast<uint64_t>(MonotonicNs() - start_ns));
  }
  return reply;
}

template <typename Ask>
Reply ShardSession::Write(std::string_view key, bool can_miss, const Ask& ask) {
  const size_t node = owner_.Of(key);
  NodeCounts& counts = counts_->nodes[node];
  ++counts.writes;
  const Reply reply = At(node, ask);
  if (reply.error == nullptr && reply.changed && (reply.found || !can_miss)) {
    ++counts.commits;
  }
  return reply;
}

Reply ShardSession::Read(std::string_view key, std::optional<uint32_t> field,
                         Row* row) {
  const size_t node = owner_.Of(key);
  ++counts_->nodes[node].reads;
  return At(node,
            [&](Session& session) { return session.Read(key, field, row); });
}

Reply ShardSession::Update(std::string_view key, const Values& values) {
  return Write(key, true,
               [&](Session& session) { return session.Update(key, values); });
}

Reply ShardSession::Replace(std::string_view key, const Values& values) {
  return Write(key, false,
               [&](Session& session) { return session.Replace(key, values); });
}

Reply ShardSession::ReadModifyWrite(std::string_view key,
                                    std::optional<uint32_t> field,
                                    const Values& values, Row* row) {
  return Write(key, true, [&](Session& session) {
    return session.ReadModifyWrite(key, field, values, row);
  });
}

Reply ShardSession::Insert(std::string_view key, const Values& values) {
  return Write(key, false,
               [&](Session& session) { return session.Insert(key, values); });
}

Reply ShardSession::Scan(std::string_view key, uint32_t limit,
                         std::optional<uint32_t> field) {
  const size_t node = owner_.Of(key);
  ++counts_->nodes[node].reads;
  if (!home_) return ScanNodes(node, key, limit, field);
  ++counts_->nodes[*home_].scans;
  return sessions_.front()->Scan(key, limit, field);
}

// One node after the other: a client has one thread. Of records that are only
// counted, merging leaves the number.
Reply ShardSession::ScanNodes(size_t node, std::string_view key, uint32_t limit,
                              std::optional<uint32_t> field) {
  Reply all;
  for (size_t i = by_range_ ? node : 0; i < sessions_.size(); ++i) {
    const uint32_t wanted = by_range_ ? limit - all.rows : limit;
    ++counts_->nodes[i].scans;
    const Reply reply = sessions_[i]->Scan(key, wanted, field);
    all.retries += reply.retries;
    all.error = reply.error;
    all.fatal = reply.fatal;
    if (reply.error != nullptr) return all;
    all.rows = std::min(limit, all.rows + reply.rows);
    if (by_range_ && all.rows == limit) break;
  }
  all.found = all.rows > 0;
  return all;
}

}  // namespace waltax::ycsb
