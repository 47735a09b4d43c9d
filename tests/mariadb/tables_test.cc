// Rows go to a server and come back as the bytes that RocksDB has of them.
#include "mariadb/tables.h"

#include <tuple>
#include <utility>

#include "tests/mariadb/server.h"

namespace waltax::mariadb {
namespace {

using table::As;
using table::Column;

struct Stay {
  int16_t depth = 0;
  int64_t cents = 0;
  uint64_t arrived_ms = 0;
  uint8_t guests = 0;
  std::string_view flags;

  static constexpr auto Columns() {
    return std::tuple(
        Column{"depth", {"SMALLINT NOT NULL"}, &Stay::depth},
        Column{
            "paid", {"DECIMAL(12,2) NOT NULL", As::kDecimal, 2}, &Stay::cents},
        Column{"arrived", {"DATETIME(3)", As::kTime}, &Stay::arrived_ms},
        Column{"guests", {"TINYINT UNSIGNED", As::kNullIfZero}, &Stay::guests},
        Column{"flag_", {.sql = "CHAR(2) NOT NULL", .parts = 2}, &Stay::flags});
  }
};

const Tables& Harbour() {
  static const Tables tables = {
      {.name = "stays",
       .server = "harbour",
       .prefix = "h_",
       .key = {{"pier", 1, "pier"}, {"id", 4, "stay"}},
       .columns = table::ColumnsOf<Stay>(),
       .indexes = {{"by_depth", "h_pier, h_depth, h_id"}}},
      {.name = "stay_by_depth",
       .server = "harbour",
       .prefix = "h_",
       .key = {{"pier", 1, "pier"},
               {.name = "id", .bytes = 4, .largest_first = true}},
       .columns = {},
       .index = "PRIMARY"}};
  return tables;
}

using Rows = std::vector<std::pair<std::string, std::string>>;

std::string Key(char pier, char id) {
  return pier + std::string("\0\0\0", 3) + id;
}

std::string Value(const Stay& stay) {
  std::string value;
  table::EncodeRow(stay, &value);
  return value;
}

class TablesTest : public ServerTest {
 protected:
  void Load(const Rows& rows) {
    const Status created = CreateTables(*connection_, Harbour(), TestEngine());
    ASSERT_TRUE(created.ok()) << created.message();
    BulkLoader loader(connection_.get(), TestEngine(), BulkTables(Harbour()));
    BulkRows bulk(Harbour(), &loader);
    for (const auto& [key, value] : rows) bulk.Add(0, key, value);
    const Status status = loader.Finish();
    ASSERT_TRUE(status.ok()) << status.message();
  }
  Rows Scanned(size_t table, const std::string& prefix) {
    Rows rows;
    const Status status =
        ScanTable(*connection_, Harbour(), table, prefix,
                  [&](std::string_view key, std::string_view value) {
                    rows.emplace_back(key, value);
                  });
    EXPECT_TRUE(status.ok()) << status.message();
    return rows;
  }

  Rows rows_ = {{Key(1, 1), Value({-7, -1234, 1'700'000'000'123, 0, "abcd"})},
                {Key(1, 2), Value({7, 5, 0, 255, "efgh"})},
                {Key(2, 1), Value({0, 0, 1, 1, "ijkl"})}};
};

TEST_F(TablesTest, GiveBackTheRowsThatTheyGot) {
  Load(rows_);
  EXPECT_EQ(Scanned(0, ""), rows_);
  EXPECT_EQ(Scanned(0, std::string(1, 2)), Rows({rows_[2]}));
  // A prefix that ends inside of a number.
  EXPECT_EQ(Scanned(0, Key(1, 0).substr(0, 3)), Rows({rows_[0], rows_[1]}));
  EXPECT_EQ(Scanned(0, Key(1, 2)), Rows({rows_[1]}));
}

TEST_F(TablesTest, HoldWhatAClientOfTheServerExpects) {
  Load(rows_);
  EXPECT_EQ(Ask(*connection_,
                "SELECT CONCAT_WS(' ', h_depth, h_paid, h_arrived, h_guests, "
                "h_flag_01, h_flag_02) FROM harbour WHERE h_id = 1 AND h_pier "
                "= 1"),
            "-7 -12.34 2023-11-14 22:13:20.123 ab cd");
  EXPECT_EQ(Ask(*connection_,
                "SELECT COUNT(*) FROM harbour FORCE INDEX (by_depth) WHERE "
                "h_arrived IS NULL AND h_guests = 255"),
            "1");
}

TEST_F(TablesTest, ShowTheLargestFirstWhereKeysHaveIt) {
  Load(rows_);
  const auto key = [](char pier, char id) {
    return pier + std::string("\xff\xff\xff") + static_cast<char>(~id);
  };
  EXPECT_EQ(Scanned(1, ""),
            Rows({{key(1, 2), ""}, {key(1, 1), ""}, {key(2, 1), ""}}));
}

TEST_F(TablesTest, SayWhatIsMissingOfThem) {
  CreateTable("harbour", "h_pier INT PRIMARY KEY");
  const Status status = ScanTable(*connection_, Harbour(), 0, "",
                                  [](std::string_view, std::string_view) {});
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_NE(status.message().find(
                "\n  harbour: h_pier, h_id, h_depth, h_paid, h_arrived, "
                "h_guests, h_flag_01, h_flag_02; PRIMARY KEY (h_pier, h_id), "
                "KEY by_depth (h_pier, h_depth, h_id)"),
            std::string::npos)
      << status.message();
}

}  // namespace
}  // namespace waltax::mariadb
