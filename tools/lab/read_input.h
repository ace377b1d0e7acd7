// tools/lab/read_input.h: the options of the laboratory's verbs for reads.
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
  std::vector<std::string> known;  // fields whose values a scan knows
};

// --reads, --pattern, --scan, --known.
void AddReadOptions(CLI::App* command, ReadInput* input);

// Returns the load that the options describe. An error names the option and the fields.
absl::StatusOr<lab::ReadLoad> MakeReadLoad(const ReadInput& input, const lab::Schema& schema, uint64_t seed);
// "scan of 1h of ts with the same user"; empty for gets.
std::string ScanName(const ReadInput& input);
// "10,000 scans of 1h of ts with the same user, latest".
std::string ReadDescription(const ReadInput& input);

}  // namespace vaquita
