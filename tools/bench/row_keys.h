// tools/bench/row_keys.h: the row keys of a workload: YCSB's, or those of a design of the laboratory.
//
// Threads: RowKeys is immutable; a KeyMaker belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/design/key_design.h"
#include "lab/records/record_generator.h"
#include "tools/bench/workload.h"

namespace vaquita::bench {

class RowKeys {
 public:
  // Returns InvalidArgument if the design or its records are wrong, or make no key for the first record.
  static absl::StatusOr<RowKeys> Make(const Workload& workload, uint64_t seed);

  // Appends the key of row `number`. `buffer` is the calling thread's.
  absl::Status Append(uint64_t number, lab::RecordBuffer* buffer, std::string* key) const;

  // Returns the keys that divide the table's rows into `regions` equal parts, by a sample; fewer if keys repeat.
  absl::StatusOr<std::vector<std::string>> SplitKeys(uint64_t rows, int32_t regions) const;

 private:
  std::string prefix_;
  size_t digits_ = 1;
  bool hashed_ = true;
  std::optional<lab::RecordGenerator> records_;
  std::optional<lab::KeyDesign> design_;
};

class KeyMaker {
 public:
  explicit KeyMaker(const RowKeys* keys) : keys_(keys) {}

  // Returns the key of row `number`; an error if the design does not fit the record.
  absl::StatusOr<std::string> KeyOf(uint64_t number) {
    std::string key;
    if (absl::Status status = keys_->Append(number, &buffer_, &key); !status.ok()) return status;
    return key;
  }

 private:
  const RowKeys* keys_;
  lab::RecordBuffer buffer_;
};

}  // namespace vaquita::bench
