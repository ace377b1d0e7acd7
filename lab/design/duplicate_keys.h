// lab/design/duplicate_keys.h: finds records that a design gives the same key: in HBase the later one would hide the
// earlier.
//
// Memory: 16 bytes a record of a set, 16 to 32 of a file. Threads: any.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "lab/design/key_design.h"
#include "lab/records/record.h"
#include "lab/records/record_set.h"

namespace vaquita::lab {

struct DuplicateKeys {
  uint64_t checked = 0;   // records
  uint64_t repeated = 0;  // records with the key of an earlier one
  // The first pair, by the later one's number; records are numbered from 0.
  uint64_t earlier = 0;
  uint64_t later = 0;
  std::string key;

  std::string Text() const;  // "the design gives the same key twice: ..."; empty without a pair
};

// Looks at the first `most` records, and leaves out those for which the design cannot make a key.
DuplicateKeys FindDuplicateKeys(const RecordSet& records, const KeyDesign& design, uint64_t most = 1'000'000);

// Likewise for those of a file. Keys are told apart by 64 bits of hash. Returns the error of a file that cannot be
// read.
absl::StatusOr<DuplicateKeys> FindDuplicateKeys(RecordSource* source, const KeyDesign& design, uint64_t most);

}  // namespace vaquita::lab
