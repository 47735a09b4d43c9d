#include "driver/fiber.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace waltax {
namespace {

TEST(Fiber, BeginsWhenItIsResumedFirst) {
  bool begun = false;
  Fiber fiber([&] { begun = true; });
  EXPECT_FALSE(begun);
  fiber.Resume();
  EXPECT_TRUE(begun);
  EXPECT_TRUE(fiber.ended());
}

TEST(Fiber, GoesOnWhereItSuspendedItself) {
  std::vector<std::string> said;
  Fiber* self = nullptr;
  Fiber fiber([&] {
    for (const char* word : {"one", "two", "three"}) {
      said.emplace_back(word);
      self->Suspend();
    }
  });
  self = &fiber;
  fiber.Resume();
  said.emplace_back("between");
  fiber.Resume();
  EXPECT_EQ(said, (std::vector<std::string>{"one", "between", "two"}));
  EXPECT_FALSE(fiber.ended());
  fiber.Resume();
  fiber.Resume();
  EXPECT_TRUE(fiber.ended());
}

// Each has a stack of its own: what one keeps there the others do not touch.
TEST(Fiber, KeepsItsOwnStack) {
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<int> sums(8);
  for (size_t i = 0; i < sums.size(); ++i) {
    fibers.push_back(std::make_unique<Fiber>([&, i] {
      volatile int numbers[1000];
      for (int k = 0; k < 1000; ++k) numbers[k] = static_cast<int>(i);
      fibers[i]->Suspend();
      for (const volatile int& number : numbers) sums[i] += number;
    }));
  }
  for (const auto& fiber : fibers) fiber->Resume();
  for (const auto& fiber : fibers) fiber->Resume();
  for (size_t i = 0; i < sums.size(); ++i) {
    EXPECT_EQ(sums[i], static_cast<int>(1000 * i));
  }
}

TEST(Fiber, CatchesItsOwnExceptions) {
  std::string caught;
  Fiber fiber([&] {
    try {
      throw std::runtime_error("no space left");
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
  });
  fiber.Resume();
  EXPECT_EQ(caught, "no space left");
}

}  // namespace
}  // namespace waltax
