#include "tpcc/sql_stock_level.h"

#include <cstdint>

#include "tpcc/sql_statements.h"

namespace waltax::tpcc {
namespace {

constexpr uint64_t kExaminedOrders = 20;  // clause 2.8.2.2

}  // namespace

Status SqlStockLevel::Prepare(mariadb::Connection& connection) {
  return PrepareAll(connection, {{&read_next_order_, sql::kReadNextOrder},
                                 {&count_low_, sql::kCountLow}});
}

mariadb::SqlStatus SqlStockLevel::Read(const StockLevelInput& input,
                                       StockLevelOutput* output) {
  mariadb::SqlStatus status =
      ReadRow(Table::kDistrict, *read_next_order_, input.w_id, input.d_id);
  if (!status.ok()) return status;
  const uint64_t next = read_next_order_->Unsigned(0);
  const uint64_t first = next > kExaminedOrders ? next - kExaminedOrders : 0;
  status = ReadRow(Table::kStock, *count_low_, input.w_id, input.d_id, first,
                   next, input.w_id, input.threshold);
  if (status.ok()) {
    output->low_stock = static_cast<uint32_t>(count_low_->Unsigned(0));
  }
  return status;
}

}  // namespace waltax::tpcc
