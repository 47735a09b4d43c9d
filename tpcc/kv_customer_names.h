// Which customer is meant (clauses 2.5.1.2, 2.5.2.2 and 2.6.2.2).
#pragma once

#include <rocksdb/iterator.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tpcc/kv_rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

class KvCustomerNames {
 public:
  explicit KvCustomerNames(const KvRows& rows);

  // Of the n customers with the wanted last name, ordered by first name, the
  // one at position n/2, rounded up; or simply the wanted number.
  rocksdb::Status Find(const CustomerChoice& choice, uint32_t* c_id);

 private:
  rocksdb::Status FindByName(const CustomerChoice& choice, uint32_t* c_id);

  // No transaction changes a name, so the latest state is every snapshot's.
  std::unique_ptr<rocksdb::Iterator> names_;
  std::string prefix_;
  std::vector<uint32_t> namesakes_;
};

}  // namespace waltax::tpcc
