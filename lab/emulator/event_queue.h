// lab/emulator/event_queue.h: future events in the order of time: a calendar queue.
//
// The time of the run is cut into equal slices. Only the events of the slice that is under way are kept in order (in a
// heap, which is small); those of later slices lie in a box each until their slice comes. Events of one time come in
// the order in which they were put in. Threads: one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace vaquita::lab {

// Event has double time_ms and uint64_t sequence, by which `>` orders it.
template <typename Event>
class EventQueue {
 public:
  // Events after `end_ms` share the last slice.
  EventQueue(double end_ms, size_t slices) : slice_ms_(end_ms / static_cast<double>(slices)), boxes_(slices + 1) {}

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }

  // REQUIRES: the event is not before the one that was taken last.
  void Push(const Event& event) {
    ++size_;
    const size_t slice = SliceOf(event.time_ms);
    if (slice > now_) {
      boxes_[slice].push_back(event);
    } else {
      heap_.push_back(event);
      std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
  }

  // REQUIRES: !empty().
  Event Pop() {
    while (heap_.empty()) {
      heap_ = std::move(boxes_[++now_]);
      std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const Event event = heap_.back();
    heap_.pop_back();
    --size_;
    return event;
  }

 private:
  // The quotient may be more than size_t holds.
  size_t SliceOf(double time_ms) const {
    const auto last = static_cast<double>(boxes_.size() - 1);
    return static_cast<size_t>(std::min(std::max(0.0, time_ms / slice_ms_), last));
  }

  const double slice_ms_;
  std::vector<std::vector<Event>> boxes_;  // one for each future slice
  std::vector<Event> heap_;                // the present slice; the next event is its first
  size_t now_ = 0;
  size_t size_ = 0;
};

}  // namespace vaquita::lab
