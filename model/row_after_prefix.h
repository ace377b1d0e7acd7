// model/row_after_prefix.h: where the rows that begin alike end.
#pragma once

#include <string>
#include <string_view>

namespace vaquita {

// The first row behind all that start with `prefix`; empty: there is none.
inline std::string RowAfterPrefix(std::string_view prefix) {
  std::string after(prefix.substr(0, prefix.find_last_not_of('\xff') + 1));
  if (!after.empty()) ++after.back();
  return after;
}

}  // namespace vaquita
