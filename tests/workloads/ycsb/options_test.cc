#include "workloads/ycsb/options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace waltax::ycsb {
namespace {

// What Resolve() says of the defaults with a change; empty: nothing.
template <typename Change>
std::string Refusal(const Change& change) {
  Options options;
  change(&options);
  const Status status = Resolve(&options);
  EXPECT_EQ(status.exit_code(), status.ok() ? 0 : 2);
  return status.message();
}

TEST(Options, AreThoseOfTheOriginalByDefault) {
  Options options;
  ASSERT_TRUE(Resolve(&options).ok());
  EXPECT_EQ(options.data.insertcount, 1000U);
  EXPECT_EQ(options.data.end(), 1000U);
  EXPECT_EQ(options.data.FieldNames().size(), 10U);
  EXPECT_EQ(options.data.FieldNames().back(), "field9");
  EXPECT_EQ(ToJson(options)["readproportion"], .95);
}

TEST(Options, HaveARangeOfRecordsThatEndsWithinThem) {
  Options options;
  options.data.insertstart = 400;
  ASSERT_TRUE(Resolve(&options).ok());
  EXPECT_EQ(options.data.insertcount, 600U);
  EXPECT_EQ(Refusal([](Options* o) { o->data.insertstart = 1000; }),
            "--insertstart: found 1000, want less than --recordcount, 1000");
  EXPECT_EQ(Refusal([](Options* o) {
              o->data.insertstart = 400;
              o->data.insertcount = 601;
            }),
            "--insertcount: found 601 from --insertstart 400 on, want at most "
            "600: --recordcount is 1000");
}

TEST(Options, HaveSharesThatAddUpToOne) {
  EXPECT_EQ(Refusal([](Options* o) { o->requests.proportions[1] = .1; }),
            "--readproportion 0.95, --updateproportion 0.1, --insertproportion "
            "0, --scanproportion 0, --readmodifywriteproportion 0: found a sum "
            "of 1.05, want 1");
  EXPECT_EQ(Refusal([](Options* o) {
              o->requests.proportions = {.1, .2, .3, .2, .2};
            }),
            "");
}

TEST(Options, RefuseWhatContradictsItself) {
  EXPECT_NE(Refusal([](Options* o) {
              o->data.dataintegrity = true;
              o->data.fieldlengthdistribution = "uniform";
            }).find("--dataintegrity: found with --fieldlengthdistribution"),
            std::string::npos);
  EXPECT_NE(Refusal([](Options* o) {
              o->data.fieldlengthdistribution = "zipfian";
              o->data.minfieldlength = 101;
            }).find("--minfieldlength: found 101"),
            std::string::npos);
  EXPECT_NE(Refusal([](Options* o) {
              o->requests.minscanlength = 1001;
            }).find("--minscanlength: found 1001"),
            std::string::npos);
  EXPECT_NE(Refusal([](Options* o) {
              o->requests.requestdistribution = "zipfian";
              o->requests.zipf_constant = 1.2;
            }).find("add --zipf exact"),
            std::string::npos);
  EXPECT_NE(Refusal([](Options* o) {
              o->requests.requestdistribution = "latest";
              o->data.insertstart = 10;
            }).find("--requestdistribution: found latest"),
            std::string::npos);
  EXPECT_NE(Refusal([](Options* o) {
              o->requests.requestdistribution = "hotspot";
              o->requests.hotspotdatafraction = 0;
            }).find("--hotspotdatafraction: found 0"),
            std::string::npos);
  EXPECT_NE(Refusal([](Options* o) {
              o->requests.blind = true;
            }).find("--blind: found without --writeallfields"),
            std::string::npos);
  EXPECT_NE(Refusal([](Options* o) {
              o->requests.blind = true;
              o->requests.writeallfields = true;
              o->requests.proportions = {.5, 0, 0, 0, .5};
            }).find("--blind: found with --readmodifywriteproportion"),
            std::string::npos);
}

TEST(DataSet, WantsTheFlagsThatItWasLoadedWith) {
  Options options;
  ASSERT_TRUE(Resolve(&options).ok());
  const nlohmann::json record = {{"data", ToJson(options.data)}};
  EXPECT_TRUE(CompareRecord(record, "there", options.data).ok());
  options.data.fieldcount = 9;
  EXPECT_EQ(CompareRecord(record, "there", options.data).message(),
            "--fieldcount: found 9, but the data set in there was loaded with "
            "10: pass that, or load another");
}

}  // namespace
}  // namespace waltax::ycsb
