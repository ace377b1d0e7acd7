// tools/bench/run_text.h: the result of a run as text for people.
#pragma once

#include <string>

#include "tools/bench/run_record.h"

namespace vaquita::bench {

// Returns a table of latencies, and lines of the regions, the servers and the client.
std::string RunText(const RunRecord& run);

// Returns a number with a separator for thousands: 1234567 is "1,234,567".
std::string WithSeparators(double number);

}  // namespace vaquita::bench
