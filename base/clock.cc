#include "base/clock.h"

#include <chrono>
#include <thread>

namespace vaquita {
namespace {

class SystemClock : public Clock {
 public:
  int64_t NowMs() const override {
    using std::chrono::duration_cast;
    return duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  }
  bool AwaitChange(int64_t now_ms) const override {
    while (NowMs() == now_ms) std::this_thread::sleep_for(std::chrono::microseconds(100));
    return true;
  }
};

}  // namespace

Clock* Clock::System() {
  static SystemClock* const clock = new SystemClock;  // never destroyed: threads may still ask at exit
  return clock;
}

}  // namespace vaquita
