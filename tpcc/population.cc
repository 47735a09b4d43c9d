#include "tpcc/population.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "driver/random.h"
#include "tpcc/draws.h"
#include "tpcc/keys.h"
#include "tpcc/schema.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

namespace {

// Keeps the loader's random streams apart from those of a run.
constexpr uint64_t kPopulationStream = 1ULL << 40;
constexpr uint64_t kStreamsPerWarehouse = 16;
static_assert(kTables <= kStreamsPerWarehouse);

constexpr Cents kDollar = 100;
constexpr uint32_t kMostTax = 2000;  // ten-thousandths
constexpr uint32_t kMostDiscount = 5000;
constexpr uint8_t kInitialQuantity = 5;
constexpr Cents kInitialPayment = 10 * kDollar;

// Every table of a warehouse has a random stream of its own, so that rows do
// not depend on the order in which tables are written.
class ChunkWriter {
 public:
  ChunkWriter(const PopulationOptions& options, RowSink* sink)
      : options_(options),
        last_name_constant_(LastNameConstant(options.seed)),
        sink_(*sink) {}

  void WriteItems() {
    Random random = Stream(0, Table::kItem);
    RandomTenth original(kItems);
    for (uint32_t i = 1; i <= kItems; ++i) {
      text_.Clear();
      Item row;
      row.im_id = Uniform(random, 1, 10'000);
      row.price = Uniform(random, 1 * kDollar, 100 * kDollar);
      row.name = text_.Letters(random, 14, 24);
      row.data = original.Draw(random) ? text_.Original(random, 26, 50)
                                       : text_.Letters(random, 26, 50);
      Put(Table::kItem, KeyOfItem(i).slice(), row);
    }
  }
  void WriteWarehouse(uint32_t w) {
    Random random = Stream(w, Table::kWarehouse);
    text_.Clear();
    Warehouse row;
    row.tax = static_cast<TenThousandths>(Uniform(random, 0, kMostTax));
    row.ytd = 300'000 * kDollar;
    row.name = text_.Letters(random, 6, 10);
    row.address = DrawAddress(random);
    Put(Table::kWarehouse, KeyOfWarehouse(w).slice(), row);
  }
  void WriteDistricts(uint32_t w) {
    Random random = Stream(w, Table::kDistrict);
    for (uint8_t d = 1; d <= kDistricts; ++d) {
      text_.Clear();
      District row;
      row.next_o_id = kOrdersPerDistrict + 1;
      row.tax = static_cast<TenThousandths>(Uniform(random, 0, kMostTax));
      row.ytd = 30'000 * kDollar;
      row.name = text_.Letters(random, 6, 10);
      row.address = DrawAddress(random);
      Put(Table::kDistrict, KeyOfDistrict(w, d).slice(), row);
    }
  }
  void WriteCustomers(uint32_t w) {
    Random random = Stream(w, Table::kCustomer);
    for (uint8_t d = 1; d <= kDistricts; ++d) {
      RandomTenth bad_credit(kCustomersPerDistrict);
      names_.clear();
      for (uint32_t c = 1; c <= kCustomersPerDistrict; ++c) {
        const Customer row = DrawCustomer(random, c, bad_credit.Draw(random));
        Put(Table::kCustomer, KeyOfCustomer(w, d, c).slice(), row);
        AppendCustomerByName(w, d, row.last, row.first, c,
                             &names_.emplace_back());
      }
      std::sort(names_.begin(), names_.end());
      for (const std::string& name : names_) {
        PutBytes(Table::kCustomerByName, name, {});
      }
    }
  }
  void WriteHistory(uint32_t w) {
    Random random = Stream(w, Table::kHistory);
    for (uint8_t d = 1; d <= kDistricts; ++d) {
      for (uint32_t c = 1; c <= kCustomersPerDistrict; ++c) {
        text_.Clear();
        History row;
        row.w_id = w;
        row.d_id = d;
        row.date = options_.loaded_at_ms;
        row.amount = kInitialPayment;
        row.data = text_.Letters(random, 12, 24);
        Put(Table::kHistory, KeyOfHistory(w, d, c, 1).slice(), row);
      }
    }
  }
  void WriteOrders(uint32_t w) {
    Random orders = Stream(w, Table::kOrder);
    Random lines = Stream(w, Table::kOrderLine);
    for (uint8_t d = 1; d <= kDistricts; ++d) {
      WriteDistrictOrders(w, d, orders, lines);
      WriteNewOrders(w, d);
    }
  }
  void WriteStock(uint32_t w) {
    constexpr uint32_t kDists = kDistricts * Stock::kDistBytes;
    Random random = Stream(w, Table::kStock);
    RandomTenth original(kItems);
    for (uint32_t i = 1; i <= kItems; ++i) {
      text_.Clear();
      Stock row;
      row.quantity = static_cast<int32_t>(Uniform(random, 10, 100));
      row.dists = text_.Letters(random, kDists, kDists);
      row.data = original.Draw(random) ? text_.Original(random, 26, 50)
                                       : text_.Letters(random, 26, 50);
      Put(Table::kStock, KeyOfStock(w, i).slice(), row);
    }
  }

 private:
  [[nodiscard]] Random Stream(uint32_t w, Table table) const {
    return Random(options_.seed, kPopulationStream + w * kStreamsPerWarehouse +
                                     static_cast<uint64_t>(table));
  }
  template <typename Row>
  void Put(Table table, const rocksdb::Slice& key, const Row& row) {
    EncodeRow(row, &value_);
    PutBytes(table, key, value_);
  }
  void PutBytes(Table table, const rocksdb::Slice& key,
                std::string_view value) {
    sink_.Put(static_cast<size_t>(table), key.ToStringView(), value);
  }
  Address DrawAddress(Random& random) {
    Address address;
    address.street_1 = text_.Letters(random, 10, 20);
    address.street_2 = text_.Letters(random, 10, 20);
    address.city = text_.Letters(random, 10, 20);
    address.state = text_.Letters(random, 2, 2);
    address.zip = text_.Zip(random);
    return address;
  }
  Customer DrawCustomer(Random& random, uint32_t c, bool bad_credit) {
    text_.Clear();
    Customer row;
    row.balance = -kInitialPayment;
    row.ytd_payment = kInitialPayment;
    row.payment_cnt = 1;
    row.delivery_cnt = 0;
    row.credit_lim = 50'000 * kDollar;
    row.discount =
        static_cast<TenThousandths>(Uniform(random, 0, kMostDiscount));
    row.since = options_.loaded_at_ms;
    row.first = text_.Letters(random, 8, 16);
    row.middle = "OE";
    // Every name is there at least once, so that a run finds whom it asks for.
    row.last = LastName(c <= kLastNames
                            ? c - 1
                            : kLastNameField.Draw(random, last_name_constant_));
    row.phone = text_.Digits(random, 16);
    row.credit = bad_credit ? "BC" : "GC";
    row.address = DrawAddress(random);
    row.data = text_.Letters(random, 300, 500);
    return row;
  }
  void WriteDistrictOrders(uint32_t w, uint8_t d, Random& orders,
                           Random& lines) {
    // Each customer has one order (clause 4.3.3.1).
    DrawPermutation(orders, kCustomersPerDistrict, &customers_);
    order_of_.resize(kCustomersPerDistrict);
    for (uint32_t o = 1; o <= kOrdersPerDistrict; ++o) {
      Order row;
      row.c_id = customers_[o - 1];
      row.entry_d = options_.loaded_at_ms;
      if (o < kFirstUndelivered) {
        row.carrier_id = static_cast<uint8_t>(Uniform(orders, 1, 10));
      }
      row.ol_cnt =
          static_cast<uint8_t>(Uniform(orders, kMinOrderLines, kMaxOrderLines));
      Put(Table::kOrder, KeyOfOrder(w, d, o).slice(), row);
      for (uint8_t number = 1; number <= row.ol_cnt; ++number) {
        WriteOrderLine(w, d, o, number, lines);
      }
      order_of_[row.c_id - 1] = o;
    }
    for (uint32_t c = 1; c <= kCustomersPerDistrict; ++c) {
      PutBytes(Table::kOrderByCustomer,
               KeyOfOrderByCustomer(w, d, c, order_of_[c - 1]).slice(), {});
    }
  }
  void WriteOrderLine(uint32_t w, uint8_t d, uint32_t o, uint8_t number,
                      Random& random) {
    text_.Clear();
    OrderLine row;
    row.i_id = Uniform(random, 1, kItems);
    row.supply_w_id = w;
    row.quantity = kInitialQuantity;
    if (o < kFirstUndelivered) {
      row.delivery_d = options_.loaded_at_ms;
    } else {
      row.amount = Uniform(random, 1, 999'999);
    }
    row.dist_info = text_.Letters(random, Stock::kDistBytes, Stock::kDistBytes);
    Put(Table::kOrderLine, KeyOfOrderLine(w, d, o, number).slice(), row);
  }
  void WriteNewOrders(uint32_t w, uint8_t d) {
    if (options_.low_water_marks) {
      value_.clear();
      table::Append(kFirstUndelivered, &value_);
      PutBytes(Table::kNewOrder, KeyOfOldestNewOrder(w, d).slice(), value_);
    }
    for (uint32_t o = kFirstUndelivered; o <= kOrdersPerDistrict; ++o) {
      PutBytes(Table::kNewOrder, KeyOfNewOrder(w, d, o).slice(), {});
    }
  }

  const PopulationOptions& options_;
  uint32_t last_name_constant_;
  RowSink& sink_;
  RandomText text_;
  std::string value_;
  std::vector<std::string> names_;   // of a district, as keys of the index
  std::vector<uint32_t> customers_;  // by order of a district
  std::vector<uint32_t> order_of_;   // by customer of a district
};

}  // namespace

uint32_t LastNameConstant(uint64_t seed) {
  // Warehouse 0 has no customers: its stream is free.
  Random random(seed,
                kPopulationStream + static_cast<uint64_t>(Table::kCustomer));
  return Uniform(random, 0, kLastNameField.a);
}

void WriteChunk(const PopulationOptions& options, uint64_t chunk,
                RowSink* sink) {
  ChunkWriter writer(options, sink);
  const auto w = static_cast<uint32_t>(chunk);
  if (w > 0) {
    writer.WriteCustomers(w);
    // Their names are sorted by district.
    sink->EndStretch();
    writer.WriteHistory(w);
    writer.WriteOrders(w);
    writer.WriteStock(w);
    return;
  }
  for (uint32_t each = 1; each <= options.warehouses; ++each) {
    writer.WriteWarehouse(each);
    writer.WriteDistricts(each);
  }
  writer.WriteItems();
}

table::Load LoadOf(const PopulationOptions& options, int threads) {
  table::Load load;
  load.tables = &Tables();
  load.threads = threads;
  // Warehouses are alike; the items and the rest of chunk 0 are less.
  for (uint32_t w = 1; w <= options.warehouses; ++w) load.chunks.push_back(w);
  load.chunks.push_back(0);
  load.write = [options](uint64_t number, RowSink* sink) {
    WriteChunk(options, number, sink);
  };
  return load;
}

nlohmann::json ToRecord(const PopulationOptions& options,
                        const LoadedRows& loaded) {
  nlohmann::json rows;
  for (size_t i = 0; i < kTables; ++i) {
    rows[std::string(Tables()[i].name)] = loaded.rows[i];
  }
  return {{"warehouses", options.warehouses},
          {"seed", options.seed},
          {"c_last", LastNameConstant(options.seed)},
          {"loaded_at_ms", options.loaded_at_ms},
          {"rows", rows}};
}

bool FromRecord(const nlohmann::json& record, DataSet* data_set) {
  // The library would cut -1 or 1.5 to a whole number.
  const auto number = [&record](const char* name) {
    const auto found = record.find(name);
    return found != record.end() && found->is_number_unsigned()
               ? found->get<uint64_t>()
               : UINT64_MAX;
  };
  const uint64_t warehouses = number("warehouses");
  const uint64_t c_last = number("c_last");
  *data_set = {static_cast<uint32_t>(warehouses),
               static_cast<uint32_t>(c_last)};
  return warehouses >= 1 && warehouses <= kMostWarehouses &&
         c_last <= kLastNameField.a;
}

}  // namespace waltax::tpcc
