// tools/lab/emulation_check.h: an emulation beside a live run of the same load: how far it is off.
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
  // Whether the emulator answers for it: the others depend on how fast the live cluster's disk and threads were.
  bool answers_for = false;

  // How far the emulation is off, as a share of the live number.
  double Difference() const;
};

std::vector<CheckedNumber> CheckEmulation(const lab::Emulation& emulation, const LiveRun& live);

std::string EmulationCheckText(const std::vector<CheckedNumber>& numbers);
std::string EmulationCheckJson(const std::vector<CheckedNumber>& numbers);

}  // namespace vaquita
