#include "lab/records/zipf_distribution.h"

#include <algorithm>
#include <cmath>

namespace vaquita::lab {
namespace {

constexpr uint64_t kExactTerms = 1000;

// The sum of k^-exponent for k = 1 to n: the first terms one by one, the rest by the Euler-Maclaurin formula, whose
// error is far below what a double holds.
double Zeta(uint64_t n, double exponent) {
  double sum = 0;
  const uint64_t exact = std::min(n, kExactTerms);
  for (uint64_t k = 1; k <= exact; ++k) sum += std::pow(static_cast<double>(k), -exponent);
  if (exact == n) return sum;
  const auto from = static_cast<double>(exact);
  const auto to = static_cast<double>(n);
  const double integral = (std::pow(to, 1 - exponent) - std::pow(from, 1 - exponent)) / (1 - exponent);
  const double ends = (std::pow(to, -exponent) - std::pow(from, -exponent)) / 2;
  return sum + integral + ends;
}

}  // namespace

ZipfDistribution::ZipfDistribution(uint64_t n, double exponent)
    : n_(n), power_(1 / (1 - exponent)), zeta_(Zeta(n, exponent)), second_(Zeta(2, exponent)) {
  eta_ = (1 - std::pow(2.0 / static_cast<double>(n), 1 - exponent)) / (1 - second_ / zeta_);
}

uint64_t ZipfDistribution::Rank(double fraction) const {
  const double place = fraction * zeta_;
  if (place < 1 || n_ == 1) return 0;
  if (place < second_ || n_ == 2) return 1;
  const double rank = static_cast<double>(n_) * std::pow(eta_ * fraction - eta_ + 1, power_);
  return std::min(n_ - 1, static_cast<uint64_t>(rank));
}

}  // namespace vaquita::lab
