#include "shop/rows.h"

#include <string_view>

#include "driver/random.h"

namespace waltax::shop {

namespace {

constexpr std::string_view kLetters =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr uint64_t kMostCents = 100'000'00;
constexpr int kLettersOfWord = 10;  // 62^10 is below 2^64

// The digits of a random fraction in base 62.
void AppendText(Random& random, size_t bytes, std::string* text) {
  text->clear();
  while (text->size() < bytes) {
    uint64_t fraction = random.Next();
    for (int i = 0; i < kLettersOfWord && text->size() < bytes; ++i) {
      const auto digit =
          static_cast<unsigned __int128>(fraction) * kLetters.size();
      text->push_back(kLetters[static_cast<size_t>(digit >> 64)]);
      fraction = static_cast<uint64_t>(digit);
    }
  }
}

Random Of(uint64_t seed, Table table, uint64_t number) {
  return Random(seed, number << 2 | static_cast<uint64_t>(table));
}

uint32_t DrawDate(Random& random) {
  const uint64_t year = 2000 + random.NextInt(20);
  const uint64_t month = 1 + random.NextInt(12);
  return static_cast<uint32_t>((year * 100 + month) * 100 + 1 +
                               random.NextInt(28));
}

}  // namespace

uint64_t Population::size(Table table) const {
  switch (table) {
    case Table::kCustomers:
      return sizes_.customers;
    case Table::kProducts:
      return sizes_.products;
    case Table::kOrders:
      return sizes_.orders;
  }
  return 0;
}

void Population::Write(uint64_t number, Customer* customer) const {
  Random random = Of(seed_, Table::kCustomers, number);
  customer->id = UidOf(Table::kCustomers, kLoadMachine, number);
  AppendText(random, kNameBytes, &customer->name);
  AppendText(random, kAddressBytes, &customer->address);
  customer->age = static_cast<uint32_t>(18 + random.NextInt(82));
}

void Population::Write(uint64_t number, Product* product) const {
  Random random = Of(seed_, Table::kProducts, number);
  product->id = UidOf(Table::kProducts, kLoadMachine, number);
  AppendText(random, kProductNameBytes, &product->name);
  AppendText(random, kCategoryBytes, &product->category);
  product->price_cents = static_cast<uint32_t>(1 + random.NextInt(kMostCents));
  product->quantity = static_cast<int32_t>(random.NextInt(kMostInStock));
  product->posted = DrawDate(random);
  AppendText(random, kDescriptionBytes, &product->description);
  product->changes = 0;
}

void Population::Write(uint64_t number, Order* order) const {
  Random random = Of(seed_, Table::kOrders, number);
  order->id = UidOf(Table::kOrders, kLoadMachine, number);
  order->customer_id =
      UidOf(Table::kCustomers, kLoadMachine, random.NextInt(sizes_.customers));
  order->product_id =
      UidOf(Table::kProducts, kLoadMachine, random.NextInt(sizes_.products));
  order->quantity = static_cast<uint32_t>(1 + random.NextInt(kMostOrdered));
  order->ordered_s =
      kFirstOrderedS + static_cast<uint32_t>(random.NextInt(kOrderedS));
}

}  // namespace waltax::shop
