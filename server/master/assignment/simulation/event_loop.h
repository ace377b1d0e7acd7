// server/master/assignment/simulation/event_loop.h: simulated time, processes that crash and sleep, and their network,
// which delays, repeats and loses messages.
//
// Everything is random, and the seed repeats it. Units: milliseconds of the simulation's time; a process that has its
// own clock says so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace vaquita::assignment {

// One life of a process. Its events do not happen after its end, and are late while it sleeps.
struct Life {
  virtual ~Life() = default;
  bool up = true;
  int64_t asleep_until_ms = 0;
};

class EventLoop {
 public:
  explicit EventLoop(uint64_t seed) : random_(seed) {}

  int64_t now_ms() const { return now_ms_; }
  int64_t Random(int64_t below) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(below)); }
  bool Chance(int percent) { return Random(100) < percent; }
  bool IsAwake(const Life& life) const { return life.up && life.asleep_until_ms <= now_ms_; }

  // `life` may be null for an event of no process.
  void After(int64_t delay_ms, std::shared_ptr<Life> life, std::function<void()> event) {
    events_.push_back({now_ms_ + delay_ms, next_++, std::move(life), std::move(event)});
    std::push_heap(events_.begin(), events_.end(), Later);
  }

  // Sends an event over the network to `life`. It arrives after a random time; while the network is bad, it may also
  // arrive twice or never.
  void Send(std::shared_ptr<Life> life, const std::function<void()>& event) {
    if (life == nullptr) return;
    const int copies = !bad_network_ ? 1 : Chance(5) ? 0 : Chance(5) ? 2 : 1;
    for (int i = 0; i < copies; ++i) {
      After(bad_network_ && Chance(4) ? Random(1000) : 1 + Random(8), life, event);
    }
  }
  void set_bad_network(bool bad) { bad_network_ = bad; }

  // Runs the next event before `until_ms`. If there is no such event, it sets the time to `until_ms` and returns false.
  bool RunNext(int64_t until_ms) {
    if (events_.empty() || events_.front().at_ms > until_ms) {
      now_ms_ = until_ms;
      return false;
    }
    std::pop_heap(events_.begin(), events_.end(), Later);
    Event event = std::move(events_.back());
    events_.pop_back();
    now_ms_ = std::max(now_ms_, event.at_ms);
    if (event.life != nullptr) {
      if (!event.life->up) return true;
      if (const int64_t wakes_ms = event.life->asleep_until_ms; wakes_ms > now_ms_) {
        const int64_t delay_ms = wakes_ms - now_ms_;
        After(delay_ms, std::move(event.life), std::move(event.run));
        return true;
      }
    }
    event.run();
    return true;
  }

 private:
  struct Event {
    int64_t at_ms;
    int64_t number;
    std::shared_ptr<Life> life;
    std::function<void()> run;
  };
  static bool Later(const Event& a, const Event& b) {
    return a.at_ms != b.at_ms ? a.at_ms > b.at_ms : a.number > b.number;
  }

  std::mt19937_64 random_;
  int64_t now_ms_ = 0;
  int64_t next_ = 0;
  bool bad_network_ = true;
  std::vector<Event> events_;
};

}  // namespace vaquita::assignment
