// base/testing/wait_for.h: waits until something holds. For tests only.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace vaquita::testing {

// Fails the test if the condition does not hold within a minute.
template <typename Condition>
void WaitFor(Condition condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::yield();
  }
}

}  // namespace vaquita::testing
