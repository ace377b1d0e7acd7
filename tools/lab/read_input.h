// tools/lab/read_input.h: the options by which the laboratory's verbs are told what is read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/records/record.h"
#include "lab/simulator/read_simulation.h"

namespace CLI {
class App;
}

namespace vaquita {

struct ReadInput {
  uint64_t reads = 0;
  std::string pattern = "uniform";
  std::string scan;                // FIELD=LENGTH; empty: gets
  std::vector<std::string> known;  // fields that a scan has the values of
};

// --reads, --pattern, --scan, --known.
void AddReadOptions(CLI::App* command, ReadInput* input);

// The load that the options say. An error names the option, and the fields there are.
absl::StatusOr<lab::ReadLoad> MakeReadLoad(const ReadInput& input, const lab::Schema& schema, uint64_t seed);
// "scan of 1h of ts with the same user"; empty for gets.
std::string ScanName(const ReadInput& input);
// "10,000 scans of 1h of ts with the same user, latest".
std::string ReadDescription(const ReadInput& input);

}  // namespace vaquita
