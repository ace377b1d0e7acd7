#include "tools/lab/emulation_check.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "base/json_value.h"
#include "lab/report/emulation_report.h"

namespace vaquita {

double CheckedNumber::Difference() const {
  if (emulated == live) return 0;
  return (emulated - live) / std::max(1.0, std::abs(live));
}

std::vector<CheckedNumber> CheckEmulation(const lab::Emulation& emulation, const LiveRun& live) {
  const lab::EmulatedCounts& total = emulation.total;
  const auto number = [](int64_t value) { return static_cast<double>(value); };
  return {
      {.name = "regions",
       .emulated = number(std::ssize(emulation.regions)),
       .live = number(live.regions),
       .answers_for = true},
      {.name = "splits", .emulated = number(total.splits), .live = number(live.splits), .answers_for = true},
      {.name = "flushes", .emulated = number(total.flushes), .live = number(live.counts.flushes), .answers_for = true},
      {.name = "compactions",
       .emulated = number(total.minor_compactions + total.major_compactions),
       .live = number(live.counts.compactions)},
      {.name = "compacted", .emulated = total.compacted_bytes, .live = live.counts.compacted_bytes, .is_bytes = true},
      {.name = "files", .emulated = number(total.files), .live = number(live.files)},
      {.name = "data", .emulated = total.data_bytes, .live = number(live.data_bytes), .is_bytes = true}};
}

std::string EmulationCheckText(const std::vector<CheckedNumber>& numbers) {
  std::string text = absl::StrFormat("%-12s %10s %10s %11s\n", "", "emulated", "live", "difference");
  for (const CheckedNumber& number : numbers) {
    const auto shown = [&](double value) {
      return number.is_bytes ? lab::BytesText(value) : absl::StrFormat("%.0f", value);
    };
    absl::StrAppendFormat(&text, "%-12s %10s %10s %+10.1f%%\n", number.name, shown(number.emulated), shown(number.live),
                          number.Difference() * 100);
  }
  return text;
}

std::string EmulationCheckJson(const std::vector<CheckedNumber>& numbers) {
  Json json;
  for (const CheckedNumber& number : numbers) {
    json[number.name] = {{"emulated", number.emulated}, {"live", number.live}, {"difference", number.Difference()}};
  }
  return IndentedJsonText(json) + "\n";
}

}  // namespace vaquita
