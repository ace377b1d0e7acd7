#include "lab/simulator/parallel_ranges.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace vaquita::lab {
namespace {

constexpr uint64_t kRange = 65'536;
constexpr std::chrono::milliseconds kProgressPeriod{100};

}  // namespace

ParallelRanges::ParallelRanges(uint64_t count, int threads) : count_(count) {
  const auto ranges = static_cast<int64_t>((count + kRange - 1) / kRange);
  const int64_t wanted = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  threads_ = static_cast<int>(std::clamp<int64_t>(ranges, 1, wanted));
}

absl::Status ParallelRanges::Run(const std::function<absl::Status(int, const IndexRange&)>& work,
                                 const std::function<void(uint64_t)>& on_progress) const {
  std::atomic<uint64_t> next{0};
  std::atomic<uint64_t> done{0};
  std::mutex mutex;
  std::condition_variable ended;
  int running = threads_;
  std::map<uint64_t, absl::Status> errors;  // by range

  // Ranges are begun in order, so that when one fails every earlier one was begun, and its error, if any, is known too.
  const auto worker = [&](int thread) {
    for (;;) {
      const uint64_t first = next.fetch_add(kRange);
      if (first >= count_) break;
      const IndexRange range{first, std::min(count_, first + kRange)};
      absl::Status status = work(thread, range);
      done += range.last - range.first;
      if (status.ok()) continue;
      next = count_;
      const std::lock_guard lock(mutex);
      errors.emplace(first, std::move(status));
    }
    const std::lock_guard lock(mutex);
    if (--running == 0) ended.notify_all();
  };

  std::vector<std::thread> threads;
  for (int i = 0; i < threads_; ++i) threads.emplace_back(worker, i);
  {
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, kProgressPeriod, [&] { return running == 0; })) {
      if (on_progress) on_progress(done);
    }
  }
  for (std::thread& thread : threads) thread.join();
  if (on_progress) on_progress(done);
  return errors.empty() ? absl::OkStatus() : errors.begin()->second;
}

}  // namespace vaquita::lab
