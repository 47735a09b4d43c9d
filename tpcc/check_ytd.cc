#include "tpcc/check_ytd.h"

#include <fmt/format.h>

#include "tpcc/money.h"

namespace waltax::tpcc {

bool YtdCheck::AddPayment(const History& row) {
  if (row.w_id < 1 || row.w_id > warehouses_.size()) return false;
  if (row.d_id < 1 || row.d_id > kDistricts) return false;
  paid_[Index(row.w_id, row.d_id)].fetch_add(row.amount,
                                             std::memory_order_relaxed);
  return true;
}

void YtdCheck::Verify(Findings* findings) const {
  for (uint32_t w = 1; w <= warehouses_.size(); ++w) {
    Cents d_ytd = 0;
    Cents h_amount = 0;
    for (uint32_t d = 1; d <= kDistricts; ++d) {
      d_ytd += districts_[Index(w, d)].value_or(0);
      h_amount += paid_[Index(w, d)];
      VerifyDistrict(w, d, findings);
    }
    VerifyWarehouse(w, d_ytd, h_amount, findings);
  }
}

void YtdCheck::VerifyDistrict(uint32_t w, uint32_t d,
                              Findings* findings) const {
  const std::optional<Cents>& ytd = districts_[Index(w, d)];
  const Cents paid = paid_[Index(w, d)];
  if (!ytd) {
    findings->Violation(fmt::format(
        "district: warehouse {}: district {}: the row is missing", w, d));
  } else if (*ytd != paid) {
    findings->Violation(
        fmt::format("condition 9: warehouse {}: district {}: D_YTD is {}, the "
                    "sum of H_AMOUNT is {}",
                    w, d, Money(*ytd), Money(paid)));
  }
}

void YtdCheck::VerifyWarehouse(uint32_t w, Cents d_ytd, Cents h_amount,
                               Findings* findings) const {
  const std::optional<Cents>& ytd = warehouses_[w - 1];
  if (!ytd) {
    findings->Violation(
        fmt::format("warehouse: warehouse {}: the row is missing", w));
    return;
  }
  if (*ytd != d_ytd) {
    findings->Violation(fmt::format(
        "condition 1: warehouse {}: W_YTD is {}, the sum of D_YTD is {}", w,
        Money(*ytd), Money(d_ytd)));
  }
  if (*ytd != h_amount) {
    findings->Violation(fmt::format(
        "condition 8: warehouse {}: W_YTD is {}, the sum of H_AMOUNT is {}", w,
        Money(*ytd), Money(h_amount)));
  }
}

}  // namespace waltax::tpcc
