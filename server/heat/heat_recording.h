// server/heat/heat_recording.h: gives pages the recorder of the region server that is open now.
//
// A process owns one. Each of its region servers gets its own recorder. Threads: Start and Stop on one thread at a
// time, Current on any.
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
  // After this nobody uses the server any more.
  void Stop();
  // Returns the recorder; null while no region server is open.
  std::shared_ptr<const HeatRecorder> Current() const;

 private:
  Clock* const clock_;
  mutable std::mutex mutex_;
  std::shared_ptr<HeatRecorder> recorder_;
};

}  // namespace vaquita
