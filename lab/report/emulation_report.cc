#include "lab/report/emulation_report.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/json_value.h"
#include "lab/emulator/cell_sizes.h"
#include "lab/report/simulation_report.h"
#include "lab/report/words.h"
#include "model/region_info.h"

namespace vaquita::lab {
namespace {

constexpr size_t kLongestKey = 32;

const char* SystemName(EmulatedSystem system) { return system == EmulatedSystem::kHBase ? "HBase 2.6" : "Vaquita"; }

std::string Shortened(std::string_view key) {
  std::string text = ToStringBinary(key);
  return text.size() <= kLongestKey ? text : text.substr(0, kLongestKey - 2) + "..";
}

int64_t Compactions(const EmulatedCounts& counts) { return counts.minor_compactions + counts.major_compactions; }

void AppendTotals(const EmulationReport& report, std::string* text) {
  const EmulatedCounts& total = report.emulation.total;
  absl::StrAppendFormat(text, "regions                %d, %d splits, %d moves\n", report.emulation.regions.size(),
                        total.splits, total.moves);
  absl::StrAppendFormat(text, "data                   %s in %d files\n", BytesText(total.data_bytes), total.files);
  absl::StrAppendFormat(text, "flushes                %d, of %s on average\n", total.flushes,
                        BytesText(total.flushed_bytes / std::max<int64_t>(1, total.flushes)));
  absl::StrAppendFormat(text, "compactions            %d minor, %d major, %s written\n", total.minor_compactions,
                        total.major_compactions, BytesText(total.compacted_bytes));
  absl::StrAppendFormat(text, "write amplification    %.2f\n", total.write_amplification());
  absl::StrAppendFormat(text, "writes blocked         %s, all regions and servers together\n",
                        DurationText(total.blocked_ms));
}

// Says how hot the hottest region is, and what the numbers of the tables mean.
std::string HottestText(const EmulationReport& report) {
  std::vector<double> ratios;
  for (const EmulatedMoment& moment : report.emulation.timeline) ratios.push_back(HottestRatio(moment));
  if (ratios.empty()) return "";
  std::nth_element(ratios.begin(), ratios.begin() + ratios.size() / 2, ratios.end());
  const EmulatedMoment& last = report.emulation.timeline.back();
  return absl::StrFormat(
      "hottest region         %s an even share of the writes at a time (median), %s at the end;\n"
      "                       of %d regions one that takes everything has %s\n",
      ShareText(ratios[ratios.size() / 2]), ShareText(HottestRatio(last)), last.regions,
      ShareText(static_cast<double>(last.regions)));
}

void AppendLeftBehind(const EmulationReport& report, std::string* text) {
  const RegionsLeftBehind behind = FindLeftBehind(report);
  if (behind.regions == 0) return;
  const double mean = behind.data_bytes / static_cast<double>(behind.regions);
  absl::StrAppendFormat(text, "left behind            %d of %d regions take no more writes; they hold %s on average",
                        behind.regions, report.emulation.regions.size(), BytesText(mean));
  if (report.emulation.split_bytes > 0) {
    absl::StrAppendFormat(text, ", %s the size at which regions split", ShareText(mean / report.emulation.split_bytes));
  }
  absl::StrAppend(text, "\n");
}

void AppendServers(const EmulationReport& report, std::string* text) {
  absl::StrAppendFormat(text, "\n%-7s %8s %10s %8s %9s %11s %7s %8s %10s %7s %9s\n", "server", "regions", "data",
                        "files", "flushes", "compactions", "splits", "w. amp.", "memstores", "cached", "hottest");
  for (size_t i = 0; i < report.emulation.servers.size(); ++i) {
    const EmulatedServerReport& server = report.emulation.servers[i];
    // Without files nothing is read from disk.
    const std::string cached = server.counts.files == 0 ? "-" : absl::StrFormat("%.1f%%", server.cache_hit_ratio * 100);
    absl::StrAppendFormat(text, "%-7d %8d %10s %8d %9d %11d %7d %8.2f %10s %7s %9s\n", i, server.regions,
                          BytesText(server.counts.data_bytes), server.counts.files, server.counts.flushes,
                          Compactions(server.counts), server.counts.splits, server.counts.write_amplification(),
                          BytesText(server.memstore_bytes), cached,
                          ShareText(server.hottest_share * static_cast<double>(report.emulation.servers.size())));
  }
}

void AppendRegions(const EmulationReport& report, int most, std::string* text) {
  const std::vector<EmulatedRegionReport>& regions = report.emulation.regions;
  std::vector<size_t> chosen(regions.size());
  std::iota(chosen.begin(), chosen.end(), 0);
  if (static_cast<int>(chosen.size()) > most) {
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](size_t a, size_t b) { return regions[a].counts.records > regions[b].counts.records; });
    chosen.resize(std::max(0, most));
    std::sort(chosen.begin(), chosen.end());
    absl::StrAppendFormat(text, "\nThe %d most written of %d regions:\n", chosen.size(), regions.size());
  } else {
    absl::StrAppend(text, "\n");
  }
  if (chosen.empty()) return;
  absl::StrAppendFormat(text, "%-32s %7s %10s %6s %8s %11s %8s %9s\n", "start key", "server", "data", "files",
                        "flushes", "compactions", "w. amp.", "hottest");
  for (const size_t i : chosen) {
    const EmulatedRegionReport& region = regions[i];
    absl::StrAppendFormat(text, "%-32s %7d %10s %6d %8d %11d %8.2f %9s\n", Shortened(region.start_key), region.server,
                          BytesText(region.counts.data_bytes), region.counts.files, region.counts.flushes,
                          Compactions(region.counts), region.counts.write_amplification(),
                          ShareText(region.hottest_ratio));
  }
}

Json CountsJson(const EmulatedCounts& counts) {
  return {{"records", counts.records},
          {"data_bytes", counts.data_bytes},
          {"files", counts.files},
          {"flushes", counts.flushes},
          {"flushed_bytes", counts.flushed_bytes},
          {"minor_compactions", counts.minor_compactions},
          {"major_compactions", counts.major_compactions},
          {"compacted_bytes", counts.compacted_bytes},
          {"splits", counts.splits},
          {"moves", counts.moves},
          {"blocked_ms", counts.blocked_ms},
          {"write_amplification", counts.write_amplification()}};
}

constexpr char kCountsHeader[] =
    "records,data_bytes,files,flushes,flushed_bytes,minor_compactions,major_compactions,compacted_bytes,splits,moves,"
    "blocked_ms,write_amplification";

std::string CountsCsv(const EmulatedCounts& counts) {
  return absl::StrFormat("%.0f,%.0f,%d,%d,%.0f,%d,%d,%.0f,%d,%d,%.0f,%.4f", counts.records, counts.data_bytes,
                         counts.files, counts.flushes, counts.flushed_bytes, counts.minor_compactions,
                         counts.major_compactions, counts.compacted_bytes, counts.splits, counts.moves,
                         counts.blocked_ms, counts.write_amplification());
}

// A field of a CSV file in double quotes.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::string BytesText(double bytes) {
  static constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000;
    ++unit;
  }
  return absl::StrFormat("%.*f %s", unit == 0 || bytes >= 100 ? 0 : 1, bytes, kUnits[unit]);
}

std::string DurationText(double ms) {
  if (ms >= 2 * 86'400'000.0) return absl::StrFormat("%.4g d", ms / 86'400'000);
  if (ms >= 2 * 3'600'000.0) return absl::StrFormat("%.4g h", ms / 3'600'000);
  return absl::StrFormat("%.4g s", ms / 1000);
}

double HottestRatio(const EmulatedMoment& moment) {
  return moment.hottest_region_share * static_cast<double>(moment.regions);
}

RegionsLeftBehind FindLeftBehind(const EmulationReport& report) {
  RegionsLeftBehind behind;
  for (const EmulatedRegionReport& region : report.emulation.regions) {
    if (!region.left_behind) continue;
    ++behind.regions;
    behind.data_bytes += region.counts.data_bytes;
  }
  return behind;
}

std::string EmulationText(const EmulationReport& report, int most_regions) {
  const EmulatedLoad& load = report.load;
  std::string text =
      absl::StrFormat("%s: %s records in %s (%s a second), keys of %.1f bytes, %d servers with %s of heap\n\n",
                      SystemName(report.cluster.system), CountInWords(load.records), DurationInWords(load.duration_ms),
                      CountInWords(load.records / load.duration_ms * 1000), report.mean_key_bytes,
                      report.cluster.servers, BytesText(static_cast<double>(report.cluster.heap_bytes)));
  AppendTotals(report, &text);
  absl::StrAppend(&text, HottestText(report));
  AppendLeftBehind(report, &text);
  AppendServers(report, &text);
  AppendRegions(report, most_regions, &text);
  return text;
}

std::string EmulationJson(const EmulationReport& report) {
  Json json;
  json["design"] = report.design;
  json["system"] = SystemName(report.cluster.system);
  json["records"] = report.load.records;
  json["duration_ms"] = report.load.duration_ms;
  json["mean_key_bytes"] = report.mean_key_bytes;
  json["split_bytes"] = report.emulation.split_bytes;
  json["settled_ms"] = report.emulation.settled_ms;
  json["total"] = CountsJson(report.emulation.total);
  const RegionsLeftBehind behind = FindLeftBehind(report);
  json["left_behind"] = {{"regions", behind.regions}, {"data_bytes", behind.data_bytes}};
  for (const EmulatedServerReport& server : report.emulation.servers) {
    Json row = CountsJson(server.counts);
    row["regions"] = server.regions;
    row["hottest_share"] = server.hottest_share;
    row["memstore_bytes"] = server.memstore_bytes;
    row["cache_hit_ratio"] = server.cache_hit_ratio;
    row["global_flushes"] = server.global_flushes;
    json["servers"].push_back(std::move(row));
  }
  for (const EmulatedRegionReport& region : report.emulation.regions) {
    Json row = CountsJson(region.counts);
    row["start_key"] = ToStringBinary(region.start_key);
    row["server"] = region.server;
    row["hottest_share"] = region.hottest_share;
    row["last_write_ms"] = region.last_write_ms;
    row["left_behind"] = region.left_behind;
    json["regions"].push_back(std::move(row));
  }
  for (const EmulatedMoment& moment : report.emulation.timeline) {
    json["timeline"].push_back({{"time_ms", moment.time_ms},
                                {"regions", moment.regions},
                                {"files", moment.files},
                                {"data_bytes", moment.data_bytes},
                                {"flushes", moment.flushes},
                                {"compactions", moment.compactions},
                                {"splits", moment.splits},
                                {"hottest_region_share", moment.hottest_region_share},
                                {"server_shares", moment.server_shares}});
  }
  return IndentedJsonText(json) + "\n";
}

std::string EmulationRegionsCsv(const EmulationReport& report) {
  std::string csv = absl::StrCat("start_key,server,", kCountsHeader, ",hottest_share,last_write_ms,left_behind\n");
  for (const EmulatedRegionReport& region : report.emulation.regions) {
    absl::StrAppendFormat(&csv, "%s,%d,%s,%.6f,%.0f,%d\n", Quoted(ToStringBinary(region.start_key)), region.server,
                          CountsCsv(region.counts), region.hottest_share, region.last_write_ms, region.left_behind);
  }
  return csv;
}

std::string EmulationServersCsv(const EmulationReport& report) {
  std::string csv =
      absl::StrCat("server,regions,", kCountsHeader, ",hottest_share,memstore_bytes,cache_hit_ratio,global_flushes\n");
  for (size_t i = 0; i < report.emulation.servers.size(); ++i) {
    const EmulatedServerReport& server = report.emulation.servers[i];
    absl::StrAppendFormat(&csv, "%d,%d,%s,%.6f,%.0f,%.6f,%d\n", i, server.regions, CountsCsv(server.counts),
                          server.hottest_share, server.memstore_bytes, server.cache_hit_ratio, server.global_flushes);
  }
  return csv;
}

std::string EmulationTimelineCsv(const EmulationReport& report) {
  std::string csv = "time_ms,regions,files,data_bytes,flushes,compactions,splits,hottest_region_share\n";
  for (const EmulatedMoment& moment : report.emulation.timeline) {
    absl::StrAppendFormat(&csv, "%.0f,%d,%d,%.0f,%d,%d,%d,%.6f\n", moment.time_ms, moment.regions, moment.files,
                          moment.data_bytes, moment.flushes, moment.compactions, moment.splits,
                          moment.hottest_region_share);
  }
  return csv;
}

HeatMap ServerHeatMap(const EmulationReport& report) {
  const Emulation& emulation = report.emulation;
  HeatMap map;
  map.title = "Writes of each server over time";
  map.subtitle = report.design;
  map.row_axis = "servers";
  map.column_axis = "time";
  map.first_column = "0";
  map.last_column = DurationInWords(report.load.duration_ms);
  map.columns = static_cast<int>(emulation.timeline.size());
  map.most = static_cast<double>(emulation.servers.size());
  for (size_t server = 0; server < emulation.servers.size(); ++server) {
    map.row_labels.push_back(absl::StrCat(server));
    for (const EmulatedMoment& moment : emulation.timeline) {
      map.values.push_back(moment.server_shares[server] * map.most);
    }
    map.row_totals.push_back(emulation.servers[server].counts.records / std::max(1.0, emulation.total.records) *
                             map.most);
  }
  return map;
}

}  // namespace vaquita::lab
