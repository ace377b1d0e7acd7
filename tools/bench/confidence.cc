#include "tools/bench/confidence.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace vaquita::bench {
namespace {

// The quantiles of 1 to 10 degrees of freedom, and then of those below. Source: any table of Student's t.
constexpr double kFirst[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
constexpr std::pair<double, double> kLater[] = {{10, 2.228}, {12, 2.179}, {15, 2.131},  {20, 2.086},
                                                {30, 2.042}, {60, 2.000}, {120, 1.980}, {1e9, 1.960}};

double VarianceOf(const std::vector<double>& values) {
  const double mean = MeanOf(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

// Quantiles between two degrees of freedom are nearly linear in 1 / freedom.
double Between(double freedom, std::pair<double, double> a, std::pair<double, double> b) {
  const double part = (1 / freedom - 1 / a.first) / (1 / b.first - 1 / a.first);
  return a.second + part * (b.second - a.second);
}

}  // namespace

double MeanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double StudentQuantile(double freedom) {
  if (freedom < 10) {
    const auto below = static_cast<size_t>(freedom);
    return Between(freedom, {below, kFirst[below - 1]}, {below + 1, kFirst[below]});
  }
  for (size_t i = 0; i + 1 < std::size(kLater); ++i) {
    if (freedom < kLater[i + 1].first) return Between(freedom, kLater[i], kLater[i + 1]);
  }
  return std::rbegin(kLater)->second;
}

std::optional<Difference> DifferenceOf(const std::vector<double>& base, const std::vector<double>& ours) {
  const double mean = MeanOf(base);
  if (base.size() < 2 || ours.size() < 2 || mean == 0) return std::nullopt;
  const double of_base = VarianceOf(base) / static_cast<double>(base.size());
  const double of_ours = VarianceOf(ours) / static_cast<double>(ours.size());
  const double sum = of_base + of_ours;
  double margin = 0;
  if (sum > 0) {
    const double freedom = sum * sum /
                           (of_base * of_base / static_cast<double>(base.size() - 1) +
                            of_ours * of_ours / static_cast<double>(ours.size() - 1));
    margin = StudentQuantile(std::max(1.0, freedom)) * std::sqrt(sum);
  }
  const double difference = MeanOf(ours) - mean;
  // No figure is below 0, so none is more than 100% less.
  return Difference{difference / mean, std::max(-1.0, (difference - margin) / mean), (difference + margin) / mean};
}

}  // namespace vaquita::bench
