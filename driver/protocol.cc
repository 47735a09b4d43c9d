#include "driver/protocol.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace waltax {
namespace {

using nlohmann::json;

// Over a hundred days: the stock LinkBench asks for 100,000 s, and nanoseconds
// still fit.
constexpr double kLongestS = 10'000'000;

struct SecondsKey {
  std::string_view name;
  double SliceRequest::* field;
};
constexpr std::array<SecondsKey, 4> kSecondsKeys = {{
    {"warmup_s", &SliceRequest::warmup_s},
    {"measure_s", &SliceRequest::measure_s},
    {"progress_s", &SliceRequest::progress_s},
    {"interval_s", &SliceRequest::interval_s},
}};

constexpr size_t kMostShown = 100;  // bytes of what was found

std::string Shortened(std::string text) {
  if (text.size() <= kMostShown) return text;
  text.resize(kMostShown);
  return text + "...";
}

// Arrays and objects are only named: dump() goes as deep as they are, and ten
// thousand brackets would end the process.
std::string Shown(const json& found) {
  if (found.is_structured()) return fmt::format("an {}", found.type_name());
  return Shortened(
      found.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

Status Refused(std::string_view key, const json& found,
               std::string_view wanted) {
  return Status::Usage(fmt::format("command: {}: found {}, want {}",
                                   Shortened(std::string(key)), Shown(found),
                                   wanted));
}

Status SetKey(const std::string& key, const json& value, SliceRequest* slice) {
  if (key == "requests" || key == "one_more") {
    if (!value.is_number_unsigned()) {
      return Refused(key, value, "a whole number of at least 0");
    }
    (key == "requests" ? slice->requests : slice->one_more) =
        value.get<uint64_t>();
    return Status::Ok();
  }
  for (const SecondsKey& known : kSecondsKeys) {
    if (key != known.name) continue;
    const double seconds = value.is_number() ? value.get<double>() : -1;
    if (seconds < 0 || seconds > kLongestS) {
      return Refused(key, value, "seconds from 0 to 10000000");
    }
    slice->*known.field = seconds;
    return Status::Ok();
  }
  return Refused(key, value,
                 "no such key, but warmup_s, measure_s, requests, one_more, "
                 "progress_s or interval_s");
}

Status ParseSlice(const json& object, SliceRequest* slice) {
  for (const auto& [key, value] : object.items()) {
    if (key == "cmd") continue;
    Status set = SetKey(key, value, slice);
    if (!set.ok()) return set;
  }
  if (slice->measure_s > 0 || slice->requests > 0) return Status::Ok();
  return Status::Usage(
      "command: measure_s: found 0, want more than 0 when requests is 0");
}

}  // namespace

Status ParseCommand(const std::string& line, Command* command) {
  const json object = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object() || !object.contains("cmd")) {
    return Status::Usage(fmt::format(
        "command: found '{}', want a JSON object like {{\"cmd\":\"run\","
        "\"measure_s\":2}}",
        Shortened(line)));
  }
  const json& cmd = object["cmd"];
  if (cmd == "run") {
    command->kind = Command::Kind::kRun;
    command->slice = SliceRequest();
    return ParseSlice(object, &command->slice);
  }
  if (cmd != "check" && cmd != "quit") {
    return Refused("cmd", cmd, "\"run\", \"check\" or \"quit\"");
  }
  if (object.size() > 1) {
    return Status::Usage(
        fmt::format("command: {} takes no other key", cmd.dump()));
  }
  command->kind = cmd == "check" ? Command::Kind::kCheck : Command::Kind::kQuit;
  return Status::Ok();
}

}  // namespace waltax
