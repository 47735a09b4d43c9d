#include "driver/protocol.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace waltax {
namespace {

using nlohmann::json;

// Over a hundred days: the stock LinkBench asks for 100,000 s, and nanoseconds
// still fit.
constexpr double kLongestS = 10'000'000;
constexpr double kMostRequests = 1e15;
constexpr size_t kMostShown = 200;  // bytes of what was found

Status Refused(std::string why) {
  if (why.size() > kMostShown) why = why.substr(0, kMostShown) + "...";
  return Status::Usage("command: " + why);
}

// Leaves `number` as it is where the key is left out. Throws json::exception.
template <typename Number>
Status Take(const json& object, const char* key, double most, Number* number) {
  const double given = object.value(key, static_cast<double>(*number));
  if (given >= 0 && given <= most) {
    *number = static_cast<Number>(given);
    if (static_cast<double>(*number) == given) return Status::Ok();
  }
  return Refused(fmt::format(
      "{}: found {}, want a {} from 0 to {}", key, given,
      std::is_integral_v<Number> ? "whole number" : "number", most));
}

Status ParseSlice(const json& object, SliceRequest* slice) {
  *slice = {};
  for (const Status& taken :
       {Take(object, "warmup_s", kLongestS, &slice->warmup_s),
        Take(object, "measure_s", kLongestS, &slice->measure_s),
        Take(object, "progress_s", kLongestS, &slice->progress_s),
        Take(object, "requests", kMostRequests, &slice->requests),
        Take(object, "one_more", kMostRequests, &slice->one_more)}) {
    if (!taken.ok()) return taken;
  }
  if (slice->measure_s > 0 || slice->requests > 0) return Status::Ok();
  return Refused("measure_s: found 0, want more than 0 when requests is 0");
}

}  // namespace

Status ParseCommand(const std::string& line, Command* command) {
  try {
    const json object = json::parse(line);
    const auto cmd = object.at("cmd").get<std::string>();
    if (cmd == "run") {
      command->kind = Command::Kind::kRun;
      return ParseSlice(object, &command->slice);
    }
    command->kind =
        cmd == "check" ? Command::Kind::kCheck : Command::Kind::kQuit;
    if (cmd == "check" || cmd == "quit") return Status::Ok();
    return Refused("cmd: want run, check or quit, found " + cmd);
  } catch (const json::exception& error) {
    return Refused(error.what());
  }
}

}  // namespace waltax
