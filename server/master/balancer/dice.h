// server/master/balancer/dice.h: random numbers that depend on the seed alone, on every machine (SplitMix64).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace vaquita::balancer {

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // Returns a number from 0 to bound - 1. REQUIRES: 0 < bound < 2^32.
  uint32_t Below(size_t bound) { return static_cast<uint32_t>(((Next() >> 32) * bound) >> 32); }
  // Returns a number in [0, 1).
  double Share() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }
  bool Coin() { return (Next() >> 63) != 0; }

  template <typename T>
  void Shuffle(std::vector<T>* items) {
    for (size_t i = items->size(); i > 1; --i) std::swap((*items)[i - 1], (*items)[Below(i)]);
  }

 private:
  uint64_t state_;
};

}  // namespace vaquita::balancer
