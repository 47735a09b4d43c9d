// A line that a driver reads from its standard input.
#include <nlohmann/json.hpp>

#include "driver/serve.h"
#include "fuzz.h"

namespace waltax {
namespace {

constexpr size_t kLongest = 600;  // bytes of a message
constexpr double kLongestS = 10'000'000;

void RequireSlice(const SliceRequest& slice, const std::string& line) {
  for (const double seconds : {slice.warmup_s, slice.measure_s}) {
    fuzz::Require(seconds >= 0 && seconds <= kLongestS,
                  "seconds from 0 to 10000000", line);
  }
  fuzz::Require(slice.measure_s > 0 || slice.requests > 0,
                "a slice that has an end", line);
}

void RequireWords(const Status& status) {
  const std::string& words = status.message();
  fuzz::Require(words.starts_with("command: "), "words of the command", words);
  fuzz::Require(words.size() <= kLongest, "a message of a line or two", words);
  // A command's bytes go into an event, whatever they are.
  const fuzz::Printed printed;
  PrintEvent({{"event", "error"}, {"message", words}});
}

}  // namespace
}  // namespace waltax

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string line = waltax::fuzz::Text(data, size);
  waltax::Command command;
  const waltax::Status status = waltax::ParseCommand(line, &command);
  if (!status.ok()) {
    waltax::RequireWords(status);
  } else if (command.kind == waltax::Command::Kind::kRun) {
    waltax::RequireSlice(command.slice, line);
  }
  return 0;
}
