// lab/records/bad_records.h: the records that a run went on without: how many, and what was wrong with the first ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace vaquita::lab {

struct BadRecords {
  static constexpr size_t kMostMessages = 5;

  // To be called in the records' order.
  void Add(const absl::Status& error) {
    if (count++ < kMostMessages) messages.emplace_back(error.message());
  }

  uint64_t count = 0;
  std::vector<std::string> messages;  // which record, and what is wrong with it
};

}  // namespace vaquita::lab
