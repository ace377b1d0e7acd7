// tests/cluster_checker/linearizability.h: checks that each operation on a register can have happened at one moment
// between its beginning and its end.
//
// The search is Wing and Gong's in the form of Lowe's "just-in-time linearization" (Testing for Linearizability, 2017):
// it goes through the beginnings and ends in the order of time, and keeps every state that the register may be in with
// the operations under way that have happened in it; an operation happens at its own end at the latest. So the cost
// grows with the number of operations under way at a time, and those of unknown outcome stay under way for ever.
#pragma once

#include "absl/status/status.h"
#include "tests/cluster_checker/history.h"

namespace vaquita::checker {

// The largest number of operations under way at a time, those of unknown outcome included.
inline constexpr int kMostConcurrent = 64;

// Returns OK, or an error that names the operation at whose end no order is possible any more. The register is absent
// at first.
absl::Status CheckLinearizable(const History& history);

}  // namespace vaquita::checker
