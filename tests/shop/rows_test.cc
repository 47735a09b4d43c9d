#include "shop/rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "shop/kv/row_codec.h"
#include "shop/options.h"

namespace waltax::shop {
namespace {

TEST(Rows, AreFortyTwentyFortyPercent) {
  const Sizes sizes(10'000);
  EXPECT_EQ(sizes.customers, 4'000U);
  EXPECT_EQ(sizes.products, 2'000U);
  EXPECT_EQ(sizes.orders, 4'000U);
  const Sizes uneven(10'003);
  EXPECT_EQ(uneven.customers + uneven.products + uneven.orders, 10'003U);
}

// What the study says of its three data sets.
TEST(Rows, AddUpToTheSizesOfTheStudy) {
  constexpr double kGib = 1 << 30;
  EXPECT_NEAR(static_cast<double>(Sizes(10'600'000).bytes()) / kGib, 3.13,
              .005);
  EXPECT_NEAR(static_cast<double>(Sizes(18'000'000).bytes()) / kGib, 5.32,
              .005);
  EXPECT_NEAR(static_cast<double>(Sizes(35'000'000).bytes()) / kGib, 10.34,
              .005);
  EXPECT_EQ(Sizes(10'000).bytes(), 3'172'000U);
}

TEST(Rows, FollowFromSeedAndNumber) {
  const Population one(10'000, 7);
  const Population other(10'000, 8);
  Product a;
  Product b;
  one.Write(3, &a);
  one.Write(3, &b);
  EXPECT_EQ(a, b);
  other.Write(3, &b);
  EXPECT_NE(a, b);
  EXPECT_EQ(a.id, b.id);
}

TEST(Rows, FillTheirColumnsWithLettersAndDigits) {
  const Population population(10'000, 7);
  Product product;
  std::map<char, int> letters;
  for (uint64_t number = 0; number < 100; ++number) {
    population.Write(number, &product);
    EXPECT_EQ(product.name.size(), 64U);
    EXPECT_EQ(product.category.size(), 32U);
    EXPECT_EQ(product.description.size(), 1024U);
    for (const char letter : product.description) ++letters[letter];
  }
  EXPECT_EQ(letters.size(), 62U);
  for (const auto& [letter, count] : letters) {
    EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(letter)));
    EXPECT_NEAR(count, 102'400 / 62, 250);
  }
}

TEST(Rows, OfRocksdbTakeTheBytesOfTheirTypes) {
  const Population population(10'000, 7);
  Product product;
  Customer customer;
  Order order;
  population.Write(1, &product);
  population.Write(1, &customer);
  population.Write(1, &order);
  std::string bytes;
  // But for the lengths of a server's texts: two bytes, one, and one.
  Encode(product, &bytes);
  EXPECT_EQ(8 + bytes.size() + 4, kProductBytes);
  Product decoded;
  decoded.id = product.id;
  ASSERT_TRUE(Decode(bytes, &decoded));
  EXPECT_EQ(decoded, product);
  EXPECT_FALSE(Decode(bytes.substr(1), &decoded));
  Encode(customer, &bytes);
  EXPECT_EQ(8 + bytes.size() + 2, kCustomerBytes);
  Encode(order, &bytes);
  EXPECT_EQ(8 + bytes.size(), kOrderBytes);
}

TEST(Known, IsAShareOfCustomersAndProductsWithTheirOrders) {
  Options options;
  options.data.rows = 10'000;
  EXPECT_EQ(Known(options).working_set_bytes, 3'172'000U + 16 * 4'000);
  options.run.known_share = .1;
  const Known known(options);
  EXPECT_EQ(known.customers, 400U);
  EXPECT_EQ(known.products, 200U);
  EXPECT_EQ(known.working_set_bytes, 400 * 187U + 200 * 1148 + 400 * 48);
  options.run.known_share = 1e-6;
  EXPECT_EQ(Known(options).customers, 1U);
}

}  // namespace
}  // namespace waltax::shop
