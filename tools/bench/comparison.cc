#include "tools/bench/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "base/unicode.h"
#include "tools/bench/run_text.h"

namespace vaquita::bench {
namespace {

// Returns three digits of a number, or all of a large one.
std::string ShortNumber(double number) {
  if (number >= 1000) return WithSeparators(number);
  return absl::StrFormat("%.*f", number >= 100 ? 0 : number >= 10 ? 1 : 2, number);
}

// A figure of a run; nullopt if the run does not have it.
struct Figure {
  std::string name;
  bool more_is_better;
  std::function<std::optional<double>(const RunRecord&)> of;
};

Figure Latency(double percent) {
  return {absl::StrCat("p", percent, ", µs"), false, [percent](const RunRecord& run) -> std::optional<double> {
            return static_cast<double>(run.All().latency.AtPercent(percent)) / 1000;
          }};
}

std::optional<double> PerMillionRows(const RunRecord& run, double seconds) {
  const double rows = run.RowsPerSecond() * run.seconds;
  return rows > 0 ? std::optional(seconds / rows * 1e6) : std::nullopt;
}

std::vector<Figure> Figures() {
  using Optional = std::optional<double>;
  return {
      {"calls per second", true, [](const RunRecord& run) -> Optional { return run.CallsPerSecond(); }},
      {"rows per second", true, [](const RunRecord& run) -> Optional { return run.RowsPerSecond(); }},
      {"mean, µs", false, [](const RunRecord& run) -> Optional { return run.All().latency.MeanNs() / 1000; }},
      Latency(50),
      Latency(90),
      Latency(99),
      Latency(99.9),
      Latency(99.99),
      {"longest, µs", false,
       [](const RunRecord& run) -> Optional { return static_cast<double>(run.All().latency.max_ns()) / 1000; }},
      {"hottest region, % of requests", false,
       [](const RunRecord& run) -> Optional { return run.hottest_share * 100; }},
      {"servers' CPU, s per million rows", false,
       [](const RunRecord& run) -> Optional {
         return run.server_figures ? PerMillionRows(run, run.server_figures->cpu_s) : std::nullopt;
       }},
      {"servers' memory, MiB", false,
       [](const RunRecord& run) -> Optional {
         if (!run.server_figures) return std::nullopt;
         return static_cast<double>(run.server_figures->memory_bytes) / (1 << 20);
       }},
      {"bytes written for each byte sent", false,
       [](const RunRecord& run) -> Optional {
         return run.server_figures && run.bytes_written > 0 ? Optional(run.WriteAmplification()) : std::nullopt;
       }},
      {"client's CPU, µs per call", false,
       [](const RunRecord& run) -> Optional {
         const double calls = run.CallsPerSecond() * run.seconds;
         return calls > 0 ? Optional(run.client_cpu_s / calls * 1e6) : std::nullopt;
       }},
      {"failed operations", false,
       [](const RunRecord& run) -> Optional { return static_cast<double>(run.All().failed); }},
      {"calls that were due and not made", false,
       [](const RunRecord& run) -> Optional { return static_cast<double>(run.not_started); }},
  };
}

std::vector<double> ValuesOf(const Figure& figure, const RunGroup& group) {
  std::vector<double> values;
  for (const RunRecord& run : group.runs) {
    if (const std::optional<double> value = figure.of(run)) values.push_back(*value);
  }
  return values;
}

std::string FileName(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1);
  if (name.ends_with(".json")) name.resize(name.size() - 5);
  return name;
}

// Everything that was chosen for a run, by name.
std::map<std::string, std::string> SettingsOf(const RunRecord& run) {
  std::map<std::string, std::string> settings(run.properties.begin(), run.properties.end());
  settings["workload"] = run.workload;
  settings["threads"] = absl::StrCat(run.threads);
  settings["connections"] = absl::StrCat(run.connections);
  settings["rate"] = run.rate > 0 ? absl::StrCat(run.rate) : "closed loop";
  settings["seed"] = absl::StrCat(run.seed);
  settings["warm-up, s"] = absl::StrCat(run.warmup_s);
  settings["answers checked"] = run.verified ? "yes" : "no";
  settings["regions at the beginning"] = absl::StrCat(run.regions);
  settings["client"] = run.version;
  return settings;
}

}  // namespace

LatencyHistogram RunGroup::Latency() const {
  LatencyHistogram latency;
  for (const RunRecord& run : runs) latency.Add(run.All().latency);
  return latency;
}

absl::StatusOr<std::vector<RunGroup>> ReadGroups(const std::vector<std::string>& paths) {
  std::vector<std::pair<std::string, RunGroup>> groups;  // by file
  for (const std::string& path : paths) {
    if (std::count(paths.begin(), paths.end(), path) > 1) return absl::InvalidArgumentError(path + " is given twice");
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<RunRecord> runs, ReadRuns(path));
    for (const RunRecord& run : runs) {
      auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
        return group.first == path && group.second.name == run.label;
      });
      if (found == groups.end()) {
        groups.emplace_back(path, RunGroup{run.label, {}});
        found = groups.end() - 1;
      }
      found->second.runs.push_back(run);
    }
  }
  std::map<std::string, int> labels;
  for (const auto& [path, group] : groups) ++labels[group.name];
  std::vector<RunGroup> named;
  for (auto& [path, group] : groups) {
    if (labels[group.name] > 1) group.name = absl::StrCat(FileName(path), " ", group.name);
    named.push_back(std::move(group));
  }
  return named;
}

std::vector<FigureRow> CompareFigures(const std::vector<RunGroup>& groups) {
  std::vector<FigureRow> rows;
  for (const Figure& figure : Figures()) {
    FigureRow row{.name = figure.name, .more_is_better = figure.more_is_better};
    const std::vector<double> base = ValuesOf(figure, groups[0]);
    bool any = false;
    for (const RunGroup& group : groups) {
      const std::vector<double> values = ValuesOf(figure, group);
      any = any || MeanOf(values) != 0;
      row.means.push_back(values.empty() ? "-" : ShortNumber(MeanOf(values)));
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      row.spans.push_back(values.size() < 2 ? "" : absl::StrCat(ShortNumber(*least), " to ", ShortNumber(*most)));
      row.differences.push_back(&group == &groups[0] ? std::nullopt : DifferenceOf(base, values));
    }
    if (any && (rows.empty() || row.means != rows[0].means)) rows.push_back(std::move(row));  // a call is mostly a row
  }
  return rows;
}

std::vector<std::string> DifferentSettings(const std::vector<RunGroup>& groups) {
  std::set<std::string> names;
  for (const RunGroup& group : groups) {
    for (const auto& [name, value] : SettingsOf(group.runs[0])) names.insert(name);
  }
  std::vector<std::string> lines;
  for (const std::string& name : names) {
    std::set<std::string> values;
    std::string line = name + ":";
    for (const RunGroup& group : groups) {
      const std::map<std::string, std::string> settings = SettingsOf(group.runs[0]);
      const auto found = settings.find(name);
      const std::string value = found == settings.end() ? "the default" : found->second;
      values.insert(value);
      absl::StrAppend(&line, &group == &groups[0] ? " " : ", ", group.name, " ", value);
    }
    if (values.size() > 1) lines.push_back(std::move(line));
  }
  return lines;
}

std::string DifferenceText(const Difference& difference) {
  const auto percent = [](double part) {
    const double value = part * 100;
    return absl::StrFormat("%+.*f%%", std::abs(value) >= 100 ? 0 : 1, value);
  };
  return absl::StrCat(percent(difference.part), " (", percent(difference.low), " to ", percent(difference.high), ")");
}

std::string ComparisonText(const std::vector<RunGroup>& groups) {
  constexpr int kNameWidth = 34;
  // UTF-8's later bytes take no column.
  const auto padded = [](const std::string& text, size_t width) {
    const auto columns = text.size() - static_cast<size_t>(std::count_if(text.begin(), text.end(), ContinuesUtf8));
    return text + std::string(columns < width ? width - columns : 1, ' ');
  };
  std::string text = padded("mean of the runs", kNameWidth);
  for (const RunGroup& group : groups) {
    text += padded(absl::StrCat(group.name, ", ", group.runs.size(), group.runs.size() == 1 ? " run" : " runs"),
                   &group == &groups[0] ? 24 : 48);
  }
  while (text.ends_with(' ')) text.pop_back();
  text += "\n";
  for (const FigureRow& row : CompareFigures(groups)) {
    text += padded(row.name, kNameWidth);
    for (size_t i = 0; i < groups.size(); ++i) {
      std::string cell = row.means[i];
      if (row.differences[i]) {
        absl::StrAppend(&cell, " ", DifferenceText(*row.differences[i]), row.differences[i]->certain() ? "" : " ?");
      }
      text += padded(cell, i == 0 ? 24 : 48);
    }
    while (text.ends_with(' ')) text.pop_back();
    text += "\n";
  }
  if (groups.size() > 1) {
    text +=
        "In brackets: where the true difference from the first lies, with 95% confidence, by Welch's interval; "
        "`?`: it may be none.\n";
  }
  for (const std::string& line : DifferentSettings(groups)) text += "not the same: " + line + "\n";
  return text;
}

}  // namespace vaquita::bench
