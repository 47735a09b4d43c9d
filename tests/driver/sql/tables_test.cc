// Rows go to a server and come back as the bytes that RocksDB has of them.
#include "driver/sql/tables.h"

#include <tuple>
#include <utility>

#include "driver/sql/load.h"
#include "tests/driver/sql/server.h"

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

struct Berth {
  bool taken = false;
  std::string_view note;

  static constexpr auto Columns() {
    return std::tuple(
        Column{"taken", {"TINYINT NOT NULL"}, &Berth::taken},
        Column{"note", {"VARCHAR(9) NOT NULL", As::kRest}, &Berth::note});
  }
};

// Keys begin with the harbour, the server's primary key with the kind, and the
// index comes once all rows are there.
const Tables& Berths() {
  const table::KeyPart harbour = {"harbour", 8, "harbour"};
  static const Tables tables = {{.name = "berths",
                                 .server = "berths",
                                 .prefix = "",
                                 .key = {harbour, {"kind", 8, "kind"}},
                                 .columns = table::ColumnsOf<Berth>(),
                                 .indexes = {{.name = "by_harbour",
                                              .columns = "harbour, kind, note",
                                              .reversed = true,
                                              .after_load = true}},
                                 .lead = 1},
                                {.name = "notes",
                                 .server = "berths",
                                 .prefix = "",
                                 .key = {harbour, {"kind", 8}},
                                 .columns = {{"note", {"", As::kRest}}},
                                 .index = "by_harbour"}};
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
    table::Load load;
    load.tables = &Harbour();
    load.chunks = {0};
    load.write = [&rows](uint64_t /*number*/, table::RowSink* sink) {
      for (const auto& [key, value] : rows) sink->Put(0, key, value);
    };
    LoadedRows loaded;
    const Status status =
        LoadTables({flags_, TestEngine()}, load, false, &loaded);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  Rows Scanned(size_t table, const table::KeyRange& prefix) {
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

TEST_F(TablesTest, ShowAnIndexInTheOrderOfTheServer) {
  Load(rows_);
  const auto key = [](char pier, char id) {
    return pier + std::string("\xff\xff\xff") + static_cast<char>(~id);
  };
  EXPECT_EQ(Scanned(1, ""),
            Rows({{key(1, 1), ""}, {key(1, 2), ""}, {key(2, 1), ""}}));
}

// Two chunks, each with all kinds: MyRocks wants a stretch of each.
class LeadTest : public ServerTest {
 protected:
  static constexpr uint64_t kHarbours = 2000;
  static constexpr uint64_t kLarge = uint64_t{1} << 40;

  static std::string KeyOf(uint64_t harbour, uint64_t kind) {
    std::string key;
    for (const uint64_t part : {harbour + kLarge, kind}) {
      for (int byte = 7; byte >= 0; --byte) {
        key.push_back(static_cast<char>(part >> (8 * byte)));
      }
    }
    return key;
  }
  static void WriteChunk(uint64_t number, table::RowSink* sink) {
    for (uint64_t harbour = 0; harbour < kHarbours; ++harbour) {
      for (const uint64_t kind : {7, 9}) {
        const std::string key = KeyOf(number * kHarbours + harbour, kind);
        std::string value;
        table::EncodeRow(Berth{harbour % 2 == 1, "a\tb"}, &value);
        sink->Put(0, key, value);
        sink->Put(1, key, "a\tb");
      }
    }
  }
  Rows Scanned(size_t table, const table::KeyRange& range) {
    Rows rows;
    const Status status =
        ScanTable(*connection_, Berths(), table, range,
                  [&](std::string_view key, std::string_view value) {
                    rows.emplace_back(key, value);
                  });
    EXPECT_TRUE(status.ok()) << status.message();
    return rows;
  }
};

TEST_F(LeadTest, OfAPrimaryKeyIsNoHindranceToLoadsAndScans) {
  table::Load load;
  load.tables = &Berths();
  load.threads = 2;
  load.chunks = {0, 1};
  load.write = WriteChunk;
  LoadedRows loaded;
  const Status status =
      LoadTables({flags_, TestEngine()}, load, false, &loaded);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(loaded.rows, std::vector<uint64_t>(2, 4 * kHarbours));
  EXPECT_EQ(Scanned(0, {}).size(), 4 * kHarbours);
  EXPECT_EQ(Scanned(1, {}).size(), 4 * kHarbours);
  const table::KeyRange two(KeyOf(1, 0).substr(0, 8), KeyOf(2, 0).substr(0, 8));
  EXPECT_EQ(Scanned(0, two), Rows({{KeyOf(1, 7), "\1a\tb"},
                                   {KeyOf(2, 7), std::string("\0a\tb", 4)},
                                   {KeyOf(1, 9), "\1a\tb"},
                                   {KeyOf(2, 9), std::string("\0a\tb", 4)}}));
  EXPECT_EQ(Scanned(1, two).size(), 4U);
  EXPECT_EQ(Scanned(0, {"", two.last}).size(), 6U);
  EXPECT_EQ(Scanned(0, {two.first, ""}).size(), 4 * kHarbours - 2);
}

TEST_F(LeadTest, MakesARangeOfKeysOneOfTheIndex) {
  const table::KeyRange two(KeyOf(1, 0).substr(0, 8), KeyOf(2, 0).substr(0, 8));
  EXPECT_EQ(ScanStatement(Berths()[0], two, "7, 9"),
            "SELECT harbour, kind, taken, note FROM berths FORCE INDEX "
            "(PRIMARY) WHERE kind IN (7, 9) AND harbour BETWEEN 1099511627777 "
            "AND 1099511627778 ORDER BY kind, harbour");
}

TEST_F(TablesTest, SayWhatIsMissingOfThem) {
  CreateTable("harbour", "h_pier INT PRIMARY KEY");
  const Status status = ScanTable(*connection_, Harbour(), 0, "",
                                  [](std::string_view, std::string_view) {});
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_NE(status.message().find("Unknown column 'h_id'"), std::string::npos)
      << status.message();
}

}  // namespace
}  // namespace waltax::mariadb
