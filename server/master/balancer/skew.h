// server/master/balancer/skew.h: measures how unevenly an amount is spread over servers, from 0 (even) to 1 (all on one
// server).
//
// It is the root of the summed squares of the servers' distances from the mean, scaled between its value for evenly
// spread whole units and its value if one server had all.
// Source: DoubleArrayCost, CostFunction.scale (2.6).
#pragma once

#include <vector>

namespace vaquita::balancer {

class Skew {
 public:
  Skew() = default;
  Skew(double total, double servers);

  double mean() const { return mean_; }
  // `squares` is the sum of the squared distances from mean(). Rounding may have left it a little below 0.
  double Scaled(double squares) const;
  double SumOfSquares(const std::vector<double>& amounts) const;

 private:
  double mean_ = 0;
  double least_ = 0;
  double most_ = 0;
};

// Returns the place of `value` between `least` (0) and `most` (1); 0 if they are closer than HBase's COST_EPSILON.
double Scale(double least, double most, double value);

}  // namespace vaquita::balancer
