// Whether the counters of STOCK are those of the order lines. An order line may
// be supplied by another warehouse, so that this is settled in two steps: each
// warehouse with its own lines, and then what is left with the remote ones.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "driver/findings.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

struct StockCounts {
  uint64_t ytd = 0;
  uint32_t order_cnt = 0;
  uint32_t remote_cnt = 0;

  bool operator==(const StockCounts&) const = default;
};

// A line that was supplied by another warehouse than that of its order.
struct RemoteLine {
  uint32_t supply_w_id = 0;
  uint32_t i_id = 0;
  uint8_t quantity = 0;
};

// A stock row whose counters are not those of its own warehouse's lines.
struct StockRest {
  uint32_t w_id = 0;
  uint32_t i_id = 0;
  StockCounts stored;
  StockCounts lines;  // of the same warehouse
};

// What one warehouse leaves to be settled.
struct OpenStock {
  std::vector<RemoteLine> remote_lines;  // of its orders
  std::vector<StockRest> rests;          // of its stock, by item
};

// One warehouse. Not thread-safe.
class StockCheck {
 public:
  StockCheck(uint32_t w, Findings* findings)
      : w_(w), findings_(*findings), items_(kItems) {}

  // A line of an order that was added since the load: the load's own are not
  // counted (clause 4.3.3.1).
  void AddLine(const OrderLine& row);
  // REQUIRES: all lines were added.
  void AddStock(uint32_t i, const Stock& row);
  OpenStock Finish();

 private:
  struct Facts {
    bool exists = false;
    StockCounts lines;
  };

  uint32_t w_;
  Findings& findings_;
  std::vector<Facts> items_;  // item i at i - 1
  OpenStock open_;
};

// Thread-safe, except Verify().
class StockTotals {
 public:
  void Add(const OpenStock& open);
  // REQUIRES: all warehouses were added.
  void Verify(Findings* findings);

 private:
  std::mutex mutex_;
  OpenStock open_;
};

}  // namespace waltax::tpcc
