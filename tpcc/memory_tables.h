// Where the memory store keeps its rows: encoded as row_codec.h says, and found
// by their dense numbers.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "tpcc/schema.h"

namespace waltax::tpcc {

struct MemoryOrder {
  std::string row;
  std::vector<std::string> lines;  // by number - 1
};

struct MemoryDistrict {
  std::string row;
  std::vector<std::string> customers;             // by c - 1
  std::vector<std::string> names;                 // ascending index keys
  std::vector<std::vector<std::string>> history;  // by c - 1, payment - 1
  std::vector<std::vector<uint32_t>> orders_of;   // by c - 1, ascending
  std::vector<MemoryOrder> orders;                // by o - 1
  std::deque<uint32_t> new_orders;                // ascending
  std::string oldest;                             // the low-water mark's row

  MemoryDistrict()
      : customers(kCustomersPerDistrict),
        history(kCustomersPerDistrict),
        orders_of(kCustomersPerDistrict),
        orders(kOrdersPerDistrict) {}
};

struct MemoryWarehouse {
  // Guards all that can change in the warehouse. Whoever needs several takes
  // them in ascending order.
  std::mutex mutex;
  std::string row;
  std::array<MemoryDistrict, kDistricts> districts;  // by d - 1
  std::vector<std::string> stock;                    // by i - 1

  MemoryWarehouse() : stock(kItems) {}
};

}  // namespace waltax::tpcc
