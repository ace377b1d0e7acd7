#include "lab/report/simulation_report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "base/absl_text.h"
#include "base/json_value.h"
#include "lab/report/heat_map_picture.h"
#include "lab/report/page.h"
#include "lab/report/table_text.h"
#include "lab/report/words.h"
#include "lab/report/xml_text.h"
#include "model/region_info.h"

namespace vaquita::lab {
namespace {

// With fewer requests of each region, on average, the hottest one may be so by chance.
constexpr double kRequestsWithoutChance = 20;

// Returns whether an even load, of which each region has `even` requests on average, may give one region so many.
bool MayBeChance(uint64_t hottest, double even) {
  return even < kRequestsWithoutChance && static_cast<double>(hottest) <= even + 5 * std::sqrt(even) + 5;
}

double RatioOf(uint64_t requests, const RequestCounts& counts, uint64_t total) {
  return total == 0 ? 0 : static_cast<double>(requests) * counts.regions() / static_cast<double>(total);
}

void AppendRegions(const RequestCounts& counts, const SplitKeys& splits, std::string* text) {
  const uint64_t total = counts.Total();
  absl::StrAppend(text, "start key:requests:(ratio)\n");
  for (int region = 0; region < counts.regions(); ++region) {
    const uint64_t requests = counts.OfRegion(region);
    absl::StrAppend(text, ToStringBinary(splits.StartKey(region)), ":", requests, ":(",
                    RatioText(RatioOf(requests, counts, total)), ")\n");
  }
  absl::StrAppend(text, "total:", total, "\n");
}

// Says how even the load is: over the run, and at a time, which shows moving hotspots.
std::string SpreadText(const RequestCounts& counts) {
  constexpr double kNearlyAll = 0.8;
  if (counts.regions() == 1) return "One region takes everything.";
  const Spread spread = SpreadOf(counts);
  const std::string coldest = ShareText(spread.coldest), hottest = ShareText(spread.hottest);
  const std::string whole = coldest == hottest
                                ? absl::StrCat("Over the run each region gets ", hottest, ".")
                                : absl::StrCat("Over the run a region gets ", coldest, " to ", hottest, ".");
  const std::string at_a_time = ShareText(spread.hottest_slice);
  if (spread.hottest_slice >= kNearlyAll * counts.regions()) {
    return absl::StrCat(counts.regions(), " regions, and at any moment one of them takes ",
                        spread.hottest_slice > 0.995 * counts.regions() ? "everything" : "nearly everything", " (",
                        at_a_time, "). ", whole);
  }
  return absl::StrCat(counts.regions(), " regions, and at any moment the hottest of them takes ", at_a_time, ". ",
                      whole);
}

std::string StartOf(const SimulationReport& report, int region) {
  return report.starts.empty() ? ToStringBinary(report.splits.StartKey(region)) : report.starts[region];
}

// A table for people: all regions, or the hottest of many.
void AppendTable(const RequestCounts& counts, const SimulationReport& report, const std::string& what,
                 std::string* text) {
  constexpr int kMostRegions = 50, kHottest = 20;
  constexpr size_t kMostLetters = 48;
  const uint64_t total = counts.Total();
  std::vector<int> regions(counts.regions());
  std::iota(regions.begin(), regions.end(), 0);
  if (counts.regions() > kMostRegions) {
    std::stable_sort(regions.begin(), regions.end(),
                     [&](int a, int b) { return counts.OfRegion(a) > counts.OfRegion(b); });
    regions.resize(kHottest);
    absl::StrAppend(text, "The hottest ", kHottest, " of ", counts.regions(),
                    " regions (--format report has all of them):\n");
  }
  std::vector<std::vector<std::string>> rows = {{"start key", what, "share"}};
  for (const int region : regions) {
    std::string key = region == 0 ? "(first)" : StartOf(report, region);
    if (key.size() > kMostLetters) key = key.substr(0, kMostLetters - 3) + "...";
    rows.push_back(
        {key, WithCommas(counts.OfRegion(region)), ShareText(RatioOf(counts.OfRegion(region), counts, total))});
  }
  absl::StrAppend(text, TableText(rows));
}

std::string KeyText(const WriteSimulation& writes) {
  return absl::StrFormat(
      "key bytes: %.1f on average, %d to %d",
      writes.records == 0 ? 0.0 : static_cast<double>(writes.key_bytes) / static_cast<double>(writes.records),
      writes.shortest_key, writes.longest_key);
}

std::string ReadText(const ReadSimulation& reads) {
  std::string text =
      absl::StrFormat("each read: %.2f ranges, %.2f requests", reads.RangesPerRead(), reads.RequestsPerRead());
  if (reads.rows_read > 0) {
    absl::StrAppendFormat(&text, "; about %s rows read for %s wanted",
                          WithCommas(static_cast<uint64_t>(std::llround(reads.rows_read))),
                          WithCommas(static_cast<uint64_t>(std::llround(reads.rows_wanted))));
  }
  return text;
}

Json CountsJson(const RequestCounts& counts, const SimulationReport& report) {
  const SplitKeys& splits = report.splits;
  Json json;
  const uint64_t total = counts.Total();
  json["total"] = total;
  for (int region = 0; region < counts.regions(); ++region) {
    const uint64_t requests = counts.OfRegion(region);
    json["regions"].push_back({{"start_key", ToStringBinary(splits.StartKey(region))},
                               {"start", StartOf(report, region)},
                               {"end_key", ToStringBinary(splits.EndKey(region))},
                               {"requests", requests},
                               {"ratio", RatioOf(requests, counts, total)}});
  }
  for (int slice = 0; slice < counts.slices(); ++slice) json["slices"].push_back(counts.Slice(slice));
  const Spread spread = SpreadOf(counts);
  json["hottest"] = spread.hottest;
  json["coldest"] = spread.coldest;
  json["hottest_slice"] = spread.hottest_slice;
  return json;
}

std::string_view UseName(PartUse use) {
  switch (use) {
    case PartUse::kComputed:
      return "computed";
    case PartUse::kEveryValue:
      return "every value";
    case PartUse::kRange:
      return "range";
    case PartUse::kOpen:
      return "open";
  }
  return "";
}

std::string CsvText(std::string_view text) {
  if (text.find_first_of(",\"") == std::string_view::npos) return std::string(text);
  return absl::StrCat("\"", absl::StrReplaceAll(AbslText(text), {{"\"", "\"\""}}), "\"");
}

std::string CountCells(const RequestCounts& counts, int region) {
  const uint64_t requests = counts.OfRegion(region);
  return absl::StrCat("<td>", WithCommas(requests), "</td><td>", ShareText(RatioOf(requests, counts, counts.Total())),
                      "</td>");
}

}  // namespace

std::vector<std::string> ReadableStarts(const KeyDesign& design, const SplitKeys& splits) {
  std::vector<std::string> starts = design.ReadableKeys(splits.keys());
  starts.insert(starts.begin(), "");
  return starts;
}

Spread SpreadOf(const RequestCounts& counts) {
  Spread spread;
  const uint64_t total = counts.Total();
  if (total == 0) return spread;
  spread.coldest = std::numeric_limits<double>::max();
  for (int region = 0; region < counts.regions(); ++region) {
    const double ratio = RatioOf(counts.OfRegion(region), counts, total);
    spread.hottest = std::max(spread.hottest, ratio);
    spread.coldest = std::min(spread.coldest, ratio);
  }
  std::vector<uint64_t> joined(counts.regions());  // the requests of slices that are taken together
  uint64_t sum = 0;
  uint64_t of_hottest = 0;
  for (int slice = 0; slice < counts.slices(); ++slice) {
    const auto of_slice = counts.Slice(slice);
    std::transform(joined.begin(), joined.end(), of_slice.begin(), joined.begin(), std::plus());
    sum += counts.OfSlice(slice);
    const uint64_t most = *std::max_element(joined.begin(), joined.end());
    const bool is_last = slice + 1 == counts.slices();
    if (!is_last && MayBeChance(most, static_cast<double>(sum) / counts.regions())) continue;
    of_hottest += most;
    std::fill(joined.begin(), joined.end(), 0);
    sum = 0;
  }
  spread.hottest_slice = RatioOf(of_hottest, counts, total);
  return spread;
}

std::string ReportText(const SimulationReport& report) {
  const RequestCounts& writes = report.writes.counts;
  std::string text = absl::StrCat(
      WithCommas(writes.Total()), " writes. 1.00 x is an even share, ",
      WithCommas(static_cast<uint64_t>(std::llround(static_cast<double>(writes.Total()) / writes.regions()))),
      " writes of a region.\n\n");
  AppendTable(writes, report, "writes", &text);
  absl::StrAppend(&text, "\n", SpreadText(writes), "\n", KeyText(report.writes), "\n");
  if (!report.reads) return text;
  absl::StrAppend(&text, "\nreads: ", report.read_description, "\n", PlanText(report.reads->plan), "\n",
                  ReadText(*report.reads), "\n\n");
  AppendTable(report.reads->counts, report, "read requests", &text);
  return text + "\n" + SpreadText(report.reads->counts) + "\n";
}

std::string ReportLines(const SimulationReport& report) {
  std::string text;
  AppendRegions(report.writes.counts, report.splits, &text);
  if (report.reads) AppendRegions(report.reads->counts, report.splits, &text);
  return text;
}

std::string ReportJson(const SimulationReport& report) {
  Json json;
  json["design"] = report.design;
  json["records"] = report.writes.records;
  json["skipped"] = report.writes.skipped.count;
  json["records_per_slice"] = report.writes.records_per_slice;
  json["key_bytes"] = {{"total", report.writes.key_bytes},
                       {"shortest", report.writes.shortest_key},
                       {"longest", report.writes.longest_key}};
  json["writes"] = CountsJson(report.writes.counts, report);
  if (report.reads) {
    Json& reads = json["reads"] = CountsJson(report.reads->counts, report);
    reads["description"] = report.read_description;
    reads["reads"] = report.reads->reads;
    reads["ranges_per_read"] = report.reads->RangesPerRead();
    reads["requests_per_read"] = report.reads->RequestsPerRead();
    reads["rows_read_per_scan"] = report.reads->rows_read;
    reads["rows_wanted_per_scan"] = report.reads->rows_wanted;
    for (const PartPlan& part : report.reads->plan) {
      reads["plan"].push_back(
          {{"part", part.source}, {"use", std::string(UseName(part.use))}, {"values", part.values}});
    }
  }
  // A design may hold any bytes; JSON may not.
  return IndentedJsonText(json) + "\n";
}

std::string ReportCsv(const SimulationReport& report) {
  std::string text = "start_key,end_key,requests,ratio";
  text += report.reads ? ",read_requests,read_ratio\n" : "\n";
  const RequestCounts& writes = report.writes.counts;
  const uint64_t total = writes.Total();
  for (int region = 0; region < writes.regions(); ++region) {
    absl::StrAppend(&text, CsvText(ToStringBinary(report.splits.StartKey(region))), ",",
                    CsvText(ToStringBinary(report.splits.EndKey(region))), ",", writes.OfRegion(region), ",",
                    RatioText(RatioOf(writes.OfRegion(region), writes, total)));
    if (report.reads) {
      const RequestCounts& reads = report.reads->counts;
      absl::StrAppend(&text, ",", reads.OfRegion(region), ",",
                      RatioText(RatioOf(reads.OfRegion(region), reads, reads.Total())));
    }
    text += "\n";
  }
  return text;
}

HeatMap WriteHeatMap(const SimulationReport& report) {
  HeatMap map = MakeHeatMap(report.writes.counts, report.splits, report.starts);
  const uint64_t records = report.writes.records + report.writes.skipped.count;
  map.title = absl::StrCat("Writes: ", report.design);
  map.subtitle = absl::StrCat(CountInWords(static_cast<double>(report.writes.records)), " keys");
  if (report.times) {
    absl::StrAppend(&map.subtitle, " in ",
                    DurationInWords(static_cast<double>(report.times->last_ms() - report.times->first_ms())));
  }
  absl::StrAppend(&map.subtitle, ". ", SpreadText(report.writes.counts));
  map.first_column = "1";
  map.last_column = WithCommas(records);
  if (report.times) ShowTimes(*report.times, &map);
  return map;
}

HeatMap ReadHeatMap(const SimulationReport& report) {
  HeatMap map = MakeHeatMap(report.reads->counts, report.splits, report.starts);
  map.title = absl::StrCat("Reads: ", report.design);
  map.subtitle = absl::StrCat(report.read_description, "; ", ReadText(*report.reads));
  map.column_axis = "reads, in order";
  map.first_column = "1";
  map.last_column = WithCommas(report.reads->reads + report.reads->skipped);
  return map;
}

std::string ReportHtml(const SimulationReport& report) {
  const RequestCounts& writes = report.writes.counts;
  std::string html = absl::StrCat("<p><code>", XmlText(report.design), "</code><br><span class=\"quiet\">",
                                  KeyText(report.writes), "; ", writes.regions(), " regions</span></p>\n<figure>",
                                  HeatMapSvg(WriteHeatMap(report)), "</figure>\n");
  if (report.reads) {
    absl::StrAppend(&html, "<p>How a read finds its rows: ", XmlText(PlanText(report.reads->plan)), "</p>\n<figure>",
                    HeatMapSvg(ReadHeatMap(report)), "</figure>\n");
  }
  absl::StrAppend(&html, "<p>1.00 x is an even share: what a region gets of a load that is spread evenly.</p>\n",
                  "<div class=\"scroll\"><table><tr><th>start key</th><th>writes</th><th>share</th>",
                  report.reads ? "<th>read requests</th><th>share</th>" : "", "</tr>\n");
  for (int region = 0; region < writes.regions(); ++region) {
    const std::string start = StartOf(report, region), key = ToStringBinary(report.splits.StartKey(region));
    absl::StrAppend(&html, "<tr><td class=\"key\">", region == 0 ? "(first)" : XmlText(start),
                    start == key ? "" : "<br><small class=\"quiet\">" + XmlText(key) + "</small>", "</td>",
                    CountCells(writes, region));
    if (report.reads) absl::StrAppend(&html, CountCells(report.reads->counts, region));
    html += "</tr>\n";
  }
  return Page("Where the requests go", html + "</table></div>\n");
}

std::string ShareText(double ratio) { return absl::StrFormat("%.2f x", ratio); }

std::string RatioText(double ratio) {
  std::string text = absl::StrFormat("%.4f", ratio);
  while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
  return text;
}

std::string WithCommas(uint64_t number) {
  std::string text = std::to_string(number);
  for (int place = static_cast<int>(text.size()) - 3; place > 0; place -= 3) text.insert(place, ",");
  return text;
}

std::string PlanText(const std::vector<PartPlan>& plan) {
  std::string text;
  for (const PartPlan& part : plan) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", AbslText(UseName(part.use)), ": ", part.source);
    if (part.use == PartUse::kEveryValue) absl::StrAppend(&text, " (", part.values, ")");
  }
  return text;
}

}  // namespace vaquita::lab
