// tools/bench/confidence.h: the certainty of a difference between two clusters, by repeated runs.
//
// Threads: functions.
#pragma once

#include <optional>
#include <vector>

namespace vaquita::bench {

double MeanOf(const std::vector<double>& values);

// The difference of a mean from another one, as a part of that: 0.1 is 10% more.
struct Difference {
  double part = 0;
  double low = 0;  // the interval that holds the true difference in 95 of 100 comparisons
  double high = 0;

  bool certain() const { return low > 0 || high < 0; }
};

// Returns the difference of `ours` from `base` with Welch's interval, which allows for different variances. nullopt if
// either has fewer than two runs, or the base's mean is 0. REQUIRES: no value is below 0.
std::optional<Difference> DifferenceOf(const std::vector<double>& base, const std::vector<double>& ours);

// Returns the number that Student's t with `freedom` degrees of freedom exceeds in 2.5 of 100 cases. REQUIRES:
// freedom >= 1.
double StudentQuantile(double freedom);

}  // namespace vaquita::bench
