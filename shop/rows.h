// The rows of a data set, all of which follow from their numbers.
#pragma once

#include <cstdint>
#include <string>

#include "shop/uid.h"

namespace waltax::shop {

// The lengths of the texts, which the study does not say: with them the types
// of a row add up to its 187, 1148 and 32 bytes (1 or 2 of a VARCHAR's length
// included; of products, 4 for `changes`). Texts fill them.
inline constexpr size_t kNameBytes = 48;
inline constexpr size_t kAddressBytes = 125;
inline constexpr size_t kProductNameBytes = 64;
inline constexpr size_t kCategoryBytes = 32;
inline constexpr size_t kDescriptionBytes = 1024;
inline constexpr uint64_t kCustomerBytes = 187;
inline constexpr uint64_t kProductBytes = 1148;
inline constexpr uint64_t kOrderBytes = 32;
inline constexpr uint64_t kEntryBytes = 16;  // of customer_index

struct Customer {
  uint64_t id = 0;
  std::string name;
  std::string address;
  uint32_t age = 0;

  bool operator==(const Customer&) const = default;
};

struct Product {
  uint64_t id = 0;
  std::string name;
  std::string category;
  uint32_t price_cents = 0;
  int32_t quantity = 0;
  uint32_t posted = 0;  // 20190131
  std::string description;
  // How often the quantity was changed: what changes add up to is what was
  // acknowledged, or one was lost. The study has no such column.
  uint32_t changes = 0;

  bool operator==(const Product&) const = default;
};

struct Order {
  uint64_t id = 0;
  uint64_t customer_id = 0;
  uint64_t product_id = 0;
  uint32_t quantity = 0;
  uint32_t ordered_s = 0;  // of the Unix clock

  bool operator==(const Order&) const = default;
};

// How many rows of a data set are in which table: 40 % customers, 20 %
// products, 40 % orders.
struct Sizes {
  explicit Sizes(uint64_t rows)
      : customers(rows * 2 / 5),
        products(rows / 5),
        orders(rows - customers - products) {}

  // By the types of the columns, without the index: 317.2 a row.
  [[nodiscard]] uint64_t bytes() const {
    return kCustomerBytes * customers + kProductBytes * products +
           kOrderBytes * orders;
  }

  uint64_t customers;
  uint64_t products;
  uint64_t orders;
};

// What is drawn, by a load as by a run.
inline constexpr uint64_t kMostOrdered = 10;
inline constexpr uint64_t kMostInStock = 10'000;
inline constexpr uint32_t kFirstOrderedS = 1'546'300'800;  // 2019-01-01
inline constexpr uint64_t kOrderedS = 31'536'000;          // a year

// Thread-safe. Equal seeds give equal rows.
class Population {
 public:
  Population(uint64_t rows, uint64_t seed) : sizes_(rows), seed_(seed) {}

  [[nodiscard]] const Sizes& sizes() const { return sizes_; }
  [[nodiscard]] uint64_t size(Table table) const;
  void Write(uint64_t number, Customer* customer) const;
  void Write(uint64_t number, Product* product) const;
  // Of a loaded order, whose customer is any one: on average each has one.
  void Write(uint64_t number, Order* order) const;

 private:
  Sizes sizes_;
  uint64_t seed_;
};

}  // namespace waltax::shop
