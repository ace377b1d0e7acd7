#include "tools/bench/comparison_page.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/bench/chart_svg.h"
#include "tools/bench/run_text.h"

namespace vaquita::bench {
namespace {

constexpr char kHead[] = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>vaquita bench</title>
<style>
:root { color-scheme: light dark; --ground: #fff; --text: #1d2329; --quiet: #59636e; --line: #d8dee4;
  --better: #116329; --worse: #b42318;
  --s0: #1f6feb; --s1: #c2410c; --s2: #15803d; --s3: #8250df; --s4: #9a6700; --s5: #0e7490; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0f1419; --text: #e3e8ee; --quiet: #9aa5b1; --line: #2d3640; --better: #57c26f; --worse: #ff8b7d;
    --s0: #6cb0ff; --s1: #ff9a5c; --s2: #5fcf80; --s3: #c297ff; --s4: #e3b341; --s5: #56d4dd; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1240px; padding: 16px; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 0 0 4px; }
p { margin: 4px 0 12px; color: var(--quiet); max-width: 75ch; }
.wide { overflow-x: auto; margin: 12px 0 24px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 14px 5px 0; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap;
  vertical-align: top; }
th:first-child, td:first-child { text-align: left; }
thead th { vertical-align: bottom; }
small { color: var(--quiet); font-size: 12px; font-weight: 400; margin-left: 8px; }
th small { display: block; margin: 0; }
td.uncertain { color: var(--quiet); }
@media (max-width: 640px) {
  th, td { padding-right: 8px; white-space: normal; font-size: 13px; }
  td small { display: block; margin: 0; font-size: 11px; } }
.better { color: var(--better); } .worse { color: var(--worse); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); gap: 24px; }
figure { margin: 0; min-width: 0; }
svg { width: 100%; height: auto; display: block; }
.axis { font: 12px system-ui, sans-serif; fill: var(--quiet); }
.grid { stroke: var(--line); }
polyline { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.s0 { stroke: var(--s0); } .s1 { stroke: var(--s1); } .s2 { stroke: var(--s2); }
.s3 { stroke: var(--s3); } .s4 { stroke: var(--s4); } .s5 { stroke: var(--s5); }
.key { display: inline-block; width: 14px; height: 3px; margin-right: 6px; vertical-align: middle; }
ul { padding-left: 20px; color: var(--quiet); overflow-wrap: anywhere; }
</style>
</head>
<body>
)";

std::string KeyOf(size_t group) {
  return absl::StrFormat("<span class=\"key\" style=\"background: var(--s%d)\"></span>", group % kChartColours);
}

// A group has a column for its figures and, but for the first, one for their differences from the first's.
std::string GroupHead(const RunGroup& group, size_t number) {
  return absl::StrCat(number == 0 ? "<th>" : "<th colspan=\"2\">", KeyOf(number), HtmlText(group.name), "<small>",
                      group.runs.size(), group.runs.size() == 1 ? " run" : " runs", "; server ",
                      HtmlText(group.runs[0].server), "</small></th>");
}

std::string DifferenceHtml(const FigureRow& row, size_t group) {
  const std::optional<Difference>& difference = row.differences[group];
  if (!difference) return "<td></td>";
  std::string css = "uncertain";
  if (difference->certain()) css = (difference->part > 0) == row.more_is_better ? "better" : "worse";
  return absl::StrCat("<td class=\"", css, "\">", DifferenceText(*difference), difference->certain() ? "" : " ?",
                      "</td>");
}

std::string TableHtml(const std::vector<RunGroup>& groups) {
  std::string html = "<div class=\"wide\"><table>\n<thead><tr><th>mean of the runs<small>least to most</small></th>";
  for (size_t i = 0; i < groups.size(); ++i) html += GroupHead(groups[i], i);
  html += "</tr></thead>\n<tbody>\n";
  for (const FigureRow& row : CompareFigures(groups)) {
    html += "<tr><td>" + HtmlText(row.name) + "</td>";
    for (size_t i = 0; i < groups.size(); ++i) {
      html += "<td>" + row.means[i];
      if (!row.spans[i].empty()) html += "<small>" + row.spans[i] + "</small>";
      html += "</td>";
      if (i > 0) html += DifferenceHtml(row, i);
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

// A chart over the seconds of the runs, of one value of each.
Chart OverTime(const std::vector<RunGroup>& groups, const std::string& title, const std::string& y_label,
               const std::function<double(const SecondRecord&)>& value) {
  Chart chart{.title = title, .x_label = "seconds", .y_label = y_label};
  double most_y = 0;
  double most_x = 1;
  for (size_t group = 0; group < groups.size(); ++group) {
    for (const RunRecord& run : groups[group].runs) {
      ChartLine line{.series = static_cast<int>(group), .points = {}};
      // The last second is not a whole one.
      const size_t whole = std::min(run.per_second.size(), static_cast<size_t>(std::max(1.0, run.seconds)));
      for (size_t second = 0; second < whole; ++second) {
        line.points.emplace_back(second + 1, value(run.per_second[second]));
        most_y = std::max(most_y, line.points.back().second);
      }
      most_x = std::max(most_x, static_cast<double>(whole));
      chart.lines.push_back(std::move(line));
    }
  }
  chart.y_ticks = EvenTicks(most_y);
  chart.most_y = chart.y_ticks.back().at;
  chart.x_ticks = EvenTicks(most_x);
  chart.most_x = most_x;
  while (chart.x_ticks.back().at > most_x) chart.x_ticks.pop_back();
  return chart;
}

std::string TimeText(double us) {
  if (us >= 1e6) return absl::StrFormat("%g s", us / 1e6);
  if (us >= 1e3) return absl::StrFormat("%g ms", us / 1e3);
  return absl::StrFormat("%g µs", us);
}

// Latency over the percentile, both on log scales: each step to the right is ten times fewer calls.
Chart LatencyChart(const std::vector<RunGroup>& groups) {
  Chart chart{.title = "Latency by percentile", .x_label = "percent of the calls", .y_label = "latency", .log_y = true};
  const auto place = [](double percent) { return std::log10(100 / (100 - percent)); };
  double least = 1e18;
  double most = 1;
  for (size_t group = 0; group < groups.size(); ++group) {
    const LatencyHistogram latency = groups[group].Latency();
    if (latency.count() == 0) continue;
    ChartLine line{.series = static_cast<int>(group), .points = {}};
    const double last = std::log10(static_cast<double>(latency.count()));  // the longest call's place
    for (double x = 0; x <= last + 0.01; x += 0.05) {
      const double us = std::max(0.1, static_cast<double>(latency.AtPercent(100 - 100 / std::pow(10, x))) / 1000);
      line.points.emplace_back(x, us);
      least = std::min(least, us);
      most = std::max(most, us);
    }
    chart.most_x = std::max(chart.most_x, last);
    chart.lines.push_back(std::move(line));
  }
  if (least > most) least = most;
  for (const double percent : {0.0, 90.0, 99.0, 99.9, 99.99, 99.999, 99.9999}) {
    if (place(percent) <= chart.most_x) chart.x_ticks.push_back({place(percent), absl::StrCat(percent)});
  }
  chart.least_y = std::pow(10, std::floor(std::log10(least)));
  chart.most_y = std::max(chart.least_y * 10, std::pow(10, std::ceil(std::log10(most))));
  for (double us = chart.least_y; us <= chart.most_y * 1.01; us *= 10) chart.y_ticks.push_back({us, TimeText(us)});
  return chart;
}

std::string FigureHtml(const std::string& heading, const std::string& text, const Chart& chart) {
  return absl::StrCat("<figure>\n<h2>", heading, "</h2>\n<p>", text, "</p>\n", ChartSvg(chart), "</figure>\n");
}

std::string ListHtml(const std::vector<std::string>& lines) {
  std::string html = "<ul>\n";
  for (const std::string& line : lines) html += "<li>" + HtmlText(line) + "</li>\n";
  return html + "</ul>\n";
}

std::string RunsHtml(const std::vector<RunGroup>& groups) {
  std::vector<std::string> lines;
  for (const RunGroup& group : groups) {
    const RunRecord& run = group.runs[0];
    std::string line = absl::StrCat(
        group.name, ": ", run.address, ", workload ", run.workload, ", ",
        run.rate > 0 ? absl::StrCat("open loop, ", WithSeparators(run.rate), " calls/s") : "closed loop", ", ",
        run.threads, " threads, ", run.connections, " connections, seed ", run.seed, ", from ", run.started);
    for (const auto& [name, value] : run.properties) absl::StrAppend(&line, ", ", name, "=", value);
    lines.push_back(std::move(line));
    if (!run.no_server_figures.empty())
      lines.push_back(group.name + ": no figures of its servers: " + run.no_server_figures);
    for (const std::string& error : run.errors) lines.push_back(group.name + ": " + error);
  }
  return ListHtml(lines);
}

}  // namespace

std::string ComparisonPage(const std::vector<RunGroup>& groups) {
  std::string heading = "Workload " + groups[0].runs[0].workload + ": ";
  for (const RunGroup& group : groups) absl::StrAppend(&heading, &group == &groups[0] ? "" : ", ", group.name);
  std::string html = absl::StrCat(kHead, "<h1>", HtmlText(heading), "</h1>\n");
  if (groups.size() > 1) {
    html +=
        "<p>Differences are those from the first column. In brackets: where the true one lies with 95% confidence, "
        "by Welch's interval over the rounds; it is not known with fewer than two. With a ? there may be no "
        "difference.</p>\n";
  }
  html += TableHtml(groups);
  if (const std::vector<std::string> different = DifferentSettings(groups); !different.empty()) {
    html += "<h2>Not the same</h2>\n" + ListHtml(different);
  }
  html += "<div class=\"charts\">\n";
  html += FigureHtml("Calls per second", "A line for each run.",
                     OverTime(groups, "Calls per second over time", "calls per second",
                              [](const SecondRecord& second) { return static_cast<double>(second.calls); }));
  html += FigureHtml("Latency",
                     "All runs of a column together. In an open loop it counts from the time when a call was due.",
                     LatencyChart(groups));
  html += FigureHtml("Longest call of each second", "Stalls show here.",
                     OverTime(groups, "Longest call of each second", "milliseconds",
                              [](const SecondRecord& second) { return second.max_us / 1000; }));
  html += FigureHtml("Hottest region", "Its share of all requests in each second.",
                     OverTime(groups, "Share of the hottest region over time", "% of requests",
                              [](const SecondRecord& second) { return second.hottest_share * 100; }));
  return html + "</div>\n<h2>Runs</h2>\n" + RunsHtml(groups) + "</body>\n</html>\n";
}

}  // namespace vaquita::bench
