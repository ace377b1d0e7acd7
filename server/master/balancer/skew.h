// server/master/balancer/skew.h: how unevenly an amount lies on servers: 0 as even as can be, 1 all on one server.
//
// It is the root of the summed squares of the servers' distances from the mean, between what it would be if whole units
// were dealt out evenly and what it would be if one server had all.
// Source: DoubleArrayCost, CostFunction.scale (2.6).
#pragma once

#include <vector>

namespace vaquita::balancer {

class Skew {
 public:
  Skew() = default;
  Skew(double total, double servers);

  double mean() const { return mean_; }
  // `squares`: the sum of the squared distances from mean(). Rounding may have left it a little below 0.
  double Scaled(double squares) const;
  double Of(const std::vector<double>& amounts) const;
  double SumOfSquares(const std::vector<double>& amounts) const;

 private:
  double mean_ = 0;
  double least_ = 0;
  double most_ = 0;
};

// `value` as a share of the way from `least` to `most`; 0 if that way is shorter than HBase's COST_EPSILON.
double Scale(double least, double most, double value);

}  // namespace vaquita::balancer
