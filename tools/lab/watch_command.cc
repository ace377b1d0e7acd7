#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "client/admin.h"
#include "lab/report/heat_map.h"
#include "lab/report/region_rates.h"
#include "nlohmann/json.hpp"
#include "tools/lab/lab_command.h"
#include "tools/lab/live_cluster.h"
#include "tools/lab/quantity.h"
#include "tools/lab/verbs.h"

namespace vaquita {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct WatchOptions {
  LiveCluster cluster;
  std::string table;
  std::string requests = "all";
  double interval_ms = 2000;
  bool once = false;
  bool json = false;
};

struct TerminalSize {
  int rows = 40;
  int columns = 100;
};

TerminalSize SizeOfTerminal() {
  winsize size{};
  TerminalSize terminal;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
    terminal = {.rows = size.ws_row, .columns = size.ws_col};
  }
  return terminal;
}

// Returns the servers with the regions of the table, or of all user tables. Counters come from the servers themselves,
// because a master has those of the last reports.
absl::StatusOr<std::vector<ServerMetrics>> ReadMetrics(client::Admin* admin, const std::string& table) {
  std::vector<TableName> tables;
  if (table.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(tables, admin->ListTableNames());
  } else {
    VAQUITA_ASSIGN_OR_RETURN(tables.emplace_back(), TableName::Parse(table));
  }
  std::map<std::string, ServerMetrics> servers;  // by name
  for (const TableName& name : tables) {
    VAQUITA_ASSIGN_OR_RETURN(const auto locations, admin->GetRegions(name));
    VAQUITA_ASSIGN_OR_RETURN(std::vector<RegionMetrics> regions, admin->GetRegionMetrics(name));
    std::map<std::string, std::string> server_of;
    for (const client::RegionLocation& location : locations) {
      server_of[location.info.EncodedName()] = location.server_name;
    }
    for (RegionMetrics& region : regions) {
      const std::string& server = server_of[region.info.EncodedName()];
      servers[server].server_name = server;
      servers[server].regions.push_back(std::move(region));
    }
  }
  std::vector<ServerMetrics> list;
  for (auto& [name, server] : servers) list.push_back(std::move(server));
  return list;
}

std::string Headline(const lab::RegionRates& rates) {
  return absl::StrFormat("%d regions, %.0f requests/s: %.0f writes, %.0f reads", rates.rates().size(),
                         rates.Total(lab::RequestKind::kAll), rates.Total(lab::RequestKind::kWrites),
                         rates.Total(lab::RequestKind::kReads));
}

std::string RatesText(const lab::RegionRates& rates, lab::RequestKind kind) {
  std::string text = absl::StrCat(Headline(rates), "\n");
  absl::StrAppendFormat(&text, "%-16s %-32s %-28s %10s %10s %7s\n", "table", "start key", "server", "writes/s",
                        "reads/s", "share");
  const double total = std::max(1e-9, rates.Total(kind));
  for (const lab::RegionRate& rate : rates.rates()) {
    absl::StrAppendFormat(&text, "%-16s %-32s %-28s %10.1f %10.1f %6.1f%%\n", rate.info.table.ToString(),
                          ToStringBinary(rate.info.start_key), rate.server, rate.writes_per_s, rate.reads_per_s,
                          rate.Of(kind) / total * 100);
  }
  return text;
}

std::string RatesJson(const lab::RegionRates& rates) {
  nlohmann::json json;
  json["writes_per_s"] = rates.Total(lab::RequestKind::kWrites);
  json["reads_per_s"] = rates.Total(lab::RequestKind::kReads);
  json["regions"] = nlohmann::json::array();
  for (const lab::RegionRate& rate : rates.rates()) {
    json["regions"].push_back({{"table", rate.info.table.ToString()},
                               {"start_key", ToStringBinary(rate.info.start_key)},
                               {"region", rate.info.EncodedName()},
                               {"server", rate.server},
                               {"writes_per_s", rate.writes_per_s},
                               {"reads_per_s", rate.reads_per_s}});
  }
  return json.dump() + "\n";
}

void PrintPicture(const lab::RegionRates& rates, lab::RequestKind kind, bool terminal) {
  constexpr int kLinesAround = 6;
  lab::HeatMap map = rates.Picture(kind);
  map.title = Headline(rates);
  const std::string text =
      lab::HeatMapText(map, {.rows = std::max(1, SizeOfTerminal().rows - kLinesAround), .color = terminal});
  // Draws over the earlier picture, so that it does not flicker, and wipes the lines below.
  std::printf("%s%s%s", terminal ? "\033[H" : "", text.c_str(), terminal ? "\033[J" : "\n");
  std::fflush(stdout);
}

absl::Status Watch(const WatchOptions& options) {
  constexpr int kLabelsAndTotals = 28;
  const lab::RequestKind kind = options.requests == "reads"    ? lab::RequestKind::kReads
                                : options.requests == "writes" ? lab::RequestKind::kWrites
                                                               : lab::RequestKind::kAll;
  VAQUITA_ASSIGN_OR_RETURN(const auto connection, options.cluster.Connect());
  const auto admin = connection->GetAdmin();
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  lab::RegionRates rates(std::clamp(SizeOfTerminal().columns - kLabelsAndTotals, 10, 200));
  const auto start = SteadyClock::now();
  for (int look = 0;; ++look) {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<ServerMetrics> servers, ReadMetrics(admin.get(), options.table));
    rates.AddSample(std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count(), servers);
    if (look > 0) {
      if (options.json) {
        std::fputs(RatesJson(rates).c_str(), stdout);
        std::fflush(stdout);
      } else if (options.once) {
        std::fputs(RatesText(rates, kind).c_str(), stdout);
      } else {
        PrintPicture(rates, kind, terminal);
      }
      if (options.once) return absl::OkStatus();
    } else if (terminal && !options.once && !options.json) {
      std::fputs("\033[2J", stdout);
    }
    std::this_thread::sleep_until(start +
                                  std::chrono::duration_cast<SteadyClock::duration>(
                                      std::chrono::duration<double, std::milli>(options.interval_ms * (look + 1))));
  }
}

}  // namespace

void AddWatchCommand(LabCommand* lab) {
  auto options = std::make_shared<WatchOptions>();
  CLI::App* command = lab->AddVerb("watch", "Watch which regions of a running cluster get the requests, as a heat map",
                                   [options] { return Watch(*options); });
  AddLiveOptions(command, &options->cluster);
  command->add_option("--table", options->table, "Only this table's regions; without it, all user tables'");
  command->add_option("--requests", options->requests, "The requests to count: all, reads or writes")
      ->check(CLI::IsMember({"all", "reads", "writes"}))
      ->capture_default_str();
  AddDurationOption(command, "--interval", &options->interval_ms, "Time between two readings (2s)");
  command->add_flag("--once", options->once, "Read the counters twice, print each region's rate and end");
  command->add_flag("--json", options->json, "Print a line of JSON for each reading");
}

}  // namespace vaquita
