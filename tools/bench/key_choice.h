// tools/bench/key_choice.h: chooses the row of an operation, by its number.
//
// A choice depends on its random number, the operation's number and the rows that there are, so a seed repeats it on
// any number of threads. Threads: immutable; any.
#pragma once

#include <cstdint>

#include "lab/records/zipf_distribution.h"

namespace vaquita::bench {

// Returns YCSB's hash of a number (com.yahoo.ycsb.Utils.fnvhash64), by which its keys are scattered.
uint64_t YcsbHash(uint64_t number);

enum class KeyDistribution {
  kUniform,
  kZipfian,     // a few rows, scattered over the table, are frequent: YCSB's ScrambledZipfianGenerator
  kLatest,      // the last rows that were inserted are: YCSB's SkewedLatestGenerator
  kSequential,  // one row after the other, and again from the first
};

class KeyChoice {
 public:
  // The table has `rows` rows at the beginning.
  KeyChoice(KeyDistribution distribution, uint64_t rows);

  // Returns the number of a row below `rows_now`, for operation `number`. REQUIRES: rows_now > 0.
  uint64_t Choose(uint64_t random, uint64_t number, uint64_t rows_now) const;

 private:
  KeyDistribution distribution_;
  lab::ZipfDistribution zipf_;
};

}  // namespace vaquita::bench
