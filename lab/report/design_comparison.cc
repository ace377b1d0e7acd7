#include "lab/report/design_comparison.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "lab/design/duplicate_keys.h"
#include "lab/report/table_text.h"
#include "model/region_info.h"
#include "nlohmann/json.hpp"

namespace vaquita::lab {
namespace {

constexpr uint64_t kLeastRecords = 20;  // a region's in a slice, on average; with fewer, chance looks like a hotspot
constexpr uint64_t kMostSlices = 60;

absl::StatusOr<ReadSimulation> Read(const KeyDesign& design, const LookupTables& tables, const RecordSet& records,
                                    const SplitKeys& splits, const ReadLoad& load) {
  return SimulateReads(records, records.size(), design, tables, splits, load, {.slices = 1});
}

std::string Number(double number) { return absl::StrFormat("%.2f", number); }

}  // namespace

absl::StatusOr<DesignFigures> SimulateDesign(const std::string& name, const KeyDesign& design,
                                             const LookupTables& tables, const RecordSet& records,
                                             const SplitKeys& splits, const ComparedLoad& load) {
  DesignFigures figures{.name = name, .design = design.expression(), .splits = splits, .writes = {}, .scan_plan = {}};
  const uint64_t least = kLeastRecords * static_cast<uint64_t>(splits.regions());
  const auto slices = static_cast<int>(std::clamp<uint64_t>(records.size() / least, 1, kMostSlices));
  VAQUITA_ASSIGN_OR_RETURN(const WriteSimulation writes, SimulateWrites(records, design, splits, {.slices = slices}));
  if (writes.records == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the design makes no key for any record: ", writes.skipped.messages[0]));
  }
  figures.writes = SpreadOf(writes.counts);
  figures.mean_key_bytes = static_cast<double>(writes.key_bytes) / static_cast<double>(writes.records);
  figures.longest_key = writes.longest_key;
  figures.skipped = writes.skipped.count;
  figures.repeated_keys = FindDuplicateKeys(records, design).repeated;

  VAQUITA_ASSIGN_OR_RETURN(
      const ReadSimulation gets,
      Read(design, tables, records, splits, {.reads = load.gets, .pattern = load.pattern, .scan = std::nullopt}));
  figures.requests_per_get = gets.RequestsPerRead();
  figures.hottest_get_region = SpreadOf(gets.counts).hottest;
  if (!load.scan) return figures;
  VAQUITA_ASSIGN_OR_RETURN(
      const ReadSimulation scans,
      Read(design, tables, records, splits, {.reads = load.scans, .pattern = load.pattern, .scan = load.scan}));
  figures.scan_plan = scans.plan;
  figures.ranges_per_scan = scans.RangesPerRead();
  figures.requests_per_scan = scans.RequestsPerRead();
  figures.rows_read_per_scan = scans.rows_read;
  figures.rows_wanted_per_scan = scans.rows_wanted;
  return figures;
}

std::string ComparisonText(const std::vector<DesignFigures>& designs, const ComparedLoad& load) {
  std::string text;
  for (const DesignFigures& figures : designs) absl::StrAppend(&text, figures.name, ": ", figures.design, "\n");
  text += "\n";
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](const std::string& name, auto value) {
    rows.push_back({name});
    for (const DesignFigures& figures : designs) rows.back().push_back(value(figures));
  };
  using F = DesignFigures;
  row("", [](const F& f) { return f.name; });
  row("regions", [](const F& f) { return absl::StrCat(f.splits.regions()); });
  row("writes: hottest region, whole run", [](const F& f) { return ShareText(f.writes.hottest); });
  row("writes: hottest region at a time", [](const F& f) { return ShareText(f.writes.hottest_slice); });
  row("get: requests", [](const F& f) { return Number(f.requests_per_get); });
  row("gets: hottest region", [](const F& f) { return ShareText(f.hottest_get_region); });
  if (load.scan) {
    row(load.scan_name + ": ranges", [](const F& f) { return Number(f.ranges_per_scan); });
    row(load.scan_name + ": requests", [](const F& f) { return Number(f.requests_per_scan); });
    row(load.scan_name + ": rows read", [](const F& f) { return Number(f.rows_read_per_scan); });
    row(load.scan_name + ": rows wanted", [](const F& f) { return Number(f.rows_wanted_per_scan); });
  }
  row("key bytes, on average", [](const F& f) { return absl::StrFormat("%.1f", f.mean_key_bytes); });
  row("key bytes, longest", [](const F& f) { return absl::StrCat(f.longest_key); });
  const auto any = [&](auto member) {
    return std::any_of(designs.begin(), designs.end(), [&](const F& f) { return f.*member > 0; });
  };
  if (any(&F::repeated_keys))
    row("rows hidden by a repeated key", [](const F& f) { return WithCommas(f.repeated_keys); });
  if (any(&F::skipped)) row("records that do not fit", [](const F& f) { return WithCommas(f.skipped); });
  return text + TableText(rows) + "1.00 x is an even share: what a region gets of a load that is spread evenly\n";
}

nlohmann::json ComparisonJson(const std::vector<DesignFigures>& designs, const ComparedLoad& load) {
  nlohmann::json json = nlohmann::json::array();
  for (const DesignFigures& figures : designs) {
    nlohmann::json one{{"name", figures.name},
                       {"design", figures.design},
                       {"regions", figures.splits.regions()},
                       {"writes_hottest", figures.writes.hottest},
                       {"writes_hottest_at_a_time", figures.writes.hottest_slice},
                       {"requests_per_get", figures.requests_per_get},
                       {"gets_hottest", figures.hottest_get_region},
                       {"key_bytes_mean", figures.mean_key_bytes},
                       {"key_bytes_longest", figures.longest_key},
                       {"repeated_keys", figures.repeated_keys},
                       {"skipped", figures.skipped}};
    for (const std::string& key : figures.splits.keys()) one["splits"].push_back(ToStringBinary(key));
    if (load.scan) {
      one["scan"] = {{"name", load.scan_name},
                     {"ranges", figures.ranges_per_scan},
                     {"requests", figures.requests_per_scan},
                     {"rows_read", figures.rows_read_per_scan},
                     {"rows_wanted", figures.rows_wanted_per_scan},
                     {"plan", PlanText(figures.scan_plan)}};
    }
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace vaquita::lab
