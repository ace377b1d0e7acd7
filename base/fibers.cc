#include "base/fibers.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <deque>
#include <memory>
#include <new>
#include <set>
#include <thread>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace vaquita {
namespace {

// Untouched pages of a stack take no memory.
constexpr size_t kStackBytes = 256 << 10;

// A fiber's stack. The page below it ends the program if it overflows.
class Stack {
 public:
  Stack() : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    memory_ =
        mmap(nullptr, page_ + kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory_, page_, PROT_NONE);
  }
  ~Stack() { munmap(memory_, page_ + kStackBytes); }
  Stack(const Stack&) = delete;

  void* begin() const { return static_cast<char*>(memory_) + page_; }

 private:
  const size_t page_;
  void* memory_;
};

// A place where a thread can go on: its registers, and what the sanitizers know about its stack.
struct Place {
  ucontext_t context;
#if defined(__SANITIZE_ADDRESS__)
  const void* stack = nullptr;
  size_t stack_bytes = 0;
#endif
#if defined(__SANITIZE_THREAD__)
  void* tsan_fiber = nullptr;
#endif
};

#if defined(__SANITIZE_ADDRESS__)
// Called first in a place that was switched to.
void Arrived(void* own_fake_stack, Place* from) {
  __sanitizer_finish_switch_fiber(own_fake_stack, &from->stack, &from->stack_bytes);
}
#else
void Arrived(void*, Place*) {}
#endif

// Goes on at `to`. Returns when somebody switches back. `ends`: nobody will.
void Switch(Place* from, Place* to, [[maybe_unused]] bool ends = false) {
  void* fake_stack = nullptr;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(ends ? nullptr : &fake_stack, to->stack, to->stack_bytes);
#endif
#if defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(to->tsan_fiber, 0);
#endif
  swapcontext(&from->context, &to->context);
  Arrived(fake_stack, to);
}

class FiberThread;
thread_local FiberThread* this_thread = nullptr;

}  // namespace

class Fiber {
 public:
  explicit Fiber(std::function<void()> function) : function(std::move(function)) {}

  const std::function<void()> function;
  FiberThread* thread = nullptr;
  Stack stack;
  Place place;
  // Guarded by its thread's mutex.
  bool waits = false;
  bool notified = false;
  FiberTime deadline;  // while it waits
};

namespace {

// A thread's fibers. Threads: the own one; Notify from any.
class FiberThread {
 public:
  explicit FiberThread(std::vector<std::function<void()>> functions) {
#if defined(__SANITIZE_THREAD__)
    main_.tsan_fiber = __tsan_get_current_fiber();
#endif
    for (std::function<void()>& function : functions) Add(std::move(function));
    left_ = fibers_.size();
  }
  ~FiberThread() {
#if defined(__SANITIZE_THREAD__)
    for (const auto& fiber : fibers_) __tsan_destroy_fiber(fiber->place.tsan_fiber);
#endif
  }

  void Run() {
    FiberThread* const outer = std::exchange(this_thread, this);
    while (left_ > 0) {
      current_ = AwaitReady();
      Switch(&main_, &current_->place);
      current_ = nullptr;
    }
    this_thread = outer;
  }

  // These are called in a fiber.
  bool HasReady() {
    const std::lock_guard lock(mutex_);
    return !ready_.empty();
  }
  bool Yield() {
    {
      const std::lock_guard lock(mutex_);
      WakeThoseInTime();
      if (ready_.empty()) return false;
      ready_.push_back(current_);
    }
    Switch(&current_->place, &main_);
    return true;
  }
  // Waits for Notify. Returns false if `deadline` passed first.
  bool Wait(FiberTime deadline) {
    Fiber* const fiber = current_;
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(fiber->notified, false)) return true;
      fiber->waits = true;
      fiber->deadline = deadline;
      waiting_.emplace(deadline, fiber);
    }
    Switch(&fiber->place, &main_);
    const std::lock_guard lock(mutex_);
    return std::exchange(fiber->notified, false);
  }
  FiberTime NextTime() {
    const std::lock_guard lock(mutex_);
    return waiting_.empty() ? FiberTime::max() : waiting_.begin()->first;
  }
  Fiber* current() const { return current_; }

  void Notify(Fiber* fiber) {
    const std::lock_guard lock(mutex_);
    fiber->notified = true;
    if (!fiber->waits) return;
    MakeReady(fiber);
    changed_.notify_one();
  }

 private:
  void Add(std::function<void()> function) {
    Fiber& fiber = *fibers_.emplace_back(std::make_unique<Fiber>(std::move(function)));
    fiber.thread = this;
    getcontext(&fiber.place.context);
    fiber.place.context.uc_stack.ss_sp = fiber.stack.begin();
    fiber.place.context.uc_stack.ss_size = kStackBytes;
    fiber.place.context.uc_link = nullptr;
    makecontext(&fiber.place.context, &FiberThread::Begin, 0);
#if defined(__SANITIZE_ADDRESS__)
    fiber.place.stack = fiber.stack.begin();
    fiber.place.stack_bytes = kStackBytes;
#endif
#if defined(__SANITIZE_THREAD__)
    fiber.place.tsan_fiber = __tsan_create_fiber(0);
#endif
    ready_.push_back(&fiber);
  }

  // The first function on a fiber's stack.
  static void Begin() {
    FiberThread& thread = *this_thread;
    Arrived(nullptr, &thread.main_);
    thread.current_->function();
    --thread.left_;
    Switch(&thread.current_->place, &thread.main_, /*ends=*/true);
  }

  Fiber* AwaitReady() {
    std::unique_lock lock(mutex_);
    WakeThoseInTime();
    while (ready_.empty()) {
      const FiberTime next = waiting_.begin()->first;  // a copy: Notify may take it away meanwhile
      if (next == FiberTime::max()) {
        changed_.wait(lock);
      } else {
        changed_.wait_until(lock, next);
      }
      WakeThoseInTime();
    }
    Fiber* const fiber = ready_.front();
    ready_.pop_front();
    return fiber;
  }

  void WakeThoseInTime() {
    if (waiting_.empty()) return;
    const FiberTime now = std::chrono::steady_clock::now();
    while (!waiting_.empty() && waiting_.begin()->first <= now) MakeReady(waiting_.begin()->second);
  }

  void MakeReady(Fiber* fiber) {
    waiting_.erase({fiber->deadline, fiber});
    fiber->waits = false;
    ready_.push_back(fiber);
  }

  std::vector<std::unique_ptr<Fiber>> fibers_;
  size_t left_ = 0;  // fibers that have not returned
  Place main_;
  Fiber* current_ = nullptr;
  std::mutex mutex_;
  std::condition_variable changed_;  // ready_ is no longer empty
  std::deque<Fiber*> ready_;
  std::set<std::pair<FiberTime, Fiber*>> waiting_;
};

}  // namespace

void RunFibers(std::vector<std::function<void()>> functions) { FiberThread(std::move(functions)).Run(); }

bool InFiber() { return this_thread != nullptr; }

bool OtherFibersAreReady() { return InFiber() && this_thread->HasReady(); }

bool YieldFiber() { return InFiber() && this_thread->Yield(); }

FiberTime NextFiberTime() { return InFiber() ? this_thread->NextTime() : FiberTime::max(); }

void SleepUntil(FiberTime time) {
  if (!InFiber()) return std::this_thread::sleep_until(time);
  std::mutex mutex;
  std::unique_lock lock(mutex);
  FiberCondition never;
  never.WaitUntil(lock, time, [] { return false; });
}

bool FiberCondition::WaitInFiber(std::unique_lock<std::mutex>& lock, FiberTime deadline) {
  fiber_ = this_thread->current();
  lock.unlock();
  const bool notified = this_thread->Wait(deadline);
  lock.lock();
  fiber_ = nullptr;
  return notified;
}

void FiberCondition::Notify() {
  if (fiber_ != nullptr) {
    fiber_->thread->Notify(fiber_);
  } else {
    thread_.notify_one();
  }
}

}  // namespace vaquita
