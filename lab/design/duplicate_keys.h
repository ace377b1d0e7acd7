// lab/design/duplicate_keys.h: finds records that a design gives the same key: in HBase the later one would hide the
// earlier.
//
// Memory: 16 bytes a record. Threads: any.
#pragma once

#include <cstdint>
#include <string>

#include "lab/design/key_design.h"
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

}  // namespace vaquita::lab
