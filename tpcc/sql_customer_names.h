// Which customer is meant (clauses 2.5.1.2, 2.5.2.2 and 2.6.2.2).
#pragma once

#include <cstdint>
#include <vector>

#include "tpcc/sql_rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

class SqlCustomerNames {
 public:
  Status Prepare(mariadb::Connection& connection);

  // Of the n customers with the wanted last name, ordered by first name, the
  // one at position n/2, rounded up; or simply the wanted number.
  mariadb::SqlStatus Find(const CustomerChoice& choice, uint32_t* c_id);

 private:
  SqlStatement find_by_name_;
  std::vector<uint32_t> namesakes_;
};

}  // namespace waltax::tpcc
