#include "tpcc/kv_customer_names.h"

#include "tpcc/keys.h"

namespace waltax::tpcc {

KvCustomerNames::KvCustomerNames(const KvRows& rows)
    : names_(rows.NewIterator(Table::kCustomerByName)) {}

rocksdb::Status KvCustomerNames::Find(const CustomerChoice& choice,
                                      uint32_t* c_id) {
  *c_id = choice.c_id;
  return choice.c_id != 0 ? rocksdb::Status::OK() : FindByName(choice, c_id);
}

rocksdb::Status KvCustomerNames::FindByName(const CustomerChoice& choice,
                                            uint32_t* c_id) {
  prefix_.clear();
  AppendLastNamePrefix(choice.w_id, choice.d_id, choice.last, &prefix_);
  namesakes_.clear();
  rocksdb::Status status = names_->Refresh();
  if (!status.ok()) return status;
  for (names_->Seek(prefix_);
       names_->Valid() && names_->key().starts_with(prefix_); names_->Next()) {
    namesakes_.push_back(CustomerOfName(names_->key()));
  }
  status = names_->status();
  if (!status.ok()) return status;
  if (namesakes_.empty()) return MissingRow(Table::kCustomerByName);
  *c_id = namesakes_[(namesakes_.size() + 1) / 2 - 1];
  return status;
}

}  // namespace waltax::tpcc
