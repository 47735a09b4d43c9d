// The five transactions (clauses 2.4.2 to 2.8.2) on rows in memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tpcc/memory_tables.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

class MemoryStore;

class MemorySession : public Session {
 public:
  explicit MemorySession(MemoryStore* store) : store_(*store) {}

  Reply NewOrder(const NewOrderInput& input, NewOrderOutput* output) override;
  Reply Payment(const PaymentInput& input, PaymentOutput* output) override;
  Reply OrderStatus(const OrderStatusInput& input,
                    OrderStatusOutput* output) override;
  Reply Delivery(const DeliveryInput& input, DeliveryOutput* output) override;
  Reply StockLevel(const StockLevelInput& input,
                   StockLevelOutput* output) override;

 private:
  // A row as it was before a transaction changed it.
  struct Before {
    std::string* stored;
    std::string row;
  };

  bool AddLines(const NewOrderInput& input, NewOrderOutput* output,
                MemoryOrder* order);
  Stock TakeStock(const NewOrderInput::Line& line, bool remote,
                  std::string* stored);
  void InsertOrder(const NewOrderInput& input, Timestamp entry_d,
                   MemoryOrder order, MemoryDistrict* district);
  void Pay(const PaymentInput& input, PaymentOutput* output,
           std::string* stored);
  void RollBack();
  uint32_t DeliverOldest(uint8_t carrier_id, Timestamp now,
                         MemoryDistrict* district);
  Cents StampLines(Timestamp now, MemoryOrder* order);
  // The text of `row` may point into `stored`, and is gone afterwards.
  template <typename Row>
  void Replace(std::string* stored, const Row& row);

  MemoryStore& store_;
  std::string encoded_;
  std::vector<Before> undo_;
  std::vector<uint32_t> items_;
};

}  // namespace waltax::tpcc
