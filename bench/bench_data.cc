#include "bench/bench_data.h"

#include <algorithm>

#include "absl/strings/str_format.h"

namespace vaquita::bench {

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
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
