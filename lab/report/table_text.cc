#include "lab/report/table_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace vaquita::lab {

std::string TableText(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - row[i].size(), ' ');
      absl::StrAppend(&text, i == 0 ? "" : "  ", i == 0 ? row[i] + gap : gap + row[i]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace vaquita::lab
