#include "tpcc/ledger.h"

#include <fmt/format.h>

#include "tpcc/keys.h"
#include "tpcc/row_codec.h"

namespace waltax::tpcc {

namespace {

// Hands on D_NEXT_O_ID of each district.
template <typename Take>
class NextOrders : public RowVisitor {
 public:
  explicit NextOrders(Take take) : take_(take) {}
  void Visit(std::string_view key, std::string_view value) override {
    District district;
    const bool valid = key.size() == sizeof(DistrictKey) &&
                       DecodeRow(value, &district) &&
                       take_(WarehouseOf(key), DistrictOf(key), district);
    valid ? ++read_ : ++unreadable_;
  }
  [[nodiscard]] uint64_t read() const { return read_; }
  [[nodiscard]] uint64_t unreadable() const { return unreadable_; }

 private:
  Take take_;
  uint64_t read_ = 0;
  uint64_t unreadable_ = 0;
};

}  // namespace

Status Ledger::Open(const Store& store, uint32_t warehouses,
                    const std::string& ack_log,
                    std::unique_ptr<Ledger>* ledger) {
  std::unique_ptr<Ledger> opened(new Ledger(warehouses));
  NextOrders visitor([&](uint32_t w, uint8_t d, const District& district) {
    if (w < 1 || w > warehouses || d < 1 || d > kDistricts) return false;
    opened->warehouses_[w - 1].next_o_id[d - 1U] = district.next_o_id;
    return true;
  });
  Status status = store.Scan(Table::kDistrict, {}, &visitor);
  if (!status.ok()) return status;
  const uint64_t want = uint64_t{warehouses} * kDistricts;
  if (visitor.read() != want || visitor.unreadable() != 0) {
    return Status::Failed(fmt::format(
        "district: found {} rows and {} that cannot be read, want {}",
        visitor.read(), visitor.unreadable(), want));
  }
  if (!ack_log.empty()) status = AckLog::Open(ack_log, &opened->ack_log_);
  if (status.ok()) *ledger = std::move(opened);
  return status;
}

Status Ledger::Committed(const AcknowledgedOrder& order) {
  // Only the sum counts, and it is read when all threads are parked.
  warehouses_[order.w_id - 1].next_o_id[order.d_id - 1U].fetch_add(
      1, std::memory_order_relaxed);
  return ack_log_ ? ack_log_->Append(order) : Status::Ok();
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
