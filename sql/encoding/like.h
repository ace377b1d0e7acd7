// sql/encoding/like.h: patterns of LIKE.
//
// Threads: functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita::sql {

inline constexpr int64_t kMostLikeSteps = 50'000'000;

// Returns where `part` begins in the text, at `from` or behind it; npos if it does not. Its time is that of the text's
// size, whatever the part is: std::string_view::find takes the product of both.
size_t FindBytes(std::string_view text, std::string_view part, size_t from = 0);
// Returns whether LIKE matches: % is any text, _ a character, \ takes the next one as it is. Returns IllegalData if
// this takes more than kMostLikeSteps, which only texts between two % with a _ can.
absl::StatusOr<bool> MatchesLike(std::string_view text, std::string_view pattern);
// Returns whether the pattern matches more than one text.
bool HasWildcard(std::string_view pattern);
// Returns the text with which every match begins.
std::string LikePrefix(std::string_view pattern);

}  // namespace vaquita::sql
