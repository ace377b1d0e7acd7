// base/random_bytes.h: random bytes that nobody can guess, for tokens and keys. Threads: functions.
#pragma once

#include <cstddef>
#include <string>

namespace vaquita {

// Returns random bytes of the operating system. Ends the process if it has none: a key that can be guessed is worse.
// REQUIRES: count <= 256.
std::string RandomBytes(size_t count);

inline constexpr size_t kRandomTokenDigits = 64;
// Returns 256 random bits as lower-case hexadecimal digits.
std::string RandomToken();

}  // namespace vaquita
