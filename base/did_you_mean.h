// base/did_you_mean.h: finds the name that somebody probably meant. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vaquita {

// Returns the candidate with the fewest edits from `name`, or "" if all have more than a quarter of its bytes, or if it
// is longer than 100 bytes.
std::string_view NearestName(std::string_view name, const std::vector<std::string_view>& candidates);

// Returns the nearest candidate as "; did you mean 'phone'?", or "" if none is near.
std::string DidYouMean(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace vaquita
