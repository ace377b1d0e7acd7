// base/live_number.h: a number that a thread may change while others read it.
//
// It stands for its value in expressions. Threads: any; a reader sees the old value or the new one.
#pragma once

#include <atomic>

namespace vaquita {

template <typename Number>
class LiveNumber {
 public:
  LiveNumber(Number value) : value_(value) {}  // NOLINT(google-explicit-constructor): stands for a Number
  LiveNumber(const LiveNumber& other) : value_(Number(other)) {}
  LiveNumber& operator=(const LiveNumber& other) {  // NOLINT(bugprone-unhandled-self-assignment): keeps its value then
    value_.store(Number(other), std::memory_order_relaxed);
    return *this;
  }
  operator Number() const {  // NOLINT(google-explicit-constructor)
    return value_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<Number> value_;
};

}  // namespace vaquita
