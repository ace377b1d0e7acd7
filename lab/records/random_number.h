// lab/records/random_number.h: random numbers by their place in a sequence. The same place gives the same number on any
// thread.
#pragma once

#include <cstdint>

namespace vaquita::lab {

// Returns number `index` of the sequence that `seed` names, by SplitMix64 (Steele, Lea, Flood: Fast Splittable
// Pseudorandom Number Generators, 2014), whose state after n steps is seed + n times a constant.
inline uint64_t RandomNumber(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// Maps a random number to [0, bound), by multiplication instead of division (Lemire 2019, without the rejection: its
// bias is below bound / 2^64).
inline uint64_t RandomBelow(uint64_t random, uint64_t bound) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(random) * bound) >> 64);
}

// Maps a random number to [0, 1).
inline double RandomFraction(uint64_t random) { return static_cast<double>(random >> 11) * 0x1.0p-53; }

// Returns the record that represents part `part` of a run's `parts` equal parts: any one of that part, always the same.
// Records at equal distances would miss most buckets of a design that counts its records.
inline uint64_t RandomRecordOfPart(uint64_t part, uint64_t parts, uint64_t run) {
  const auto begin = [&](uint64_t i) { return static_cast<uint64_t>(static_cast<unsigned __int128>(i) * run / parts); };
  const uint64_t length = begin(part + 1) - begin(part);
  return begin(part) + (length < 2 ? 0 : RandomBelow(RandomNumber(run, part), length));
}

}  // namespace vaquita::lab
