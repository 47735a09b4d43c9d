// A workload's flags as one list with two readers: FlagAdder adds them to a
// command, and FlagValues tells their effective values. The list is a template
// over the reader, of which it calls what stands here in both:
//
//   template <typename Reader, typename Options>
//   void ListFlags(const Reader& flags, Options* options) {
//     flags("maxid1", &options->maxid1, 2, kMaxId, "one past the last");
//   }
//
// A name is a flag's without its dashes, and with `_` for `-` that of its
// value. Those of In("read") begin with "read-", and are values of an object.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/flags.h"

namespace waltax {

class FlagAdder {
 public:
  explicit FlagAdder(CLI::App* app, std::string before = "--")
      : app_(app), before_(std::move(before)) {}

  [[nodiscard]] FlagAdder In(const std::string& group) const {
    return FlagAdder(app_, before_ + group + "-");
  }
  // A whole number, or a number.
  template <typename Number, typename Low, typename High>
  void operator()(std::string_view name, Number* value, Low low, High high,
                  const std::string& what) const {
    AddNumber(app_, Flag(name), value, static_cast<BoundOf<Number>>(low),
              static_cast<BoundOf<Number>>(high), what);
  }
  void Choice(std::string_view name, std::string* value,
              std::vector<std::string> accepted,
              const std::string& what) const {
    AddChoice(app_, Flag(name), value, std::move(accepted), what);
  }

 private:
  [[nodiscard]] std::string Flag(std::string_view name) const {
    return before_ + std::string(name);
  }

  CLI::App* app_;
  std::string before_;
};

class FlagValues {
 public:
  explicit FlagValues(nlohmann::json* values) : values_(values) {}

  [[nodiscard]] FlagValues In(const std::string& group) const {
    return FlagValues(&(*values_)[Key(group)]);
  }

  template <typename Value, typename... Rest>
  void operator()(std::string_view name, const Value* value,
                  const Rest&... /*rest*/) const {
    (*values_)[Key(name)] = *value;
  }
  void Choice(std::string_view name, const std::string* value,
              std::initializer_list<const char*> /*accepted*/,
              const std::string& /*what*/) const {
    (*this)(name, value);
  }

 private:
  static std::string Key(std::string_view name) {
    std::string key(name);
    std::replace(key.begin(), key.end(), '-', '_');
    return key;
  }

  nlohmann::json* values_;
};

}  // namespace waltax
