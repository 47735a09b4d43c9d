// The operations of a session by their names.
#pragma once

#include <string>
#include <string_view>

#include "workloads/ycsb/store.h"

namespace waltax::ycsb {

inline Reply Ask(Session& session, Op op, std::string_view key, Field field,
                 const Values& values, Row* row, bool blind = false,
                 uint32_t limit = 0) {
  const Request request = {op, std::string(key), field, values, limit, blind};
  return session.Execute(request, row);
}
inline Reply Read(Session& session, std::string_view key, Field field,
                  Row* row) {
  return Ask(session, Op::kRead, key, field, {}, row);
}
inline Reply Update(Session& session, std::string_view key,
                    const Values& values) {
  return Ask(session, Op::kUpdate, key, {}, values, nullptr);
}
inline Reply Replace(Session& session, std::string_view key,
                     const Values& values) {
  return Ask(session, Op::kUpdate, key, {}, values, nullptr, true);
}
inline Reply ReadModifyWrite(Session& session, std::string_view key,
                             Field field, const Values& values, Row* row) {
  return Ask(session, Op::kReadModifyWrite, key, field, values, row);
}
inline Reply Insert(Session& session, std::string_view key,
                    const Values& values) {
  return Ask(session, Op::kInsert, key, {}, values, nullptr);
}
inline Reply Scan(Session& session, std::string_view key, uint32_t limit,
                  Field field) {
  return Ask(session, Op::kScan, key, field, {}, nullptr, false, limit);
}

}  // namespace waltax::ycsb
