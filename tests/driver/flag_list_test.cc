#include "driver/flag_list.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace waltax {
namespace {

struct Paint {
  int layers = 2;
  double gloss = .5;
  std::string colour = "blue";
};

template <typename Reader, typename Options>
void ListPaint(const Reader& flags, Options* paint) {
  flags("layer-count", &paint->layers, 1, 9, "layers");
  flags("gloss", &paint->gloss, 0, 1, "");
  flags.Choice("colour", &paint->colour, {"red", "blue"}, "what is seen");
}

class FlagList : public testing::Test {
 protected:
  // Parses "paint ARGUMENTS"; returns what it says of a wrong one.
  std::string Parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "paint");
    CLI::App app("paints", "paint");
    ListPaint(FlagAdder(&app).In("wall"), &paint_);
    testing::internal::CaptureStderr();
    (void)ParseOrExplain(app, static_cast<int>(arguments.size()),
                         arguments.data());
    return testing::internal::GetCapturedStderr();
  }
  nlohmann::json Values() {
    nlohmann::json values;
    ListPaint(FlagValues(&values).In("wall"), &paint_);
    return values;
  }

  Paint paint_;
};

TEST_F(FlagList, TellsWhatWasTypedAndTheDefaultsOfTheRest) {
  EXPECT_EQ(Parse({"--wall-layer-count=3", "--wall-gloss=.25"}), "");
  EXPECT_EQ(
      Values(),
      (nlohmann::json{
          {"wall", {{"layer_count", 3}, {"gloss", .25}, {"colour", "blue"}}}}));
}

TEST_F(FlagList, NamesTheFlagAndWhatItTakes) {
  EXPECT_EQ(Parse({"--wall-colour=green"}),
            "paint: --wall-colour: found \"green\", want one of: red blue\n");
  EXPECT_EQ(Parse({"--wall-layer-count=10"}),
            "paint: --wall-layer-count: found \"10\", want a whole number from "
            "1 to 9\n");
}

}  // namespace
}  // namespace waltax
