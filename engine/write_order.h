// engine/write_order.h: numbers writes in their order, for families with NEW_VERSION_BEHAVIOR.
//
// The numbers of one row's writes ascend, because a writer holds the row's lock. One counter serves all stores of the
// process. When a store opens, it raises the counter to the largest number in its files and memtables, so numbers also
// ascend through restarts and moves. HBase uses its MVCC numbers for this. Threads: any.
#pragma once

#include <cstdint>

namespace vaquita {

// Returns a number above all that were returned or raised to before; 0 while ForgetWriteOrder is in the thread's scope.
int64_t NextWriteNumber();
void RaiseWriteNumber(int64_t at_least);

// While it is in scope, this thread's writes have no order, as those of before the attribute was set. For copies of
// cells whose order is lost: a marker masks every put that is not newer by its timestamp.
class ForgetWriteOrder {
 public:
  ForgetWriteOrder();
  ~ForgetWriteOrder();
  ForgetWriteOrder(const ForgetWriteOrder&) = delete;
  ForgetWriteOrder& operator=(const ForgetWriteOrder&) = delete;
};

}  // namespace vaquita
