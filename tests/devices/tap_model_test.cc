// The tap's latency model: parsing, interpolation, draws, refusals.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "devices/preload/tap/model.h"

namespace {

constexpr char kScalars[] =
    "waltax-tap-model 1\nseed 7\nwrite_ns 1000\nwrite_ns_per_kib 512\n"
    "bandwidth_bytes_per_s 500000000\ncache_bytes 1048576\n"
    "cpu_caller_ns 700\ncpu_caller_ns_per_kib 200\ncpu_kernel_ns 0\n"
    "sync_sleeps 3\ndir_sync_ns 5000\n";

// The parser's complaint, or "".
std::string Parse(std::string text, tap_model* model) {
  const char* wrong = tap_model_parse(text.data(), model);
  return wrong == nullptr ? "" : wrong;
}

class TapModel : public testing::Test {
 protected:
  void Load(const std::string& rows) {
    ASSERT_EQ(Parse(kScalars + rows, model_.get()), "");
  }
  std::unique_ptr<tap_model> model_ = std::make_unique<tap_model>();
};

TEST_F(TapModel, IsConstantWithOneQuantile) {
  Load("sync 100 50000:20000\n");
  for (const uint64_t percent : {0, 1, 50000, 99999, 100000})
    EXPECT_EQ(tap_model_sync(model_.get(), TAP_PREALLOCATED, 100, percent),
              20000u);
}

TEST_F(TapModel, InterpolatesBetweenQuantiles) {
  Load("sync 0 0:1000 50000:2000 100000:12000\n");
  EXPECT_EQ(tap_model_sync(model_.get(), TAP_PREALLOCATED, 0, 0), 1000u);
  EXPECT_EQ(tap_model_sync(model_.get(), TAP_PREALLOCATED, 0, 25000), 1500u);
  EXPECT_EQ(tap_model_sync(model_.get(), TAP_PREALLOCATED, 0, 50000), 2000u);
  EXPECT_EQ(tap_model_sync(model_.get(), TAP_PREALLOCATED, 0, 99000), 11800u);
  EXPECT_EQ(tap_model_sync(model_.get(), TAP_PREALLOCATED, 0, 100000), 12000u);
}

TEST_F(TapModel, InterpolatesBetweenSizesAtEqualQuantile) {
  Load("sync 100 0:1000 100000:3000\nsync 300 50000:9000\n");
  EXPECT_EQ(tap_model_sync(model_.get(), TAP_PREALLOCATED, 10, 50000), 2000u);
  EXPECT_EQ(tap_model_sync(model_.get(), TAP_PREALLOCATED, 100, 50000), 2000u);
  EXPECT_EQ(tap_model_sync(model_.get(), TAP_PREALLOCATED, 200, 50000), 5500u);
  EXPECT_EQ(tap_model_sync(model_.get(), TAP_PREALLOCATED, 200, 0), 5000u);
  EXPECT_EQ(tap_model_sync(model_.get(), TAP_PREALLOCATED, 300, 0), 9000u);
}

TEST_F(TapModel, AddsTransferTimeBeyondTheLargestSize) {
  Load("sync 100 50000:1000\n");
  EXPECT_EQ(tap_model_sync(model_.get(), TAP_PREALLOCATED, 100 + 5000, 0),
            1000u + 10000u);
}

TEST_F(TapModel, HasATableForEachStateOfTheFile) {
  Load(
      "sync_recycled 100 50000:1000\nsync 100 50000:2000\n"
      "sync_growing 50 50000:3000\nsync_growing 100 50000:4000\n");
  const auto sync = [&](tap_file_state state) {
    return tap_model_sync(model_.get(), state, 100, 50000);
  };
  EXPECT_EQ(sync(TAP_RECYCLED), 1000u);
  EXPECT_EQ(sync(TAP_PREALLOCATED), 2000u);
  EXPECT_EQ(sync(TAP_GROWING), 4000u);
}

TEST_F(TapModel, TakesThePreallocatedTableForStatesWithoutOne) {
  Load("sync 100 50000:2000\n");
  for (const tap_file_state state : {TAP_GROWING, TAP_RECYCLED})
    EXPECT_EQ(tap_model_sync(model_.get(), state, 100, 50000), 2000u);
}

TEST_F(TapModel, MayDoWithoutTheSleepsOfItsCaller) {
  std::string text = kScalars;
  text.erase(text.find("sync_sleeps"), sizeof("sync_sleeps 3"));
  ASSERT_EQ(Parse(text + "sync 0 0:500\n", model_.get()), "");
  EXPECT_EQ(model_->sync_sleeps, 0u);
}

TEST_F(TapModel, CostsOfWritesGrowWithTheirSize) {
  Load("sync 100 50000:1000\n");
  EXPECT_EQ(tap_model_write(model_.get(), 0), 1000u);
  EXPECT_EQ(tap_model_write(model_.get(), 4096), 1000u + 2048u);
  EXPECT_EQ(tap_model_transfer(model_.get(), 1000000), 2000000u);
  EXPECT_EQ(tap_model_cpu(model_.get(), 2048), 700u + 400u);
  EXPECT_EQ(model_->sync_sleeps, 3u);
}

constexpr int kDraws = 200000;

TEST_F(TapModel, DrawsAreReproducibleAndPreserveTheMean) {
  Load("sync 0 0:1000 50000:2000 100000:12000\n");
  double sum = 0;
  uint64_t word = 0;
  uint64_t again = 0;
  for (int i = 0; i < kDraws; ++i) {
    const uint64_t percent = tap_model_draw(model_.get(), &word);
    ASSERT_LE(percent, static_cast<uint64_t>(TAP_ALL));
    ASSERT_EQ(percent, tap_model_draw(model_.get(), &again));
    sum += static_cast<double>(
        tap_model_sync(model_.get(), TAP_PREALLOCATED, 0, percent));
  }
  EXPECT_NEAR(sum / kDraws, (1500 + 7000) / 2.0, 30);
}

TEST_F(TapModel, SlowDrawsComeInRunsAndAreAsManyAsWithoutThem) {
  Load("slow_percent 5000\nslow_run 8000\nsync 0 0:1000 100000:101000\n");
  double sum = 0;
  int slow = 0;
  int runs = 0;
  bool last = false;
  uint64_t word = 0;
  for (int i = 0; i < kDraws; ++i) {
    const uint64_t percent = tap_model_draw(model_.get(), &word);
    ASSERT_LE(percent, static_cast<uint64_t>(TAP_ALL));
    const bool now = percent > 95000;
    slow += now;
    runs += now && !last;
    last = now;
    sum += static_cast<double>(percent);
  }
  EXPECT_NEAR(static_cast<double>(slow) / kDraws, 0.05, 0.005);
  EXPECT_NEAR(static_cast<double>(slow) / runs, 8.0, 0.8);
  EXPECT_NEAR(sum / kDraws, TAP_ALL / 2.0, 700);
  EXPECT_EQ(word >> 1, static_cast<uint64_t>(kDraws));
}

TEST_F(TapModel, RefusesRunsThatCannotBe) {
  for (const char* one : {"slow_percent 1000\n", "slow_run 8000\n",
                          "slow_percent 1000\nslow_run 999\n",
                          "slow_percent 50001\nslow_run 8000\n",
                          "slow_percent 1000\nslow_run 1000000001\n"}) {
    Load(std::string(one) + "sync 0 0:1000\n");
    EXPECT_NE(tap_model_refusal(model_.get()), nullptr) << one;
  }
  Load("slow_percent 1000\nslow_run 1000\nsync 0 0:1000\n");
  EXPECT_EQ(tap_model_refusal(model_.get()), nullptr);
}

TEST_F(TapModel, RefusesWhatIsUnderTheFloor) {
  Load("sync 0 0:499 100000:12000\n");
  EXPECT_NE(tap_model_refusal(model_.get()), nullptr);
  Load("sync 0 0:500 100000:12000\n");
  EXPECT_EQ(tap_model_refusal(model_.get()), nullptr);
  Load("sync 0 0:500\nsync_recycled 0 50000:600\nsync_recycled 1 0:400\n");
  EXPECT_NE(tap_model_refusal(model_.get()), nullptr);
}

TEST_F(TapModel, SaysWhatIsWrongWithItsText) {
  const std::string scalars = kScalars;
  const auto complaint = [&](const std::string& text) {
    return Parse(text, model_.get());
  };
  EXPECT_EQ(complaint(""), "the first line is not 'waltax-tap-model 1'");
  EXPECT_EQ(complaint(scalars), "no sync row");
  EXPECT_EQ(complaint(scalars + "sync_growing 0 0:500\n"), "no sync row");
  EXPECT_EQ(complaint("waltax-tap-model 1\nsync 0 0:500\n"),
            "a key is missing");
  EXPECT_EQ(complaint(scalars + "color 3\n"), "an unknown key");
  EXPECT_EQ(complaint(scalars + "seed -3\n"), "a value is not a whole number");
  EXPECT_EQ(complaint(scalars + "seed 18446744073709551616\n"),
            "a value is not a whole number");
  EXPECT_EQ(complaint(scalars + "sync 0 0:99999999999999999999\n"),
            "a sync row is not BYTES PERCENT:NS ...");
  EXPECT_EQ(complaint(scalars + "sync 0 0-5\n"),
            "a sync row is not BYTES PERCENT:NS ...");
  EXPECT_EQ(complaint(scalars + "sync 0 100001:5\n"),
            "a sync row is not BYTES PERCENT:NS ...");
  EXPECT_EQ(complaint(scalars + "sync 0 0:500 5:400\n"),
            "quantiles of a sync row do not rise");
  EXPECT_EQ(complaint(scalars + "sync 9 0:500\nsync 9 0:500\n"),
            "sync sizes do not rise");
}

}  // namespace
