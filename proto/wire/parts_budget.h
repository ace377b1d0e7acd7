// proto/wire/parts_budget.h: the memory that the parts of all running requests may take together.
//
// A request takes a share of what CostOfParts says (message_parts.h), and gives it back at its end. Threads: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace vaquita {

class PartsBudget {
 public:
  // Gives its bytes back at its end. The budget outlives it.
  class Share {
   public:
    Share() = default;
    Share(Share&& other) noexcept : all_(other.all_), bytes_(std::exchange(other.bytes_, 0)) {}
    Share& operator=(Share&&) = delete;
    ~Share() {
      if (bytes_ > 0) *all_ -= bytes_;
    }

   private:
    friend class PartsBudget;
    std::atomic<int64_t>* all_ = nullptr;
    int64_t bytes_ = 0;
  };

  explicit PartsBudget(int64_t most_bytes) : most_bytes_(most_bytes) {}

  int64_t most_bytes() const { return most_bytes_; }
  int64_t taken_bytes() const { return taken_; }

  // Adds to `share`, which is new. Returns false if all shares together are too large then.
  bool Take(int64_t bytes, Share* share) {
    share->all_ = &taken_;
    share->bytes_ = bytes;
    return taken_.fetch_add(bytes) + bytes <= most_bytes_;
  }

 private:
  const int64_t most_bytes_;
  std::atomic<int64_t> taken_ = 0;
};

}  // namespace vaquita
