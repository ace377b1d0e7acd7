#include "server/heat/heat_recording.h"

#include <utility>

#include "server/regionserver/region_server.h"

namespace vaquita {

void HeatRecording::Start(const RegionServer* server) {
  if (!server->options().key_heat) return;
  auto recorder = std::make_shared<HeatRecorder>(server, clock_);
  recorder->Start();
  const std::lock_guard lock(mutex_);
  recorder_ = std::move(recorder);
}

void HeatRecording::Stop() {
  std::shared_ptr<HeatRecorder> recorder;
  {
    const std::lock_guard lock(mutex_);
    recorder.swap(recorder_);
  }
  if (recorder != nullptr) recorder->Stop();
}

std::shared_ptr<const HeatRecorder> HeatRecording::Current() const {
  const std::lock_guard lock(mutex_);
  return recorder_;
}

}  // namespace vaquita
