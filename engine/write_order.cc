#include "engine/write_order.h"

#include <atomic>

namespace vaquita {
namespace {

std::atomic<int64_t> last_write_number = 0;
thread_local int forgetting_write_order = 0;

}  // namespace

int64_t NextWriteNumber() {
  return forgetting_write_order > 0 ? 0 : last_write_number.fetch_add(1, std::memory_order_relaxed) + 1;
}

void RaiseWriteNumber(int64_t at_least) {
  int64_t last = last_write_number.load(std::memory_order_relaxed);
  while (last < at_least && !last_write_number.compare_exchange_weak(last, at_least, std::memory_order_relaxed)) {
  }
}

ForgetWriteOrder::ForgetWriteOrder() { ++forgetting_write_order; }
ForgetWriteOrder::~ForgetWriteOrder() { --forgetting_write_order; }

}  // namespace vaquita
