// region/last_writes.h: the times of a region's writes that would hide other writes of the same millisecond.
//
// A delete marker hides cells of its own millisecond. An increment or append takes the millisecond after the version
// that it replaces, if the clock has not moved on: it hides puts until the clock gets there, and a delete before that
// misses it. HBase is rarely so fast that a client's next write falls into that time. This server often is, and a put
// after a delete or an increment would be lost. So such a write waits for the next millisecond. Rows share slots, so a
// write may wait because of another row, which does no harm. A clock that stands still is not waited for. Threads: any;
// callers hold the rows' locks.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "base/clock.h"
#include "model/operations.h"

namespace vaquita {

// Holds a time for each row. It takes no memory until the first is set.
class RowTimes {
 public:
  ~RowTimes() { delete slots_.load(); }
  void Set(std::string_view row, int64_t time_ms);
  // Returns whether the row's time is `now_ms` or up to `ahead_ms` after it.
  bool IsFrom(std::string_view row, int64_t now_ms, int64_t ahead_ms) const;

 private:
  using Slots = std::array<std::atomic<int64_t>, 1024>;
  Slots* GetSlots();

  std::atomic<Slots*> slots_ = nullptr;  // owned
  std::mutex making_;
};

class LastWrites {
 public:
  // Returns whether the row's last writes would hide the mutation, or not be seen by it, if it had this time.
  bool Hide(const Mutation& mutation, std::string_view row, int64_t time_ms) const;
  // Returns the time for a write: the first at which it is not `hidden`.
  int64_t TimeFor(const Clock& clock, absl::FunctionRef<bool(int64_t)> hidden) const;
  // Called after a mutation. `newest_delta_ms`: as MutationWriter's.
  void Add(const Mutation& mutation, std::string_view row, int64_t time_ms, int64_t newest_delta_ms);

 private:
  RowTimes markers_;  // deletes
  RowTimes deltas_;   // increments and appends whose time is after the clock's
};

}  // namespace vaquita
