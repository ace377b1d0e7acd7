#include "bench/figures.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "base/absl_text.h"

namespace vaquita::bench {

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

Figure RatioFigure(std::string_view what, const std::vector<double>& ours, const std::vector<double>& limit,
                   double least, std::string_view unit) {
  std::vector<double> ratios;
  for (size_t i = 0; i < ours.size(); ++i) ratios.push_back(ours[i] / limit[i]);
  const double ratio = Median(ratios);
  return {std::string(what), absl::StrFormat("%.0f %s, %.0f%%", Median(ours), AbslText(unit), 100 * ratio),
          absl::StrFormat("%.0f %s", Median(limit), AbslText(unit)), absl::StrFormat("%.0f%%", 100 * least),
          ratio >= least};
}

Figure CeilingFigure(std::string_view what, double measured, double most, std::string_view unit) {
  return {std::string(what), absl::StrFormat("%.1f %s", measured, AbslText(unit)), "",
          absl::StrFormat("under %.0f %s", most, AbslText(unit)), measured < most};
}

std::string BenchRow(int64_t i) {
  // An odd factor permutes the 64-bit numbers, so that no row comes twice.
  return absl::StrFormat("%016x", uint64_t(i) * 0x9E3779B97F4A7C15u);
}

std::string BenchValue(int64_t i) {
  std::string value(100, '\0');
  uint64_t x = uint64_t(i) + 1;
  for (char& c : value) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    c = char(x >> 56);
  }
  return value;
}

Mutation BenchPut(int64_t i) {
  Mutation put;
  put.row = BenchRow(i);
  Cell& cell = put.cells.emplace_back();
  cell.family = "f";
  cell.qualifier = "q";
  cell.value = BenchValue(i);
  return put;
}

TableDescriptor BenchTable(const std::string& name) {
  TableDescriptor table;
  table.name.qualifier = name;
  FamilyDescriptor family;
  family.name = "f";
  table.families.emplace(family.name, family);
  return table;
}

}  // namespace vaquita::bench
