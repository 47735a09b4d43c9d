#include "tpcc/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tpcc/keys.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

Status ReadAckLog(const std::string& path,
                  std::vector<AcknowledgedOrder>* orders) {
  orders->clear();
  return ReadAckLines(path, kAcks, [orders](const AckLine& line) {
    const std::vector<uint64_t>& numbers = line.numbers;
    orders->push_back(
        {static_cast<uint32_t>(numbers[0]), static_cast<uint8_t>(numbers[1]),
         static_cast<uint32_t>(numbers[2]), static_cast<uint32_t>(numbers[3])});
    return numbers[1] <= UINT8_MAX &&
           std::max({numbers[0], numbers[2], numbers[3]}) <= UINT32_MAX;
  });
}

Status Ledger::Open(const Store& store, uint32_t warehouses,
                    const std::string& ack_log,
                    std::unique_ptr<Ledger>* ledger) {
  std::unique_ptr<Ledger> opened(new Ledger(warehouses));
  uint64_t read = 0;
  uint64_t unreadable = 0;
  const auto take = [&](std::string_view key, std::string_view value) {
    District district;
    if (key.size() != sizeof(DistrictKey) || !DecodeRow(value, &district)) {
      return false;
    }
    const uint32_t w = WarehouseOf(key);
    const uint8_t d = DistrictOf(key);
    if (w < 1 || w > warehouses || d < 1 || d > kDistricts) return false;
    opened->warehouses_[w - 1].next_o_id[d - 1U] = district.next_o_id;
    return true;
  };
  TRY(store.Scan(Table::kDistrict, {},
                 [&](std::string_view key, std::string_view value) {
                   take(key, value) ? ++read : ++unreadable;
                 }));
  const uint64_t want = uint64_t{warehouses} * kDistricts;
  if (read != want || unreadable != 0) {
    return Status::Failed(fmt::format(
        "district: found {} rows and {} that cannot be read, want {}", read,
        unreadable, want));
  }
  TRY(AckLog::Open(ack_log, &opened->ack_log_));
  *ledger = std::move(opened);
  return Status::Ok();
}

Status Ledger::Committed(const AcknowledgedOrder& order) {
  // Only the sum counts, and it is read when all threads are parked.
  warehouses_[order.w_id - 1].next_o_id[order.d_id - 1U].fetch_add(
      1, std::memory_order_relaxed);
  if (ack_log_ == nullptr) return Status::Ok();
  return ack_log_->Acknowledge(
      {order.w_id, order.d_id, order.o_id, order.c_id});
}

std::vector<uint32_t> Ledger::ExpectedNextOrders() const {
  std::vector<uint32_t> expected;
  expected.reserve(warehouses_.size() * kDistricts);
  for (const Counts& counts : warehouses_) {
    for (const auto& next_o_id : counts.next_o_id) {
      expected.push_back(next_o_id.load(std::memory_order_relaxed));
    }
  }
  return expected;
}

}  // namespace waltax::tpcc
