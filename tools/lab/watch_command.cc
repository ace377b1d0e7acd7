#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/json_value.h"
#include "base/status.h"
#include "lab/report/heat_map.h"
#include "lab/report/region_rates.h"
#include "lab/report/simulation_report.h"
#include "lab/report/words.h"
#include "model/region_info.h"
#include "tools/lab/cluster_readings.h"
#include "tools/lab/lab_command.h"
#include "tools/lab/live_cluster.h"
#include "tools/lab/output_file.h"
#include "tools/lab/quantity.h"
#include "tools/lab/screen.h"
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

std::string Headline(const lab::RegionRates& rates) {
  return absl::StrFormat("%d regions, %.0f requests/s: %.0f writes, %.0f reads", rates.rates().size(),
                         rates.Total(lab::RequestKind::kAll), rates.Total(lab::RequestKind::kWrites),
                         rates.Total(lab::RequestKind::kReads));
}

std::string RatesText(const lab::RegionRates& rates, lab::RequestKind kind) {
  std::string text = absl::StrCat(Headline(rates), ". 1.00 x is an even share\n");
  absl::StrAppendFormat(&text, "%-16s %-32s %-28s %10s %10s %9s\n", "table", "start key", "server", "writes/s",
                        "reads/s", "share");
  const double even =
      std::max(1e-9, rates.Total(kind)) / static_cast<double>(std::max<size_t>(1, rates.rates().size()));
  for (const lab::RegionRate& rate : rates.rates()) {
    absl::StrAppendFormat(&text, "%-16s %-32s %-28s %10.1f %10.1f %9s\n", rate.info.table.ToString(),
                          ToStringBinary(rate.info.start_key), rate.server, rate.writes_per_s, rate.reads_per_s,
                          lab::ShareText(rate.Of(kind) / even));
  }
  return text;
}

Json RatesJson(const lab::RegionRates& rates) {
  Json json;
  json["writes_per_s"] = rates.Total(lab::RequestKind::kWrites);
  json["reads_per_s"] = rates.Total(lab::RequestKind::kReads);
  json["regions"] = Json::array();
  for (const lab::RegionRate& rate : rates.rates()) {
    json["regions"].push_back({{"table", rate.info.table.ToString()},
                               {"start_key", ToStringBinary(rate.info.start_key)},
                               {"region", rate.info.EncodedName()},
                               {"server", rate.server},
                               {"writes_per_s", rate.writes_per_s},
                               {"reads_per_s", rate.reads_per_s}});
  }
  return json;
}

// The cluster as far as it is known, by readings that may fail.
class Watched {
 public:
  Watched(const WatchOptions& options, lab::RequestKind kind)
      : options_(options), kind_(kind), readings_(options.cluster, options.table, /*patient=*/options.once) {}

  // Returns an error that will stay, or with --once any.
  absl::Status Look() {
    auto servers = readings_.Read();
    const auto now = SteadyClock::now();
    time_ = absl::Now();
    error_ = servers.status();
    if (!error_.ok()) {
      if (gone_ == absl::InfiniteFuture()) gone_ = time_;
      return options_.once || absl::IsInvalidArgument(error_) ? error_ : absl::OkStatus();
    }
    has_tables_ = !servers->empty();
    rates_.AddSample(std::chrono::duration<double, std::milli>(now.time_since_epoch()).count(), *servers);
    ++looks_;
    if (gone_ != absl::InfiniteFuture() && looks_ > 1) {
      back_ = absl::StrCat("the server is back since ", ClockText(time_), ", after ",
                           lab::DurationInWords(absl::ToDoubleMilliseconds(time_ - gone_)));
      told_back_ = 0;
    }
    gone_ = absl::InfiniteFuture();
    return absl::OkStatus();
  }

  // Returns whether there are rates: two readings were well.
  bool HasRates() const { return looks_ > 1; }
  bool IsGone() const { return !error_.ok(); }
  const lab::RegionRates& rates() const { return rates_; }

  // Returns the line above the picture, which begins with the time.
  std::string StatusLine() {
    const std::string time = ClockText(time_) + "  ";
    if (!error_.ok()) return time + ErrorText();
    std::string text = time + (!has_tables_ ? "no tables; create one, and its regions appear here"
                               : HasRates() ? Headline(rates_)
                                            : "the first reading; rates need two");
    if (!back_.empty() && told_back_++ < kReadingsToTell) absl::StrAppend(&text, "; ", back_);
    return text;
  }

  std::string LineOfJson() const {
    Json json = error_.ok() ? RatesJson(rates_) : Json{{"error", ErrorText()}};
    json["time"] = absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", time_, absl::UTCTimeZone());
    return JsonText(json) + "\n";
  }

  // Returns the picture for a screen of this size.
  std::string Picture(int rows, int columns, bool color) {
    constexpr int kLabelsAndTotals = 28, kLinesAround = 6;
    std::string text = StatusLine() + "\n";
    if (!HasRates() || rates_.rates().empty()) return text;
    lab::HeatMap map = rates_.Picture(kind_, std::clamp(columns - kLabelsAndTotals, 10, kMostReadings));
    map.first_column = ClockText(time_ - absl::Milliseconds(options_.interval_ms * (map.columns - 1)));
    map.last_column = ClockText(time_);
    if (!error_.ok()) map.last_column = "until " + ClockText(gone_);
    return text + lab::HeatMapText(map, {.rows = std::max(1, rows - kLinesAround), .color = color});
  }

 private:
  static constexpr int kMostReadings = 400;
  static constexpr int kReadingsToTell = 15;  // a return is said so often

  static std::string ClockText(absl::Time time) { return absl::FormatTime("%H:%M:%S", time, absl::LocalTimeZone()); }

  std::string ErrorText() const {
    if (!absl::IsUnavailable(error_) && !absl::IsDeadlineExceeded(error_)) {
      return absl::StrCat(error_.message(), "; since ", ClockText(gone_));
    }
    const std::string address = options_.cluster.Address();
    const std::string tries = absl::StrCat(" (", error_.message(), "); trying again, Ctrl-C ends");
    if (looks_ > 0) return absl::StrCat("the server at ", address, " is gone since ", ClockText(gone_), tries);
    return absl::StrCat("no server at ", address,
                        "; start one with `vaquita standalone --data DIR`, or name it with --address", tries);
  }

  const WatchOptions& options_;
  const lab::RequestKind kind_;
  ClusterReadings readings_;
  lab::RegionRates rates_{kMostReadings};
  int looks_ = 0;  // that were answered
  bool has_tables_ = false;
  absl::Time time_;                           // the last look's
  absl::Status error_;                        // likewise
  absl::Time gone_ = absl::InfiniteFuture();  // the first of the looks that failed; infinite: the last one did not
  std::string back_;
  int told_back_ = 0;
};

// Looks twice.
absl::Status PrintRates(const WatchOptions& options, Watched* watched, lab::RequestKind kind) {
  VAQUITA_RETURN_IF_ERROR(watched->Look());
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(options.interval_ms));
  VAQUITA_RETURN_IF_ERROR(watched->Look());
  const std::string text = options.json                       ? watched->LineOfJson()
                           : watched->rates().rates().empty() ? watched->StatusLine() + "\n"
                                                              : RatesText(watched->rates(), kind);
  return WriteOutput("", text);
}

absl::Status Watch(const WatchOptions& options) {
  const lab::RequestKind kind = options.requests == "reads"    ? lab::RequestKind::kReads
                                : options.requests == "writes" ? lab::RequestKind::kWrites
                                                               : lab::RequestKind::kAll;
  Watched watched(options, kind);
  if (options.once) return PrintRates(options, &watched, kind);
  Screen screen;
  const auto interval =
      std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double, std::milli>(options.interval_ms));
  for (auto next = SteadyClock::now();;) {
    VAQUITA_RETURN_IF_ERROR(watched.Look());
    next = std::max(next + interval, SteadyClock::now());
    do {
      if (options.json) {
        if (watched.HasRates() || watched.IsGone()) VAQUITA_RETURN_IF_ERROR(WriteOutput("", watched.LineOfJson()));
      } else {
        screen.Draw(watched.Picture(screen.rows(), screen.columns(), screen.is_terminal()));
      }
    } while (screen.WaitUntil(next));
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
