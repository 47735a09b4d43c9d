// One worker's access to a table that is dealt out to several nodes.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "ycsb/shards/counts.h"
#include "ycsb/shards/owner.h"
#include "ycsb/store.h"

namespace waltax::ycsb {

class ShardSession : public Session {
 public:
  // With `home`, the node that redirects, `sessions` is the one that is open
  // there; without, it is one for each node.
  ShardSession(Owner owner, bool by_range, std::optional<size_t> home,
               std::vector<std::unique_ptr<Session>> sessions,
               std::shared_ptr<ClientCounts> counts);

  Reply Read(std::string_view key, std::optional<uint32_t> field,
             Row* row) override;
  Reply Update(std::string_view key, const Values& values) override;
  Reply Replace(std::string_view key, const Values& values) override;
  Reply ReadModifyWrite(std::string_view key, std::optional<uint32_t> field,
                        const Values& values, Row* row) override;
  Reply Insert(std::string_view key, const Values& values) override;
  // Of a table that is cut by ranges, the nodes from the key's owner on are
  // asked in turn until there are `limit` records; otherwise all nodes are
  // asked for as many, of which the first `limit` of them all are the answer.
  Reply Scan(std::string_view key, uint32_t limit,
             std::optional<uint32_t> field) override;

 private:
  // Calls `ask(session)` with the session that reaches a key's owner.
  template <typename Ask>
  Reply At(size_t node, const Ask& ask);
  // The same for an operation that writes, which changed a record when it
  // succeeded and, where it can `miss`, found it.
  template <typename Ask>
  Reply Write(std::string_view key, bool can_miss, const Ask& ask);
  Reply ScanNodes(size_t node, std::string_view key, uint32_t limit,
                  std::optional<uint32_t> field);

  Owner owner_;
  bool by_range_;
  std::optional<size_t> home_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::shared_ptr<ClientCounts> counts_;
};

}  // namespace waltax::ycsb
