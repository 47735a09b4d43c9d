#include "linkbench/kv_store.h"

#include <rocksdb/iterator.h>

#include <algorithm>

#include "linkbench/check.h"
#include "linkbench/keys.h"
#include "linkbench/kv_session.h"

namespace waltax::linkbench {

KvStore::KvStore(RocksdbEngine& engine, uint64_t first_new_node,
                 int max_retries)
    : tables_(engine),
      write_options_(engine.write_options()),
      max_retries_(max_retries),
      next_node_id_(first_new_node) {
  const std::unique_ptr<rocksdb::Iterator> last(
      tables_.db->NewIterator(rocksdb::ReadOptions(), tables_.nodes));
  last->SeekToLast();
  if (!last->Valid() || last->key().size() != kNodeKeyBytes) return;
  const uint64_t highest = GetBigEndian<uint64_t>(last->key().data());
  next_node_id_ = std::max(first_new_node, highest + 1);
}

std::unique_ptr<Session> KvStore::NewSession(uint64_t seed) {
  return std::make_unique<KvSession>(this, seed);
}

Status KvStore::Check(int threads, CheckResult* result) {
  return CheckTables(tables_, threads, result);
}

}  // namespace waltax::linkbench
