#include "server/master/balancer/skew.h"

#include <algorithm>
#include <cmath>

namespace vaquita::balancer {
namespace {

constexpr double kEpsilon = 0.0001;

double Square(double x) { return x * x; }

// Returns the squares for evenly spread whole units.
double LeastSquares(double total, double servers, double mean) {
  if (servers > total) return (servers - total) * Square(mean) + total * Square(1 - mean);
  const double high = std::trunc(total - std::floor(mean) * servers);  // servers with one more than the others
  return high * Square(std::ceil(mean) - mean) + (servers - high) * Square(mean - std::floor(mean));
}

}  // namespace

double Scale(double least, double most, double value) {
  if (most - least <= kEpsilon || value - least <= kEpsilon) return 0;
  return std::min(1.0, (value - least) / (most - least));
}

Skew::Skew(double total, double servers) {
  if (servers == 0) return;
  mean_ = total / servers;
  least_ = std::sqrt(LeastSquares(total, servers, mean_));
  most_ = std::sqrt(Square(total - mean_) + (servers - 1) * Square(mean_));
}

double Skew::Scaled(double squares) const { return Scale(least_, most_, std::sqrt(std::max(0.0, squares))); }

double Skew::SumOfSquares(const std::vector<double>& amounts) const {
  double squares = 0;
  for (const double amount : amounts) squares += Square(amount - mean_);
  return squares;
}

}  // namespace vaquita::balancer
