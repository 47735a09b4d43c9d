// The tables on a server as a check reads them.
#pragma once

#include <functional>

#include "shop/check.h"
#include "shop/sql/schema.h"

namespace waltax::shop {

// Thread-safe: each call is on a connection of its own.
class SqlRows : public Tables {
 public:
  explicit SqlRows(const SqlPlace& place) : place_(place) {}

  Status ForCustomers(const KeyRange& range,
                      const std::function<void(const Customer&)>&) override;
  Status ForProducts(const KeyRange& range,
                     const std::function<void(const Product&)>&) override;
  Status ForOrders(const KeyRange& range,
                   const std::function<void(const Order&)>&) override;
  Status ForEntries(
      const KeyRange& range,
      const std::function<void(uint64_t, uint64_t)>& each) override;

 private:
  // Calls `each(statement)` with every row of a SELECT without its WHERE.
  template <typename Each>
  Status Select(const char* select, const char* key, const KeyRange& range,
                const Each& each);

  const SqlPlace& place_;
};

}  // namespace waltax::shop
