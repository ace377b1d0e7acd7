#include "bench/figures.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace vaquita::bench {
namespace {

using Result = benchmark::BenchmarkReporter::Run;

struct Figure {
  std::string measured;
  std::string limit;
  std::string goal;
  bool met = true;
};

double Value(const Result& run, const std::string& counter) {
  if (counter == kCpuTime) return run.GetAdjustedCPUTime();
  const auto found = run.counters.find(counter);
  return found == run.counters.end() ? 0 : static_cast<double>(found->second);
}

// Returns a number with about three digits, and all digits before the point.
std::string Number(double value) { return absl::StrFormat(value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value); }

Figure MakeFigure(const Goal& goal, const Result& run) {
  const double value = Value(run, goal.counter);
  const double limit = Value(run, kLimit);
  const std::string unit = goal.unit.empty() ? "" : " " + goal.unit;
  Figure figure{.measured = Number(value) + unit, .limit = run.report_label};
  switch (goal.kind) {
    case Goal::Kind::kNone:
      break;
    case Goal::Kind::kAtMost:
      figure.goal = absl::StrFormat("under %.0f%s", goal.bound, unit);
      figure.met = value < goal.bound;
      break;
    case Goal::Kind::kAtLeast:
      figure.goal = absl::StrFormat("%.0f%s", goal.bound, unit);
      figure.met = value >= goal.bound;
      break;
    case Goal::Kind::kRatio:
      absl::StrAppendFormat(&figure.measured, ", %.0f%%", 100 * Value(run, kRatio));
      figure.limit = Number(limit) + unit;
      figure.goal = absl::StrFormat("%.0f%%", 100 * goal.bound);
      figure.met = Value(run, kRatio) >= goal.bound;
      break;
    case Goal::Kind::kFaster:
      figure.measured = absl::StrFormat("%s ms, %.1f times as fast", Number(1000 / value), Value(run, kRatio));
      figure.limit = absl::StrFormat("%s ms %s", Number(1000 / limit), goal.unit);
      figure.goal = "faster";
      figure.met = Value(run, kRatio) > 1;
      break;
    case Goal::Kind::kLess:
      figure.measured = absl::StrFormat("%.4f", value);
      figure.limit = absl::StrFormat("%.4f before", limit);
      figure.goal = "less";
      figure.met = value < limit;
      break;
  }
  return figure;
}

}  // namespace

void ResultCollector::ReportRuns(const std::vector<Run>& runs) {
  for (const Result& run : runs) {
    if (run.run_type == Run::RT_Aggregate && run.aggregate_name != "median") continue;
    if (run.error_occurred) {
      GetErrorStream() << run.run_name.function_name << ": " << run.error_message << "\n";
    }
    results_[run.run_name.function_name] = run;
  }
}

bool ResultCollector::PrintFigures(const std::vector<Goal>& goals) const {
  constexpr char kLine[] = "%-46s %-30s %-34s %-16s%s\n";
  absl::PrintF(kLine, "what", "measured", "limit", "goal", "");
  bool ok = !results_.empty();
  for (const auto& [name, run] : results_) ok = ok && !run.error_occurred;
  for (const Goal& goal : goals) {
    const auto result = results_.find(goal.benchmark);
    if (result == results_.end() || result->second.error_occurred) continue;
    const Figure figure = MakeFigure(goal, result->second);
    absl::PrintF(kLine, goal.what, figure.measured, figure.limit, figure.goal, figure.met ? "" : "  MISSED");
    ok = ok && figure.met;
  }
  return ok;
}

}  // namespace vaquita::bench
