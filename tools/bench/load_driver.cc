#include "tools/bench/load_driver.h"

#include <sys/prctl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "base/fibers.h"

namespace vaquita::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

constexpr size_t kMostErrors = 10;
// An open loop that is behind makes due calls for so long after its end.
constexpr std::chrono::seconds kGrace{10};

// Sums of some such times stay in 64 bits.
nanoseconds Seconds(double seconds) {
  constexpr double kMost = 50 * 365 * 86'400.0;
  return nanoseconds(static_cast<int64_t>(std::min(seconds, kMost) * 1e9));
}

struct ThreadResult {
  std::vector<KindResult> kinds;
  std::vector<SecondResult> per_second;
  LatencyHistogram service;
  uint64_t bytes_written = 0;
  uint64_t wrong = 0;
  std::set<std::string> errors;
  SteadyClock::time_point last_end;
  std::atomic<uint64_t> calls = 0;  // for those who watch
};

class Driver {
 public:
  Driver(const DriveOptions& options, const Call& call)
      : options_(options), call_(call), results_(static_cast<size_t>(options.threads)) {
    start_ = SteadyClock::now();
    begin_ = start_ + Seconds(options.warmup_s);
    end_ = options.seconds > 0 ? begin_ + Seconds(options.seconds) : SteadyClock::time_point::max();
    if (open()) first_measured_ = static_cast<uint64_t>(std::ceil(options.warmup_s * options.rate));
    for (ThreadResult& result : results_) {
      result.kinds.resize(options.kinds);
      result.last_end = begin_;
    }
  }

  DriveResult Run() {
    std::vector<std::thread> threads;
    if (options_.fiber_threads == 0) {
      for (int i = 0; i < options_.threads; ++i) threads.emplace_back([this, i] { RunThread(i); });
    } else {
      for (int i = 0; i < options_.fiber_threads; ++i) threads.emplace_back([this, i] { RunThreadsInFibers(i); });
    }
    Watch();
    for (std::thread& thread : threads) thread.join();
    if (options_.on_end) options_.on_end();
    return Sum();
  }

 private:
  bool open() const { return options_.rate > 0; }

  struct Turn {
    uint64_t number;
    SteadyClock::time_point due;
    bool counts;  // it is due after the warm-up
  };

  std::optional<Turn> NextTurn() { return open() ? NextOpenTurn() : NextClosedTurn(); }

  // The number says when a call is due, so it says which calls are measured, too.
  std::optional<Turn> NextOpenTurn() {
    const uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
    const SteadyClock::time_point due = start_ + Seconds(static_cast<double>(number) / options_.rate);
    const bool past_last = options_.calls > 0 && number >= first_measured_ + options_.calls;
    if (due >= end_ || past_last) return std::nullopt;
    return Turn{number, due, number >= first_measured_};
  }

  // Takes a number only for a call that is made: a thread that took one and then ended would leave it out.
  std::optional<Turn> NextClosedTurn() {
    const SteadyClock::time_point now = SteadyClock::now();
    if (now >= end_) return std::nullopt;
    const bool counts = now >= begin_;
    if (counts && options_.calls > 0 && measured_.fetch_add(1, std::memory_order_relaxed) >= options_.calls) {
      return std::nullopt;
    }
    return Turn{next_.fetch_add(1, std::memory_order_relaxed), now, counts};
  }

  void RunThreadsInFibers(int number) {
    std::vector<std::function<void()>> functions;
    for (int i = number; i < options_.threads; i += options_.fiber_threads) {
      functions.emplace_back([this, i] { RunThread(i); });
    }
    RunFibers(std::move(functions));
  }

  void RunThread(int thread) {
    prctl(PR_SET_TIMERSLACK, 1);  // else each wait for a call's time is 50 us too long
    while (const std::optional<Turn> turn = NextTurn()) {
      if (open()) {
        std::this_thread::sleep_until(turn->due);
        if (end_ != SteadyClock::time_point::max() && SteadyClock::now() > end_ + kGrace) {
          not_started_.fetch_add(1, std::memory_order_relaxed);
          continue;
        }
      }
      const SteadyClock::time_point start = SteadyClock::now();
      const CallOutcome outcome = call_(thread, turn->number);
      ThreadResult& result = results_[static_cast<size_t>(thread)];
      CountFault(outcome, &result);
      if (turn->counts) Count(outcome, open() ? turn->due : start, start, &result);
    }
    std::lock_guard lock(mutex_);
    ++ended_;
    changed_.notify_one();
  }

  static void CountFault(const CallOutcome& outcome, ThreadResult* result) {
    if (!outcome.wrong.empty()) ++result->wrong;
    if (!outcome.error.empty()) ++result->kinds[outcome.kind].failed;
    for (const std::string& text : {outcome.error, outcome.wrong}) {
      if (!text.empty() && result->errors.size() < kMostErrors) result->errors.insert(text);
    }
  }

  void Count(const CallOutcome& outcome, SteadyClock::time_point due, SteadyClock::time_point start,
             ThreadResult* result) {
    const SteadyClock::time_point end = SteadyClock::now();
    const int64_t latency_ns = nanoseconds(end - due).count();
    result->last_end = end;
    if (!outcome.error.empty()) return;
    KindResult& kind = result->kinds[outcome.kind];
    kind.latency.Record(latency_ns);
    kind.rows += outcome.rows;
    result->service.Record(nanoseconds(end - start).count());
    result->bytes_written += outcome.bytes_written;
    const auto second = static_cast<size_t>(std::max<int64_t>(0, nanoseconds(end - begin_).count() / 1'000'000'000));
    if (second >= result->per_second.size()) result->per_second.resize(second + 1);
    SecondResult& in_second = result->per_second[second];
    ++in_second.calls;
    in_second.rows += outcome.rows;
    in_second.sum_ns += latency_ns;
    in_second.max_ns = std::max(in_second.max_ns, latency_ns);
    result->calls.fetch_add(1, std::memory_order_relaxed);
  }

  // Tells those who watch about each second, until all threads have ended.
  void Watch() {
    const auto all_ended = [this] { return ended_ == options_.threads; };
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, begin_, all_ended);
    if (options_.on_begin) options_.on_begin();
    for (int second = 1; !changed_.wait_until(lock, begin_ + std::chrono::seconds(second), all_ended); ++second) {
      uint64_t calls = 0;
      for (const ThreadResult& result : results_) calls += result.calls.load(std::memory_order_relaxed);
      if (options_.on_second) options_.on_second(second, calls);
    }
  }

  DriveResult Sum() const {
    DriveResult sum;
    sum.kinds.resize(options_.kinds);
    SteadyClock::time_point last = begin_;
    std::set<std::string> errors;
    for (const ThreadResult& result : results_) {
      for (size_t kind = 0; kind < options_.kinds; ++kind) {
        sum.kinds[kind].latency.Add(result.kinds[kind].latency);
        sum.kinds[kind].rows += result.kinds[kind].rows;
        sum.kinds[kind].failed += result.kinds[kind].failed;
      }
      if (result.per_second.size() > sum.per_second.size()) sum.per_second.resize(result.per_second.size());
      for (size_t second = 0; second < result.per_second.size(); ++second) {
        const SecondResult& from = result.per_second[second];
        SecondResult& to = sum.per_second[second];
        to.calls += from.calls;
        to.rows += from.rows;
        to.sum_ns += from.sum_ns;
        to.max_ns = std::max(to.max_ns, from.max_ns);
      }
      sum.service.Add(result.service);
      sum.bytes_written += result.bytes_written;
      sum.wrong += result.wrong;
      errors.insert(result.errors.begin(), result.errors.end());
      last = std::max(last, result.last_end);
    }
    sum.seconds = std::chrono::duration<double>(last - begin_).count();
    sum.not_started = not_started_;
    for (const std::string& error : errors) {
      if (sum.errors.size() < kMostErrors) sum.errors.push_back(error);
    }
    return sum;
  }

  const DriveOptions& options_;
  const Call& call_;
  SteadyClock::time_point start_;  // when the warm-up began
  SteadyClock::time_point begin_;  // when the measurement began
  SteadyClock::time_point end_;
  uint64_t first_measured_ = 0;  // in an open loop: the number of the first call that is due after the warm-up
  std::atomic<uint64_t> next_ = 0;
  std::atomic<uint64_t> measured_ = 0;
  std::atomic<uint64_t> not_started_ = 0;
  std::vector<ThreadResult> results_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int ended_ = 0;
};

}  // namespace

DriveResult Drive(const DriveOptions& options, const Call& call) { return Driver(options, call).Run(); }

}  // namespace vaquita::bench
