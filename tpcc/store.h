// The seam between the TPC-C workload and what stores it: the five transactions
// of clause 2 as inputs and outputs. Behind it stand RocksDB and the tables of
// a server.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/answering.h"
#include "driver/table/table.h"
#include "driver/workload.h"
#include "tpcc/schema.h"

namespace waltax {
class RocksdbEngine;
namespace mariadb {
struct ServerFlags;
}  // namespace mariadb
}  // namespace waltax

namespace waltax::tpcc {

// An item that no table has: the last line of an order that rolls back
// (clause 2.4.1.5).
inline constexpr uint32_t kUnusedItem = kItems + 1;

// Clause 2.4.1.
struct NewOrderInput {
  struct Line {
    uint32_t i_id = 0;
    uint32_t supply_w_id = 0;
    uint8_t quantity = 0;
  };
  uint32_t w_id = 0;
  uint8_t d_id = 0;
  uint32_t c_id = 0;
  uint8_t ol_cnt = 0;
  std::array<Line, kMaxOrderLines> lines;
};

// How a customer is chosen: by number, or by last name if c_id is 0
// (clauses 2.5.1.2 and 2.6.1.2).
struct CustomerChoice {
  uint32_t w_id = 0;
  uint8_t d_id = 0;
  uint32_t c_id = 0;
  std::string_view last;  // of the static table of last names
};

// Clause 2.5.1.
struct PaymentInput {
  uint32_t w_id = 0;
  uint8_t d_id = 0;
  CustomerChoice customer;
  Cents amount = 0;
};

// Clause 2.6.1.
struct OrderStatusInput {
  CustomerChoice customer;
};

// Clause 2.7.1.
struct DeliveryInput {
  uint32_t w_id = 0;
  uint8_t carrier_id = 0;
};

// Clause 2.8.1.
struct StockLevelInput {
  uint32_t w_id = 0;
  uint8_t d_id = 0;
  int32_t threshold = 0;
};

// What the terminal's screen would show (clauses 2.4.3.3 to 2.8.3.3), as far
// as it is computed. Strings are copies; a session fills them anew each time.

struct NewOrderOutput {
  struct Line {
    std::string i_name;
    int32_t s_quantity = 0;
    char brand_generic = 'G';
    Cents i_price = 0;
    Cents amount = 0;
  };
  uint32_t o_id = 0;
  Timestamp entry_d = 0;
  std::string c_last;
  std::string c_credit;
  TenThousandths c_discount = 0;
  TenThousandths w_tax = 0;
  TenThousandths d_tax = 0;
  // sum * (1 - discount) * (1 + w_tax + d_tax), rounded to the nearest cent.
  Cents total_amount = 0;
  std::array<Line, kMaxOrderLines> lines;
  // An item was not found: the transaction was rolled back, as clause 2.4.2.3
  // wants, and it is complete. `o_id` is the number that was given back.
  bool rolled_back = false;
};

struct PaymentOutput {
  uint32_t c_id = 0;
  Cents c_balance = 0;
  Cents c_credit_lim = 0;
  TenThousandths c_discount = 0;
  std::string c_credit;
  std::string c_data;  // its first 200 characters, for bad credit only
  Timestamp date = 0;
};

struct OrderStatusOutput {
  struct Line {
    uint32_t i_id = 0;
    uint32_t supply_w_id = 0;
    uint8_t quantity = 0;
    Cents amount = 0;
    Timestamp delivery_d = 0;
  };
  uint32_t c_id = 0;
  Cents c_balance = 0;
  uint32_t o_id = 0;
  Timestamp entry_d = 0;
  uint8_t carrier_id = 0;
  std::vector<Line> lines;
};

struct DeliveryOutput {
  // Of each district; 0 where there was nothing to deliver (clause 2.7.4.2).
  std::array<uint32_t, kDistricts> o_ids{};
};

struct StockLevelOutput {
  uint32_t low_stock = 0;
};

// Used by one thread at a time. REQUIRES: inputs within the data set's bounds.
class Session : protected Answering<Reply> {
 public:
  using Answering<Reply>::Answering;
  virtual ~Session() = default;
  virtual Reply NewOrder(const NewOrderInput& /*input*/,
                         NewOrderOutput* /*output*/) {
    return Answer();
  }
  virtual Reply Payment(const PaymentInput& /*input*/,
                        PaymentOutput* /*output*/) {
    return Answer();
  }
  virtual Reply OrderStatus(const OrderStatusInput& /*input*/,
                            OrderStatusOutput* /*output*/) {
    return Answer();
  }
  // All ten districts of the warehouse.
  virtual Reply Delivery(const DeliveryInput& /*input*/,
                         DeliveryOutput* /*output*/) {
    return Answer();
  }
  virtual Reply StockLevel(const StockLevelInput& /*input*/,
                           StockLevelOutput* /*output*/) {
    return Answer();
  }
};

// Thread-safe.
class Store {
 public:
  virtual ~Store() = default;
  // `seed` is for the pauses between retries.
  virtual std::unique_ptr<Session> NewSession(uint64_t seed) = 0;
  // Shows every row of `table` whose key begins with `prefix`, encoded as
  // keys.h says, in the order of their keys; those of an index in the store's.
  // REQUIRES: no transaction is under way.
  virtual Status Scan(Table table, std::string_view prefix,
                      const table::Visit& visit) const = 0;
  // Whether each district's NEW-ORDER has a row that says where its oldest row
  // is (keys.h); a store without it must have none.
  [[nodiscard]] virtual bool has_low_water_marks() const { return true; }
  // What concurrent transactions may see of each other, in the words that
  // every result carries.
  [[nodiscard]] virtual std::string_view isolation() const = 0;
};

// Each opens a store: a transaction that met `max_retries` conflicts, or still
// meets one after 10 s, is given up. The engine outlives it and its sessions.
std::unique_ptr<Store> NewKvStore(RocksdbEngine& engine, int max_retries);
std::unique_ptr<Store> NewSqlStore(const mariadb::ServerFlags& flags,
                                   int max_retries);

}  // namespace waltax::tpcc
