#include "tools/bench/run_text.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace vaquita::bench {
namespace {

constexpr double kMebibyte = 1 << 20;

std::string LatencyText(double ns) { return WithSeparators(ns / 1000); }

std::string RowOf(const std::string& name, const OperationRecord& record, double seconds) {
  const LatencyHistogram& latency = record.latency;
  std::string text =
      absl::StrFormat("%-16s %10s %10s %10s", name, WithSeparators(static_cast<double>(latency.count())),
                      WithSeparators(static_cast<double>(latency.count()) / seconds), LatencyText(latency.MeanNs()));
  for (const double percent : {50.0, 90.0, 95.0, 99.0, 99.9, 99.99}) {
    absl::StrAppendFormat(&text, " %9s", LatencyText(static_cast<double>(latency.AtPercent(percent))));
  }
  absl::StrAppendFormat(&text, " %9s %7d\n", LatencyText(static_cast<double>(latency.max_ns())), record.failed);
  return text;
}

std::string ServerLine(const RunRecord& run) {
  if (!run.server_figures) return absl::StrCat("servers: no figures: ", run.no_server_figures, " (--http)\n");
  const ServerRecord& server = *run.server_figures;
  const double rows = run.RowsPerSecond() * run.seconds;
  std::string text = absl::StrFormat(
      "servers: %.1f s of CPU, %.1f s per million rows; memory %.0f MiB (%s); written: log %.1f, flushes %.1f, "
      "compactions %.1f MiB",
      server.cpu_s, rows > 0 ? server.cpu_s / rows * 1e6 : 0, static_cast<double>(server.memory_bytes) / kMebibyte,
      server.memory_is_resident ? "resident" : "Java heap", static_cast<double>(server.log_bytes) / kMebibyte,
      static_cast<double>(server.flushed_bytes) / kMebibyte, static_cast<double>(server.compacted_bytes) / kMebibyte);
  if (run.bytes_written > 0) absl::StrAppendFormat(&text, ", %.2f for each byte sent", run.WriteAmplification());
  return text + "\n";
}

}  // namespace

std::string WithSeparators(double number) {
  std::string digits = absl::StrFormat("%.0f", std::fabs(number));
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<size_t>(at), ",");
  return number < -0.5 ? "-" + digits : digits;
}

std::string RunText(const RunRecord& run) {
  const std::string loop = run.rate > 0 ? absl::StrFormat("open loop, %.0f calls/s", run.rate) : "closed loop";
  std::string text =
      absl::StrFormat("%s, round %d: workload %s, %s, %d threads, %d connections; %.1f s, %s calls/s, %s rows/s\n",
                      run.label, run.round, run.workload, loop, run.threads, run.connections, run.seconds,
                      WithSeparators(run.CallsPerSecond()), WithSeparators(run.RowsPerSecond()));
  absl::StrAppendFormat(&text, "%-16s %10s %10s %10s %9s %9s %9s %9s %9s %9s %9s %7s\n", "microseconds", "calls",
                        "per second", "mean", "p50", "p90", "p95", "p99", "p99.9", "p99.99", "max", "failed");
  for (const auto& [name, record] : run.operations) text += RowOf(name, record, run.seconds);
  if (run.operations.size() > 1) text += RowOf("all", run.All(), run.seconds);
  absl::StrAppendFormat(&text, "regions: %d; the hottest got %.1f%% of the requests, it starts at '%s'\n", run.regions,
                        run.hottest_share * 100, run.hottest_start);
  text += ServerLine(run);
  absl::StrAppendFormat(&text, "client: %.1f s of CPU, %.1f us per call\n", run.client_cpu_s,
                        run.CallsPerSecond() > 0 ? run.client_cpu_s / run.seconds / run.CallsPerSecond() * 1e6 : 0);
  if (run.not_started > 0) {
    absl::StrAppendFormat(&text, "the rate was not kept: %d calls that were due were not made\n", run.not_started);
  }
  if (run.verified) absl::StrAppendFormat(&text, "answers checked: %d wrong\n", run.wrong);
  for (const std::string& error : run.errors) absl::StrAppend(&text, "  ", error, "\n");
  return text;
}

}  // namespace vaquita::bench
