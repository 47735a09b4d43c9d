#include "driver/loaded_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace waltax {

namespace {

std::string Text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// Keys are written with `_` in results, and with `-` on a command line.
std::string AsFlag(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return key;
}

}  // namespace

Status CompareLoadedFlag(const std::string& flag, const nlohmann::json& loaded,
                         const nlohmann::json& wanted,
                         const std::string& where) {
  const nlohmann::json found = loaded.value(flag, nlohmann::json());
  if (found == wanted[flag]) return Status::Ok();
  return Status::Usage(
      fmt::format("--{}: found {}, but the data set in {} was loaded with {}: "
                  "pass that, or load another",
                  AsFlag(flag), Text(wanted[flag]), where, Text(found)));
}

Status CompareLoadedFlags(const nlohmann::json& loaded,
                          const nlohmann::json& wanted,
                          const std::string& where) {
  for (const auto& item : wanted.items()) {
    const Status status = CompareLoadedFlag(item.key(), loaded, wanted, where);
    if (!status.ok()) return status;
  }
  return Status::Ok();
}

}  // namespace waltax
