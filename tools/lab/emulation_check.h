// tools/lab/emulation_check.h: compares an emulation with a live run of the same load.
#pragma once

#include <string>
#include <vector>

#include "lab/emulator/emulation.h"
#include "tools/lab/live_run.h"

namespace vaquita {

struct CheckedNumber {
  std::string name;
  double emulated = 0;
  double live = 0;
  bool is_bytes = false;
  // True if the emulator must be right about it. Other figures depend on the speed of the live cluster's disk and
  // threads.
  bool answers_for = false;

  // Returns the error of the emulation as a share of the live number.
  double Difference() const;
};

std::vector<CheckedNumber> CheckEmulation(const lab::Emulation& emulation, const LiveRun& live);

std::string EmulationCheckText(const std::vector<CheckedNumber>& numbers);
std::string EmulationCheckJson(const std::vector<CheckedNumber>& numbers);

}  // namespace vaquita
