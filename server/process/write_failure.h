// server/process/write_failure.h: the reaction of a process to a database that does not accept writes.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/write_health.h"

namespace vaquita {

// Returns OK if writes work; else Unavailable, with `who` and the reason.
inline absl::Status WriteFailure(const std::string& who, const WriteHealth::State& writes) {
  if (writes.why.ok()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(who, " takes no writes: ", writes.why.message()));
}

// Returns whether `who` must end, because only a new process can write again, and sets `*why`.
inline bool MustEnd(const std::string& who, const WriteHealth::State& writes, absl::Status* why) {
  if (!writes.for_good) return false;
  *why = absl::UnavailableError(absl::StrCat(who, " ends, because it cannot write any more: ", writes.why.message()));
  return true;
}

}  // namespace vaquita
