#include "tools/bench/key_choice.h"

#include <algorithm>

#include "lab/records/random_number.h"

namespace vaquita::bench {
namespace {

// YCSB draws from so many items, whatever the table's size, and maps them to rows by a hash.
constexpr uint64_t kScrambledItems = 10'000'000'000;

}  // namespace

uint64_t YcsbHash(uint64_t number) {
  uint64_t hash = 0xCBF29CE484222325;
  for (int i = 0; i < 8; ++i) {
    hash = (hash ^ (number & 0xff)) * 1099511628211U;
    number >>= 8;
  }
  return static_cast<int64_t>(hash) < 0 ? 0 - hash : hash;  // Math.abs
}

KeyChoice::KeyChoice(KeyDistribution distribution, uint64_t rows)
    : distribution_(distribution),
      zipf_(distribution == KeyDistribution::kLatest ? std::max<uint64_t>(rows, 1) : kScrambledItems) {}

uint64_t KeyChoice::Choose(uint64_t random, uint64_t number, uint64_t rows_now) const {
  switch (distribution_) {
    case KeyDistribution::kUniform:
      return lab::RandomBelow(random, rows_now);
    case KeyDistribution::kZipfian:
      return YcsbHash(zipf_.Rank(lab::RandomFraction(random))) % rows_now;
    case KeyDistribution::kLatest:
      return rows_now - 1 - std::min(zipf_.Rank(lab::RandomFraction(random)), rows_now - 1);
    case KeyDistribution::kSequential:
      return number % rows_now;
  }
  return 0;
}

}  // namespace vaquita::bench
