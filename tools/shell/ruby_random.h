// tools/shell/ruby_random.h: the random numbers of a session: rand, srand, sample and shuffle.
//
// Threads: one. Source: Ruby 2.6's Kernel#rand and Kernel#srand. The numbers of a seed are not those of Ruby.
#pragma once

#include <cstdint>
#include <random>

#include "absl/status/statusor.h"
#include "tools/shell/ruby_methods.h"
#include "tools/shell/value.h"

namespace vaquita::shell {

class RubyRandom {
 public:
  // Takes the seed from the system.
  RubyRandom() : RubyRandom(NewSeed()) {}
  explicit RubyRandom(int64_t seed) : seed_(seed), engine_(static_cast<uint64_t>(seed)) {}

  // Returns rand(arguments): a float below 1, an integer below a number, or one of a range.
  absl::StatusOr<Value> Rand(const Arguments& arguments);
  // Begins anew with a seed, by default another one of the system. Returns the seed before.
  absl::StatusOr<Value> Seed(const Arguments& arguments);
  // Returns one element, or, if `arguments` has a number, so many different ones.
  absl::StatusOr<Value> Sample(Array array, const Arguments& arguments);
  Value Shuffle(Array array);

 private:
  static int64_t NewSeed();
  // Returns a number from 0 to `last`.
  uint64_t UpTo(uint64_t last) { return std::uniform_int_distribution<uint64_t>(0, last)(engine_); }

  int64_t seed_;
  std::mt19937_64 engine_;
};

}  // namespace vaquita::shell
