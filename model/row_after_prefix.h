// model/row_after_prefix.h: the range of rows that share a prefix.
#pragma once

#include <string>
#include <string_view>

#include "model/cell.h"

namespace vaquita {

// Returns the first row behind all rows that start with `prefix`; empty if no row can come behind them.
inline std::string RowAfterPrefix(std::string_view prefix) {
  std::string after(prefix.substr(0, prefix.find_last_not_of('\xff') + 1));
  if (!after.empty()) ++after.back();
  return after;
}

inline RowRange RowsWithPrefix(std::string_view prefix) { return {std::string(prefix), RowAfterPrefix(prefix)}; }

}  // namespace vaquita
