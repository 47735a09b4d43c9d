#include "tpcc/sql_customer_names.h"

#include "tpcc/sql_statements.h"

namespace waltax::tpcc {

Status SqlCustomerNames::Prepare(mariadb::Connection& connection) {
  return PrepareAll(connection, {{&find_by_name_, sql::kFindByName}});
}

mariadb::SqlStatus SqlCustomerNames::Find(const CustomerChoice& choice,
                                          uint32_t* c_id) {
  *c_id = choice.c_id;
  if (choice.c_id != 0) return {};
  mariadb::SqlStatus status =
      find_by_name_->Run(choice.w_id, choice.d_id, choice.last);
  namesakes_.clear();
  while (status.ok() && find_by_name_->Next(&status)) {
    namesakes_.push_back(static_cast<uint32_t>(find_by_name_->Unsigned(0)));
  }
  if (!status.ok()) return status;
  if (namesakes_.empty()) return MissingSqlRow(Table::kCustomerByName);
  *c_id = namesakes_[(namesakes_.size() + 1) / 2 - 1];
  return status;
}

}  // namespace waltax::tpcc
