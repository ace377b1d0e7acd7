// server/regionserver/slow_call_log.h: the last slow calls of a server, and the last large ones.
//
// Each kind has its own ring, so that many slow calls do not push large ones out. Threads: any. Source:
// SlowLogQueueService, NamedQueueRecorder (2.6).
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

#include "base/options.h"
#include "model/slow_call.h"

namespace vaquita {

class SlowCallLog {
 public:
  explicit SlowCallLog(const Options& options)
      : enabled_(options.keep_slow_calls), most_(static_cast<size_t>(options.most_slow_calls)) {}

  bool enabled() const { return enabled_; }
  void Record(SlowCall call);
  // Returns the calls that the query selects, the latest first.
  std::vector<SlowCall> Find(const SlowCallQuery& query) const;
  bool Clear();  // returns whether calls are kept at all

 private:
  void Keep(const SlowCall& call, std::deque<SlowCall>* ring) const;

  const bool enabled_;
  const size_t most_;
  mutable std::mutex mutex_;
  std::deque<SlowCall> slow_;   // the oldest first
  std::deque<SlowCall> large_;  // likewise
};

}  // namespace vaquita
