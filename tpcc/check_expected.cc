#include "tpcc/check_expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>

namespace waltax::tpcc {

namespace {

auto DistrictOf(const AcknowledgedOrder& order) {
  return std::tuple(order.w_id, order.d_id);
}

void Report(const AcknowledgedOrder& order, const std::string& sentence,
            Findings* findings) {
  findings->Violation(fmt::format(
      "acknowledged: warehouse {}: district {}: order {} of customer {}: {}",
      order.w_id, order.d_id, order.o_id, order.c_id, sentence));
}

}  // namespace

ExpectedOrders::ExpectedOrders(const CheckExpectations& expect)
    : next_o_ids_(expect.next_o_ids), acknowledged_(expect.acknowledged) {
  std::sort(acknowledged_.begin(), acknowledged_.end(),
            [](const AcknowledgedOrder& left, const AcknowledgedOrder& right) {
              return std::tuple(DistrictOf(left), left.o_id) <
                     std::tuple(DistrictOf(right), right.o_id);
            });
}

void ExpectedOrders::VerifyDistrict(uint32_t w, uint8_t d, uint32_t next_o_id,
                                    OrdersCheck* orders,
                                    Findings* findings) const {
  const size_t index = (size_t{w} - 1) * kDistricts + d - 1;
  if (!next_o_ids_.empty()) findings->Count("committed districts", 1);
  if (!next_o_ids_.empty() && next_o_ids_.at(index) != next_o_id) {
    findings->Violation(
        fmt::format("committed: warehouse {}: district {}: D_NEXT_O_ID is {}, "
                    "the committed New-Orders make it {}",
                    w, d, next_o_id, next_o_ids_[index]));
  }
  const auto [begin, end] = std::equal_range(
      acknowledged_.begin(), acknowledged_.end(), AcknowledgedOrder{w, d, 0, 0},
      [](const AcknowledgedOrder& left, const AcknowledgedOrder& right) {
        return DistrictOf(left) < DistrictOf(right);
      });
  findings->Count("acknowledged orders", static_cast<uint64_t>(end - begin));
  for (auto order = begin; order != end; ++order) {
    const uint32_t c = orders->CustomerOf(order->o_id);
    if (c == 0) {
      Report(*order, "there is no such order", findings);
    } else if (c != order->c_id) {
      Report(*order, fmt::format("O_C_ID is {}", c), findings);
    }
    if (order != begin && std::prev(order)->o_id == order->o_id) {
      Report(*order, "its number was given out twice", findings);
    }
  }
}

void ExpectedOrders::VerifyPlaces(uint32_t warehouses,
                                  Findings* findings) const {
  for (const AcknowledgedOrder& order : acknowledged_) {
    if (order.w_id < 1 || order.w_id > warehouses || order.d_id < 1 ||
        order.d_id > kDistricts) {
      Report(order, "there is no such district", findings);
    }
  }
}

}  // namespace waltax::tpcc
