#include "shop/audit.h"

#include <fmt/format.h>

#include <unordered_set>

namespace waltax::shop {

void Audit::Report(std::string_view kind, uint64_t id, std::string_view what) {
  findings.Violation(fmt::format("{}: {} {}", kind, id, what));
}

void Audit::Look(const Customer& customer) {
  const auto number = NumberOf(Table::kCustomers, kLoadMachine, customer.id);
  if (!number || !customers_.Mark(*number, kRow)) {
    Report("customers", customer.id, "is there, though it was never written");
    return;
  }
  Customer wanted;
  population_.Write(*number, &wanted);
  if (customer != wanted) {
    Report("customers", customer.id, "holds what was never written");
  }
}

void Audit::Look(const Product& product) {
  const auto number = NumberOf(Table::kProducts, kLoadMachine, product.id);
  if (!number || !products_.Mark(*number, kRow)) {
    Report("products", product.id, "is there, though it was never written");
    return;
  }
  changed_[*number].changes = product.changes;
  Product wanted;
  population_.Write(*number, &wanted);
  // A quantity that was changed may be any.
  if (product.changes > 0) wanted.quantity = product.quantity;
  wanted.changes = product.changes;
  if (product != wanted) {
    Report("products", product.id, "holds what was never written");
  }
}

void Audit::Look(const Order& order) {
  if (const auto run = NumberOf(Table::kOrders, kRunMachine, order.id)) {
    LookAtInserted(*run, order);
    return;
  }
  const auto number = NumberOf(Table::kOrders, kLoadMachine, order.id);
  if (!number || !orders_.Mark(*number, kRow)) {
    Report("orders", order.id, "is there, though it was never written");
    return;
  }
  Order wanted;
  population_.Write(*number, &wanted);
  if (order != wanted) {
    Report("orders", order.id, "holds what was never written");
  }
}

void Audit::LookAtInserted(uint64_t number, const Order& order) {
  const Sizes& sizes = population_.sizes();
  const auto customer =
      NumberOf(Table::kCustomers, kLoadMachine, order.customer_id);
  const auto product =
      NumberOf(Table::kProducts, kLoadMachine, order.product_id);
  if (!customer || *customer >= sizes.customers || !product ||
      *product >= sizes.products) {
    Report("orders", order.id, "is of a customer or product that is none");
  } else {
    changed_[*product].orders.fetch_add(1, std::memory_order_relaxed);
  }
  const std::scoped_lock lock(mutex_);
  Inserted& inserted = inserted_[number];
  inserted.seen |= kRow;
  inserted.customer_id = order.customer_id;
}

void Audit::LookAtEntry(uint64_t customer_id, uint64_t order_id) {
  if (const auto run = NumberOf(Table::kOrders, kRunMachine, order_id)) {
    const std::scoped_lock lock(mutex_);
    Inserted& inserted = inserted_[*run];
    if ((inserted.seen & kEntry) != 0) {
      Report("index", order_id, "has two entries");
    }
    inserted.seen |= kEntry;
    inserted.indexed_id = customer_id;
    return;
  }
  const auto number = NumberOf(Table::kOrders, kLoadMachine, order_id);
  if (number && *number < orders_.size()) {
    Order wanted;
    population_.Write(*number, &wanted);
    if (wanted.id == order_id && wanted.customer_id == customer_id) {
      orders_.Mark(*number, kEntry);
      return;
    }
  }
  Report("index", order_id, "has an entry of another customer, or no order");
}

void Audit::CheckLoaded() {
  const auto missing = [&](Table table, std::string_view kind,
                           const Seen& seen) {
    for (uint64_t number = 0; number < seen.size(); ++number) {
      if ((seen[number] & kRow) != 0) continue;
      Report(kind, UidOf(table, kLoadMachine, number), "is missing");
    }
  };
  missing(Table::kCustomers, "customers", customers_);
  missing(Table::kProducts, "products", products_);
  missing(Table::kOrders, "orders", orders_);
  for (uint64_t number = 0; number < orders_.size(); ++number) {
    const uint64_t id = UidOf(Table::kOrders, kLoadMachine, number);
    if (orders_[number] == kRow) Report("index", id, "has no entry");
    if (orders_[number] == kEntry) Report("index", id, "has no order");
  }
}

void Audit::CheckInserted() {
  findings.Count("inserted_orders", 0);
  for (const auto& [number, one] : inserted_) {
    const uint64_t id = UidOf(Table::kOrders, kRunMachine, number);
    findings.Count("inserted_orders", one.seen & kRow);
    if (one.seen == kRow) {
      Report("index", id, "has no entry");
    } else if (one.seen == kEntry) {
      Report("index", id, "has no order");
    } else if (one.customer_id != one.indexed_id) {
      Report("index", id, "has an entry of another customer");
    }
  }
}

void Audit::CheckAcknowledged(const Expected& expected) {
  const std::unordered_set<uint64_t> doubtful(expected.doubtful.begin(),
                                              expected.doubtful.end());
  for (uint64_t number = expected.before.next_order;
       number < expected.next_order; ++number) {
    const auto at = inserted_.find(number);
    const bool there = at != inserted_.end() && (at->second.seen & kRow) != 0;
    if (there || doubtful.contains(number)) continue;
    Report("orders", UidOf(Table::kOrders, kRunMachine, number),
           "is missing, though it was acknowledged");
  }
  for (const auto& [number, one] : inserted_) {
    if (number < expected.next_order || (one.seen & kRow) == 0) continue;
    Report("orders", UidOf(Table::kOrders, kRunMachine, number),
           "is there, though no run inserted it");
  }
}

void Audit::CheckChanges() {
  uint64_t changes = 0;
  for (uint64_t number = 0; number < changed_.size(); ++number) {
    const Changed& one = changed_[number];
    changes += one.changes;
    if (one.changes >= one.orders) continue;
    findings.Violation(fmt::format(
        "changes: product {} was ordered {} times, and its quantity changed {} "
        "times",
        UidOf(Table::kProducts, kLoadMachine, number), one.orders.load(),
        one.changes.load()));
  }
  findings.Count("changes", changes);
  if (!expected_) return;
  const uint64_t least = expected_->before.changes + expected_->changes;
  if (changes >= least && changes <= least + expected_->doubtful_changes) {
    return;
  }
  findings.Violation(fmt::format(
      "changes: {} are in the products, {} were acknowledged", changes, least));
}

void Audit::End() {
  CheckLoaded();
  CheckInserted();
  if (expected_) CheckAcknowledged(*expected_);
  CheckChanges();
}

}  // namespace waltax::shop
