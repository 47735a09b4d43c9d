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
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/flags.h"

namespace waltax {

// The names of an enumeration's values, which count from 0.
template <size_t kValues>
using EnumNames = std::array<std::string_view, kValues>;

class FlagAdder {
 public:
  explicit FlagAdder(CLI::App* app, std::string before = "--")
      : app_(app), before_(std::move(before)) {}

  [[nodiscard]] FlagAdder In(const std::string& group) const {
    return FlagAdder(app_, before_ + group + "-");
  }
  // Flags whose values are told only sometimes.
  [[nodiscard]] const FlagAdder& If(bool /*told*/) const { return *this; }

  // A whole number, or a number.
  template <typename Number, typename Low, typename High>
  void operator()(std::string_view name, Number* value, Low low, High high,
                  const std::string& what) const {
    if constexpr (std::is_same_v<Number, double>) {
      AddNumber(app_, Flag(name), value, low, high, what);
    } else {
      AddWholeNumber(app_, Flag(name), value, low, high, what);
    }
  }
  template <typename Enum, size_t kValues>
  void Choice(std::string_view name, Enum* value,
              const EnumNames<kValues>& names, const std::string& what) const {
    AddChoice(
        app_, Flag(name), {names.begin(), names.end()},
        std::string(names[static_cast<size_t>(*value)]),
        [value, &names](const std::string& chosen) {
          *value = static_cast<Enum>(
              std::find(names.begin(), names.end(), chosen) - names.begin());
        },
        what);
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
  // Null: nothing is told.
  explicit FlagValues(nlohmann::json* values) : values_(values) {}

  [[nodiscard]] FlagValues In(const std::string& group) const {
    return FlagValues(values_ == nullptr ? nullptr : &(*values_)[Key(group)]);
  }
  [[nodiscard]] FlagValues If(bool told) const {
    return FlagValues(told ? values_ : nullptr);
  }

  template <typename Value, typename... Rest>
  void operator()(std::string_view name, const Value* value,
                  const Rest&... /*rest*/) const {
    if (values_ != nullptr) (*values_)[Key(name)] = *value;
  }
  template <typename Enum, size_t kValues>
  void Choice(std::string_view name, const Enum* value,
              const EnumNames<kValues>& names,
              const std::string& /*what*/) const {
    (*this)(name, &names[static_cast<size_t>(*value)]);
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
