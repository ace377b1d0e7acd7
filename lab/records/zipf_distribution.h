// lab/records/zipf_distribution.h: random numbers with Zipf's distribution, in which a few numbers are frequent.
//
// Source: Gray et al., Quickly Generating Billion-Record Synthetic Databases (1994), as YCSB uses it: one random number
// makes one rank, so ranks can be drawn by their place in a sequence. Threads: immutable; any.
#pragma once

#include <cstdint>

namespace vaquita::lab {

class ZipfDistribution {
 public:
  static constexpr double kDefaultExponent = 0.99;  // YCSB's ZIPFIAN_CONSTANT

  // Draws ranks from 0 to n - 1, rank k in proportion to (k + 1)^-exponent. REQUIRES: n > 0, 0 < exponent < 1.
  explicit ZipfDistribution(uint64_t n, double exponent = kDefaultExponent);

  uint64_t size() const { return n_; }

  // Returns the rank for `fraction`, which is in [0, 1); 0 is the most popular.
  uint64_t Rank(double fraction) const;

 private:
  uint64_t n_;
  double power_;   // 1 / (1 - exponent)
  double zeta_;    // the sum of k^-exponent for k = 1 to n
  double second_;  // 1 + 2^-exponent
  double eta_;
};

}  // namespace vaquita::lab
