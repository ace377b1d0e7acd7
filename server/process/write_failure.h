// server/process/write_failure.h: what a process says, and does, while its database takes no writes.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/write_health.h"

namespace vaquita {

// OK if writes work; else Unavailable, with `who` and the reason.
inline absl::Status WriteFailure(const std::string& who, const WriteHealth::State& writes) {
  if (writes.why.ok()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(who, " takes no writes: ", writes.why.message()));
}

// Whether `who` has to end, because only a new process can write again; `*why` says so then.
inline bool MustEnd(const std::string& who, const WriteHealth::State& writes, absl::Status* why) {
  if (!writes.for_good) return false;
  *why = absl::UnavailableError(absl::StrCat(who, " ends, for it cannot write any more: ", writes.why.message()));
  return true;
}

}  // namespace vaquita
