// lab/records/bad_records.h: the records that a run has skipped: their number, and the errors of the first ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace vaquita::lab {

struct BadRecords {
  static constexpr size_t kMostMessages = 5;

  // Adds an error. REQUIRES: called in the records' order.
  void Add(const absl::Status& error) {
    if (count++ < kMostMessages) messages.emplace_back(error.message());
  }

  uint64_t count = 0;
  std::vector<std::string> messages;  // each names the record and the error
};

}  // namespace vaquita::lab
