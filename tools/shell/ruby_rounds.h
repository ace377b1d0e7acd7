// tools/shell/ruby_rounds.h: gives the block of a loop its value in each round. For the other ruby_*.cc alone.
//
// A round's value is made when the round comes: a loop of a million numbers that is left in its first round has made
// one, and loops within each other do not add up. Threads: any. Source: Ruby 2.6's Integer#times and #step, Enumerable.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "tools/shell/ruby_methods.h"
#include "tools/shell/value.h"

namespace vaquita::shell {

struct Rounds {
  size_t size = 0;
  std::function<Value(size_t)> at;  // makes the value of a round; it refers to the receiver
};

// Returns the numbers that times, upto, downto and step go through; nullopt for other methods.
std::optional<absl::StatusOr<Rounds>> CountedRounds(const Value& receiver, std::string_view method,
                                                    const Arguments& arguments);
// Returns what `each` goes through: the elements of an array, the pairs of a hash, the numbers of a range; nullopt for
// other values. kInvalidArgument if there are more than a million.
absl::StatusOr<std::optional<Rounds>> RoundsOf(const Value& receiver);
// Returns the rounds of a method whose receiver has these items. REQUIRES: the method takes these arguments
// (ruby_signatures.h).
absl::StatusOr<Rounds> RoundsOfMethod(std::string_view method, const Value& receiver, const Arguments& arguments,
                                      const Rounds& items);

}  // namespace vaquita::shell
