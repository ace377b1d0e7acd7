#include "lab/record_choice.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "engine/absl_text.h"
#include "lab/random_number.h"

namespace vaquita::lab {
namespace {

constexpr double kTheta = 0.99;  // YCSB's ZIPFIAN_CONSTANT
constexpr uint64_t kExactTerms = 1000;

// The sum of k^-theta for k = 1 to n: the first terms one by one, the rest by the Euler-Maclaurin formula, whose error
// is far below what a double holds.
double Zeta(uint64_t n) {
  double sum = 0;
  const uint64_t exact = std::min(n, kExactTerms);
  for (uint64_t k = 1; k <= exact; ++k) sum += std::pow(static_cast<double>(k), -kTheta);
  if (exact == n) return sum;
  const auto from = static_cast<double>(exact);
  const auto to = static_cast<double>(n);
  const double integral = (std::pow(to, 1 - kTheta) - std::pow(from, 1 - kTheta)) / (1 - kTheta);
  const double ends = (std::pow(to, -kTheta) - std::pow(from, -kTheta)) / 2;
  return sum + integral + ends;
}

}  // namespace

absl::StatusOr<ReadPattern> ParseReadPattern(std::string_view name) {
  if (name == "uniform") return ReadPattern::kUniform;
  if (name == "zipfian") return ReadPattern::kZipfian;
  if (name == "latest") return ReadPattern::kLatest;
  return absl::InvalidArgumentError(
      absl::StrCat("no read pattern '", AbslText(name), "'; there are uniform, zipfian and latest"));
}

// Gray et al., Quickly Generating Billion-Record Synthetic Databases (1994), as YCSB uses it.
RecordChoice::RecordChoice(ReadPattern pattern, uint64_t records, uint64_t seed)
    : pattern_(pattern), records_(records), seed_(seed) {
  if (pattern == ReadPattern::kUniform) return;
  zeta_ = Zeta(records);
  eta_ = (1 - std::pow(2.0 / static_cast<double>(records), 1 - kTheta)) / (1 - Zeta(2) / zeta_);
}

uint64_t RecordChoice::Rank(double fraction) const {
  const double place = fraction * zeta_;
  if (place < 1) return 0;
  if (place < 1 + std::pow(0.5, kTheta)) return std::min<uint64_t>(1, records_ - 1);
  const double rank = static_cast<double>(records_) * std::pow(eta_ * fraction - eta_ + 1, 1 / (1 - kTheta));
  return std::min(records_ - 1, static_cast<uint64_t>(rank));
}

uint64_t RecordChoice::Choose(uint64_t draw) const {
  const uint64_t random = RandomNumber(seed_, draw);
  if (pattern_ == ReadPattern::kUniform) return RandomBelow(random, records_);
  const uint64_t rank = Rank(RandomFraction(random));
  if (pattern_ == ReadPattern::kLatest) return records_ - 1 - rank;
  return RandomBelow(RandomNumber(seed_ + 1, rank),
                     records_);  // each rank has its place, but not beside the next one's
}

}  // namespace vaquita::lab
