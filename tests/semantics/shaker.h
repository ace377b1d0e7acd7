// tests/semantics/shaker.h: makes random flushes, minor compactions and restarts between a script's lines, where they
// must not show.
#pragma once

#include <cstdint>
#include <random>

#include "tests/semantics/driver.h"

namespace vaquita::semantics {

class Shaker {
 public:
  // `driver` outlives the shaker. The same seed shakes in the same way.
  Shaker(Driver* driver, uint32_t seed) : driver_(driver), random_(seed) {}

  // Does nothing, most of the time.
  absl::Status Shake();

 private:
  template <typename Action>
  absl::Status OnEachTable(Action action);

  Driver* const driver_;
  std::mt19937 random_;
};

}  // namespace vaquita::semantics
