#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "workloads/ycsb/records.h"

namespace waltax::ycsb {
namespace {

TEST(Payload, ThatCanBeCheckedIsTheOriginals) {
  std::string bytes;
  AppendDeterministic("user6284781860667377211", "field0", 100, &bytes);
  EXPECT_EQ(bytes,
            "user6284781860667377211:field0:-56807877:2032869390:-165488160:"
            "1762371712:-169193395:-1039977118:-10");
  // Cut also in the middle of the key.
  bytes = "before";
  AppendDeterministic("user6284781860667377211", "field0", 5, &bytes);
  EXPECT_EQ(bytes, "beforeuser6");
}

TEST(Payload, HashesTextAsJavaDoes) {
  EXPECT_EQ(JavaHash(""), 0);
  EXPECT_EQ(JavaHash("hello"), 99'162'322);
  EXPECT_EQ(JavaHash("lo", JavaHash("hel")), 99'162'322);
  EXPECT_EQ(JavaHash("polygenelubricants"), INT32_MIN);
}

// Six bytes of each 32 random bits, of 96 values in all.
TEST(Payload, OfRandomBytesHasTheEntropyOfTheOriginal) {
  Random random(1);
  std::string bytes;
  AppendRandom(random, 600'000, &bytes);
  std::array<double, 256> shares{};
  for (const unsigned char letter : bytes) {
    shares[letter] += 1.0 / static_cast<double>(bytes.size());
  }
  double entropy = 0;
  int values = 0;
  for (size_t letter = 0; letter < shares.size(); ++letter) {
    if (shares[letter] == 0) continue;
    EXPECT_GE(letter, size_t{' '});
    EXPECT_LE(letter, size_t{' '} + 95);
    ++values;
    entropy -= shares[letter] * std::log2(shares[letter]);
  }
  EXPECT_EQ(values, 96);
  EXPECT_NEAR(entropy, 6.25, .01);
}

TEST(RecordModel, DrawsAllFieldsOrOne) {
  DataOptions data;
  data.fieldcount = 3;
  data.fieldlength = 7;
  const RecordModel model(data);
  EXPECT_EQ(model.names(),
            (std::vector<std::string>{"field0", "field1", "field2"}));
  Random random(1);
  Values values;
  model.Draw(random, std::nullopt, &values);
  ASSERT_EQ(values.fields.size(), 3U);
  for (const std::string_view field : values.fields) {
    EXPECT_EQ(field.size(), 7U);
    EXPECT_TRUE(model.Holds("user1", 0, field));
  }
  model.Draw(random, 2, &values);
  EXPECT_EQ(values.fields.size(), 1U);
  EXPECT_EQ(values.field, 2U);
}

TEST(RecordModel, DrawsLengthsBetweenTheLeastAndTheMost) {
  DataOptions data;
  data.minfieldlength = 5;
  data.fieldlength = 9;
  data.fieldlengthdistribution = "uniform";
  const RecordModel model(data);
  Random random(1);
  Values values;
  std::array<int, 16> seen{};
  for (int i = 0; i < 1000; ++i) {
    model.Draw(random, 0, &values);
    ++seen.at(values.fields[0].size());
  }
  for (size_t length = 0; length < seen.size(); ++length) {
    EXPECT_EQ(seen[length] > 0, length >= 5 && length <= 9) << length;
  }
}

TEST(RecordModel, KnowsWhatAFieldMustHold) {
  DataOptions data;
  const RecordModel drawn(data);
  const std::string fitting(100, 'x');
  EXPECT_TRUE(drawn.Holds("user1", 0, fitting));
  EXPECT_FALSE(drawn.Holds("user1", 0, fitting.substr(1)));
  EXPECT_FALSE(drawn.Holds("user1", 0, std::string(100, '\0')));
  data.dataintegrity = true;
  const RecordModel computed(data);
  EXPECT_FALSE(computed.Holds("user1", 0, fitting));
  Values values;
  computed.Compute("user1", 4, &values);
  EXPECT_TRUE(computed.Holds("user1", 4, values.fields[0]));
  EXPECT_FALSE(computed.Holds("user1", 5, values.fields[0]));
  EXPECT_FALSE(computed.Holds("user2", 4, values.fields[0]));
}

}  // namespace
}  // namespace waltax::ycsb
