// What this process knows to have committed, and the acknowledgement log:
// which New-Orders a client was told to be committed. After a crash all of them
// must still be there (clause 3.5.4, DEVIATION T10).
//
//   line : w " " d " " o " " c "\n"      in decimal
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/ack_log.h"
#include "driver/status.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

struct AcknowledgedOrder {
  uint32_t w_id = 0;
  uint8_t d_id = 0;
  uint32_t o_id = 0;
  uint32_t c_id = 0;

  bool operator==(const AcknowledgedOrder&) const = default;
};

// A log of them, as driver/ack_log.h says.
inline constexpr AckFormat kAcks = {
    "the four numbers of warehouse, district, order and customer", 4};
Status ReadAckLog(const std::string& path,
                  std::vector<AcknowledgedOrder>* orders);

// What this process knows to have committed, for the check: D_NEXT_O_ID of each
// district must have grown by the New-Orders that it committed there.

// Thread-safe, except that ExpectedNextOrders() wants all workers idle.
class Ledger {
 public:
  // Reads where every district's orders begin. `ack_log` may be empty.
  static Status Open(const Store& store, uint32_t warehouses,
                     const std::string& ack_log,
                     std::unique_ptr<Ledger>* ledger);

  // To be called when the commit of a New-Order has returned. Fails when the
  // acknowledgement log cannot be written.
  Status Committed(const AcknowledgedOrder& order);

  // D_NEXT_O_ID as it must be now, of w = 1, d = 1 to 10, then w = 2, ...
  [[nodiscard]] std::vector<uint32_t> ExpectedNextOrders() const;

 private:
  explicit Ledger(uint32_t warehouses) : warehouses_(warehouses) {}

  // On a cache line of its own, so that only terminals of one warehouse share
  // it: those meet in the store anyway.
  struct alignas(64) Counts {
    std::array<std::atomic<uint32_t>, kDistricts> next_o_id{};
  };

  std::vector<Counts> warehouses_;
  std::unique_ptr<AckLog> ack_log_;
};

}  // namespace waltax::tpcc
