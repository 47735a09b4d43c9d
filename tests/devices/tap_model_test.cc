// The tap's latency model: interpolation, costs and draws.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "devices/preload/tap/model.h"

namespace {

struct Row {
  uint64_t bytes;
  std::vector<tap_quantile> quantiles;
};

class TapModel : public testing::Test {
 protected:
  TapModel() {
    model_->seed = 7;
    model_->write_ns = 1000;
    model_->write_ns_per_kib = 512;
    model_->bandwidth_bytes_per_s = 500000000;
  }

  void Load(const std::vector<Row>& rows) {
    tap_sync_table& table = model_->sync;
    table.rows = rows.size();
    for (size_t i = 0; i < rows.size(); ++i) {
      table.row[i].bytes = rows[i].bytes;
      table.row[i].count = rows[i].quantiles.size();
      std::copy(rows[i].quantiles.begin(), rows[i].quantiles.end(),
                table.row[i].quantiles);
    }
  }

  uint64_t Sync(uint64_t bytes, uint64_t percent) const {
    return tap_model_sync(model_.get(), bytes, percent);
  }

  std::unique_ptr<tap_model> model_ = std::make_unique<tap_model>();
};

TEST_F(TapModel, IsConstantWithOneQuantile) {
  Load({{100, {{50000, 20000}}}});
  for (const uint64_t percent : {0, 1, 50000, 99999, 100000})
    EXPECT_EQ(Sync(100, percent), 20000u);
}

TEST_F(TapModel, InterpolatesBetweenQuantiles) {
  Load({{0, {{0, 1000}, {50000, 2000}, {100000, 12000}}}});
  EXPECT_EQ(Sync(0, 0), 1000u);
  EXPECT_EQ(Sync(0, 25000), 1500u);
  EXPECT_EQ(Sync(0, 50000), 2000u);
  EXPECT_EQ(Sync(0, 99000), 11800u);
  EXPECT_EQ(Sync(0, 100000), 12000u);
}

TEST_F(TapModel, InterpolatesBetweenSizesAtEqualQuantile) {
  Load({{100, {{0, 1000}, {100000, 3000}}}, {300, {{50000, 9000}}}});
  EXPECT_EQ(Sync(10, 50000), 2000u);
  EXPECT_EQ(Sync(100, 50000), 2000u);
  EXPECT_EQ(Sync(200, 50000), 5500u);
  EXPECT_EQ(Sync(200, 0), 5000u);
  EXPECT_EQ(Sync(300, 0), 9000u);
}

TEST_F(TapModel, AddsTransferTimeBeyondTheLargestSize) {
  Load({{100, {{50000, 1000}}}});
  EXPECT_EQ(Sync(100 + 5000, 0), 1000u + 10000u);
}

TEST_F(TapModel, CostsGrowWithTheBytes) {
  EXPECT_EQ(tap_model_write(model_.get(), 4096), 1000u + 2048u);
  EXPECT_EQ(tap_model_transfer(model_.get(), 1000000), 2000000u);
}

constexpr int kDraws = 200000;

TEST_F(TapModel, DrawsAreReproducibleAndPreserveTheMean) {
  Load({{0, {{0, 1000}, {50000, 2000}, {100000, 12000}}}});
  double sum = 0;
  uint64_t draws = 0;
  uint64_t again = 0;
  for (int i = 0; i < kDraws; ++i) {
    const uint64_t percent = tap_model_draw(model_.get(), &draws);
    ASSERT_LE(percent, static_cast<uint64_t>(TAP_ALL));
    ASSERT_EQ(percent, tap_model_draw(model_.get(), &again));
    sum += static_cast<double>(Sync(0, percent));
  }
  EXPECT_NEAR(sum / kDraws, (1500 + 7000) / 2.0, 30);
}

}  // namespace
