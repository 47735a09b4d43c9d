// Engines behind which there is nothing to observe: the null store and the
// memory store.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "driver/engine.h"

namespace waltax {

class NullEngine : public Engine {
 public:
  // `name` is that of the store: "null" or "memory".
  explicit NullEngine(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] nlohmann::json Describe() const override {
    return {{"name", name_}};
  }

 private:
  std::string name_;
};

}  // namespace waltax
