// sql/encoding/like.h: patterns of LIKE.
//
// Threads: functions.
#pragma once

#include <string>
#include <string_view>

namespace vaquita::sql {

// Returns whether LIKE matches: % is any text, _ a character, \ takes the next one as it is.
bool MatchesLike(std::string_view text, std::string_view pattern);
// Returns the text with which every match begins.
std::string LikePrefix(std::string_view pattern);

}  // namespace vaquita::sql
