// server/heat/heat_recording.h: the recorder of the region server that is open, for whoever shows what it recorded.
//
// A process owns one. Its region servers come and go; each gets a recorder of its own. Threads: Start and Stop on one
// thread at a time, Current on any.
#pragma once

#include <memory>
#include <mutex>

#include "base/clock.h"
#include "server/heat/heat_recorder.h"

namespace vaquita {

class HeatRecording {
 public:
  // `clock` outlives the recorders.
  explicit HeatRecording(Clock* clock) : clock_(clock) {}
  ~HeatRecording() { Stop(); }
  HeatRecording(const HeatRecording&) = delete;
  HeatRecording& operator=(const HeatRecording&) = delete;

  // Records `server`, which lives until Stop, unless its options say that keys are not counted.
  void Start(const RegionServer* server);
  // The server is not asked any more.
  void Stop();
  // Returns the recorder; null while no region server is open.
  std::shared_ptr<const HeatRecorder> Current() const;

 private:
  Clock* const clock_;
  mutable std::mutex mutex_;
  std::shared_ptr<HeatRecorder> recorder_;
};

}  // namespace vaquita
