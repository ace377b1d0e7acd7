// lab/report/table_text.h: a table as text.
#pragma once

#include <string>
#include <vector>

namespace vaquita::lab {

// Returns a table of figures, whose columns have equal widths. The first row is the head.
std::string TableText(const std::vector<std::vector<std::string>>& rows);

}  // namespace vaquita::lab
