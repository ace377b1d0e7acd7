#include "lab/report/design_comparison.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/json_value.h"
#include "base/status.h"
#include "lab/design/duplicate_keys.h"
#include "lab/report/heat_map_picture.h"
#include "lab/report/page.h"
#include "lab/report/table_text.h"
#include "lab/report/xml_text.h"
#include "model/region_info.h"

namespace vaquita::lab {
namespace {

constexpr uint64_t kCheckedKeys = 1'000'000;
constexpr const char* kEvenShare = "1.00 x is an even share: what a region gets of a load that is spread evenly";

absl::StatusOr<ReadSimulation> Read(const KeyDesign& design, const LookupTables& tables, const RecordSet& records,
                                    const SplitKeys& splits, uint64_t run_records, const ReadLoad& load) {
  return SimulateReads(records, run_records, design, tables, splits, load, {.slices = 1});
}

std::string Number(double number) { return absl::StrFormat("%.2f", number); }

// A line of the comparison.
struct Figure {
  std::string name;
  std::vector<std::string> texts;  // one for each design
  std::vector<double> values;      // likewise, the less the better; empty: none is better

  bool IsBest(size_t design) const {
    if (values.empty()) return false;
    const std::string& best = texts[std::min_element(values.begin(), values.end()) - values.begin()];
    return texts[design] == best && std::any_of(texts.begin(), texts.end(), [&](const auto& t) { return t != best; });
  }
};

std::vector<Figure> FiguresOf(const std::vector<DesignFigures>& designs, const ComparedLoad& load) {
  using F = DesignFigures;
  std::vector<Figure> lines;
  const auto line = [&](const std::string& name, auto value, auto text, bool has_best = true) {
    Figure& figure = lines.emplace_back(Figure{.name = name, .texts = {}, .values = {}});
    for (const F& figures : designs) {
      const double number = value(figures);
      figure.texts.push_back(text(number));
      if (has_best) figure.values.push_back(number);
    }
  };
  const auto whole = [](double number) { return WithCommas(static_cast<uint64_t>(number)); };
  const auto tenths = [](double number) { return absl::StrFormat("%.1f", number); };
  line(
      "regions", [](const F& f) { return f.splits.regions(); }, whole, false);
  line(
      "writes: hottest region, whole run", [](const F& f) { return f.writes.hottest; }, ShareText);
  line(
      "writes: hottest region at a time", [](const F& f) { return f.writes.hottest_slice; }, ShareText);
  line(
      "get: requests", [](const F& f) { return f.requests_per_get; }, Number);
  line(
      "gets: hottest region", [](const F& f) { return f.hottest_get_region; }, ShareText);
  if (load.scan) {
    line(
        load.scan_name + ": ranges", [](const F& f) { return f.ranges_per_scan; }, Number);
    line(
        load.scan_name + ": requests", [](const F& f) { return f.requests_per_scan; }, Number);
    line(
        load.scan_name + ": rows read", [](const F& f) { return f.rows_read_per_scan; }, Number);
    line(
        load.scan_name + ": rows wanted", [](const F& f) { return f.rows_wanted_per_scan; }, Number, false);
  }
  line(
      "key bytes, on average", [](const F& f) { return f.mean_key_bytes; }, tenths);
  line(
      "key bytes, longest", [](const F& f) { return static_cast<double>(f.longest_key); }, whole);
  const auto any = [&](auto member) {
    return std::any_of(designs.begin(), designs.end(), [&](const F& f) { return f.*member > 0; });
  };
  if (any(&F::repeated_keys)) {
    const uint64_t unchecked = designs[0].unchecked_keys;
    const std::string but = unchecked == 0 ? "" : absl::StrCat(", but for ", WithCommas(unchecked), " rows");
    line(
        "rows hidden by a repeated key" + but, [](const F& f) { return static_cast<double>(f.repeated_keys); }, whole);
  }
  if (any(&F::skipped)) {
    line(
        "records that do not fit", [](const F& f) { return static_cast<double>(f.skipped); }, whole);
  }
  return lines;
}

}  // namespace

absl::StatusOr<DesignFigures> SimulateDesign(const std::string& name, const KeyDesign& design,
                                             const LookupTables& tables, const RecordSet& records,
                                             const SplitKeys& splits, const ComparedLoad& load) {
  DesignFigures figures{
      .name = name, .design = design.expression(), .splits = splits, .writes = {}, .picture = {}, .scan_plan = {}};
  VAQUITA_ASSIGN_OR_RETURN(WriteSimulation writes, SimulateWrites(records, design, splits, {}));
  if (writes.records == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the design makes no key for any record: ", writes.skipped.messages[0]));
  }
  figures.writes = SpreadOf(writes.counts);
  figures.mean_key_bytes = static_cast<double>(writes.key_bytes) / static_cast<double>(writes.records);
  figures.longest_key = writes.longest_key;
  figures.skipped = writes.skipped.count;
  figures.repeated_keys = FindDuplicateKeys(records, design, kCheckedKeys).repeated;
  const uint64_t run = std::max(load.run_records, records.size());
  figures.unchecked_keys = run - std::min(records.size(), kCheckedKeys);
  figures.picture = WriteHeatMap({.design = design.expression(),
                                  .splits = splits,
                                  .starts = ReadableStarts(design, splits),
                                  .times = TimeAxis::Of(records, records.RunIndex(records.size() - 1) + 1),
                                  .writes = std::move(writes),
                                  .reads = std::nullopt,
                                  .read_description = {}});
  figures.picture.title = absl::StrCat(name, ": ", design.expression());

  VAQUITA_ASSIGN_OR_RETURN(
      const ReadSimulation gets,
      Read(design, tables, records, splits, run, {.reads = load.gets, .pattern = load.pattern, .scan = std::nullopt}));
  figures.requests_per_get = gets.RequestsPerRead();
  figures.hottest_get_region = SpreadOf(gets.counts).hottest;
  if (!load.scan) return figures;
  VAQUITA_ASSIGN_OR_RETURN(
      const ReadSimulation scans,
      Read(design, tables, records, splits, run, {.reads = load.scans, .pattern = load.pattern, .scan = load.scan}));
  figures.scan_plan = scans.plan;
  figures.ranges_per_scan = scans.RangesPerRead();
  figures.requests_per_scan = scans.RequestsPerRead();
  figures.rows_read_per_scan = scans.rows_read;
  figures.rows_wanted_per_scan = scans.rows_wanted;
  return figures;
}

std::string ComparisonText(const std::vector<DesignFigures>& designs, const ComparedLoad& load) {
  std::string text;
  std::vector<std::vector<std::string>> rows = {{""}};
  for (const DesignFigures& figures : designs) {
    absl::StrAppend(&text, figures.name, ": ", figures.design, "\n");
    rows[0].push_back(figures.name);
  }
  for (const Figure& figure : FiguresOf(designs, load)) {
    rows.push_back({figure.name});
    rows.back().insert(rows.back().end(), figure.texts.begin(), figure.texts.end());
  }
  return absl::StrCat(text, "\n", TableText(rows), kEvenShare, "\n");
}

std::string ComparisonHtml(const std::string& title, const std::string& intro,
                           const std::vector<DesignFigures>& designs, const ComparedLoad& load,
                           const std::string& end) {
  std::string html = intro + "<div class=\"designs\">\n";
  std::string head;
  for (const DesignFigures& figures : designs) {
    absl::StrAppend(&html, "<figure>", HeatMapSvg(figures.picture), "</figure>\n");
    absl::StrAppend(&head, "<th>", XmlText(figures.name), "</th>");
  }
  absl::StrAppend(&html, "</div>\n<p>", kEvenShare, ". The best of each line is marked.</p>\n",
                  "<div class=\"scroll\"><table><tr><th></th>", head, "</tr>\n");
  for (const Figure& figure : FiguresOf(designs, load)) {
    absl::StrAppend(&html, "<tr><td>", XmlText(figure.name), "</td>");
    for (size_t i = 0; i < designs.size(); ++i) {
      absl::StrAppend(&html, "<td", figure.IsBest(i) ? " class=\"best\">" : ">", figure.texts[i], "</td>");
    }
    html += "</tr>\n";
  }
  return Page(title, html + "</table></div>\n" + end);
}

Json ComparisonJson(const std::vector<DesignFigures>& designs, const ComparedLoad& load) {
  Json json = Json::array();
  for (const DesignFigures& figures : designs) {
    Json one{{"name", figures.name},
             {"design", figures.design},
             {"regions", figures.splits.regions()},
             {"writes_hottest", figures.writes.hottest},
             {"writes_hottest_at_a_time", figures.writes.hottest_slice},
             {"requests_per_get", figures.requests_per_get},
             {"gets_hottest", figures.hottest_get_region},
             {"key_bytes_mean", figures.mean_key_bytes},
             {"key_bytes_longest", figures.longest_key},
             {"repeated_keys", figures.repeated_keys},
             {"unchecked_keys", figures.unchecked_keys},
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
