#include "tools/bench/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/testing/temporary_folder.h"
#include "tools/bench/chart_svg.h"
#include "tools/bench/comparison_page.h"

namespace vaquita::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A run of 2 s with `calls` reads of `us` microseconds.
RunRecord MakeRun(const std::string& label, int round, uint64_t calls, int64_t us) {
  RunRecord run;
  run.label = label;
  run.address = label + ":16040";
  run.started = "2026-11-23T12:00:00Z";
  run.version = "0.1.0";
  run.server = "2.6.0";
  run.round = round;
  run.workload = "c";
  run.properties = {{"readproportion", "1"}};
  run.seconds = 2;
  run.regions = 16;
  run.hottest_share = 0.1;
  run.hottest_start = "\\x01";
  run.client_cpu_s = 0.5;
  OperationRecord& reads = run.operations["read"];
  reads.latency.Record(us * 1000, calls);
  reads.rows = calls;
  run.service.Record(us * 1000, calls);
  for (int second = 0; second < 2; ++second) {
    run.per_second.push_back(
        {.calls = calls / 2, .rows = calls / 2, .mean_us = 1.0, .max_us = 2.0, .hottest_share = 0.1});
  }
  run.server_figures = ServerRecord{.cpu_s = 1, .memory_bytes = 100 << 20, .log_bytes = 50};
  run.bytes_written = 20;
  return run;
}

class ComparisonTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::vector<RunRecord>& runs) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path) << ToJson(runs);
    return path;
  }
  std::vector<RunGroup> Groups(const std::vector<std::string>& paths) {
    auto groups = ReadGroups(paths);
    EXPECT_TRUE(groups.ok()) << groups.status();
    return *std::move(groups);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(ComparisonTest, ARunIsReadBackAsItWasWritten) {
  RunRecord run = MakeRun("a", 2, 1000, 150);
  run.operations["read"].latency.Record(7'000'000, 3);
  run.operations["read"].failed = 4;
  run.errors = {"an error with bytes \xff"};
  run.rate = 500;
  run.wrong = 1;
  run.not_started = 2;
  const std::string path = Write("a.json", {run});
  const std::vector<RunRecord> read = *ReadRuns(path);
  EXPECT_EQ(ToJson(*ReadRuns(Write("again.json", read))), ToJson(read));
  EXPECT_NEAR(read[0].All().latency.MeanNs(), run.All().latency.MeanNs(), 200);  // a bucket's values count as one
  EXPECT_EQ(read[0].All().latency.AtPercent(50), run.All().latency.AtPercent(50));
  EXPECT_EQ(read[0].All().latency.count(), 1003);
  EXPECT_EQ(read[0].All().failed, 4);
  EXPECT_EQ(read[0].not_started, 2);
  EXPECT_EQ(read[0].WriteAmplification(), 2.5);
}

TEST_F(ComparisonTest, WrongFilesAreNamed) {
  EXPECT_THAT(std::string(ReadRuns(folder_.path() + "/none").status().message()), HasSubstr("none cannot be read"));
  const std::string other = folder_.path() + "/other.json";
  std::ofstream(other) << "{\"format\": 3}";
  EXPECT_THAT(std::string(ReadRuns(other).status().message()), HasSubstr("other.json is not a file that"));
  std::ofstream(other) << R"({"format": "vaquita bench 1", "runs": [{"label": "a"}]})";
  EXPECT_THAT(std::string(ReadRuns(other).status().message()), HasSubstr("other.json: "));
  std::ofstream(other) << R"({"format": "vaquita bench 1", "runs": []})";
  EXPECT_THAT(std::string(ReadRuns(other).status().message()), HasSubstr("other.json has no runs"));
}

TEST_F(ComparisonTest, FiguresThatNoRunHasAreRefused) {
  const std::string whole = ToJson({MakeRun("a", 1, 1000, 150)});
  const auto refusal = [&](std::string_view member, std::string_view value) {
    std::string text = whole;
    const size_t begin = text.find(member) + member.size();
    text.replace(begin, text.find_first_of(",}", begin) - begin, value);
    const std::string path = folder_.path() + "/damaged.json";
    std::ofstream(path) << text;
    return std::string(ReadRuns(path).status().message());
  };
  EXPECT_EQ(refusal("\"rate\":", "5"), "");
  EXPECT_THAT(refusal("\"seconds\":", "1e300"), HasSubstr("a number from 0 to 1e+18 belongs here, not 1e+300"));
  EXPECT_THAT(refusal("\"rate\":", "-1"), HasSubstr("belongs here, not -1"));
  EXPECT_THAT(refusal("\"wrong\":", "18446744073709551615"), HasSubstr("a whole number from 0 to 1099511627776"));
}

// A histogram's memory is not seen in the file's size.
TEST_F(ComparisonTest, AFileHasNoMoreHistogramsThanThereAreOperations) {
  RunRecord odd = MakeRun("a", 1, 10, 1);
  odd.operations["reed"];
  const auto wrong = ReadRuns(Write("odd.json", {odd}));
  EXPECT_THAT(wrong.status().message(), HasSubstr("there is no operation 'reed'"));
  const auto many = ReadRuns(Write("many.json", std::vector<RunRecord>(1001)));
  EXPECT_THAT(many.status().message(), HasSubstr("1001 runs, and at most 1000"));
}

TEST_F(ComparisonTest, RunsAreGroupedByFileAndLabel) {
  const std::string one = Write("one.json", {MakeRun("a", 1, 10, 1), MakeRun("b", 1, 10, 1), MakeRun("a", 2, 10, 1)});
  const std::string two = Write("two.json", {MakeRun("a", 1, 10, 1)});
  const std::vector<RunGroup> groups = Groups({one, two});
  ASSERT_EQ(groups.size(), 3);
  EXPECT_EQ(groups[0].name, "one a");
  EXPECT_EQ(groups[0].runs.size(), 2);
  EXPECT_EQ(groups[1].name, "b");
  EXPECT_EQ(groups[2].name, "two a");
  EXPECT_FALSE(ReadGroups({one, one}).ok());
}

TEST_F(ComparisonTest, TheTableHasDifferencesWithTheirConfidence) {
  const std::string path =
      Write("r.json", {MakeRun("old", 1, 1000, 200), MakeRun("new", 1, 1500, 100), MakeRun("old", 2, 1020, 210),
                       MakeRun("new", 2, 1520, 110), MakeRun("old", 3, 980, 190), MakeRun("new", 3, 1480, 90)});
  const std::vector<RunGroup> groups = Groups({path});
  const std::vector<FigureRow> rows = CompareFigures(groups);
  EXPECT_EQ(rows[0].name, "calls per second");
  EXPECT_THAT(rows[0].means, ElementsAre("500", "750"));
  EXPECT_THAT(rows[0].spans, ElementsAre("490 to 510", "740 to 760"));
  EXPECT_EQ(rows[0].differences[0], std::nullopt);
  EXPECT_NEAR(rows[0].differences[1]->part, 0.5, 1e-9);
  EXPECT_TRUE(rows[0].differences[1]->certain());
  const std::string text = ComparisonText(groups);
  EXPECT_THAT(text,
              HasSubstr("calls per second                  500                     750 +50.0% (+45.5% to +54.5%)"));
  EXPECT_THAT(text, HasSubstr("p50, µs                           200"));
  EXPECT_THAT(text,
              HasSubstr("servers' memory, MiB              100                     100 +0.0% (+0.0% to +0.0%) ?"));
  EXPECT_THAT(text, Not(HasSubstr("not the same")));
  EXPECT_THAT(text, Not(HasSubstr("failed operations")));  // there were none
}

TEST_F(ComparisonTest, WhatWasNotTheSameIsSaid) {
  RunRecord other = MakeRun("b", 1, 10, 1);
  other.threads = 9;
  other.properties.emplace_back("fieldcount", "1");
  const std::vector<RunGroup> groups = Groups({Write("r.json", {MakeRun("a", 1, 10, 1), other})});
  EXPECT_THAT(DifferentSettings(groups), ElementsAre("fieldcount: a the default, b 1", "threads: a 1, b 9"));
}

TEST_F(ComparisonTest, ThePageStandsAloneAndHasTableAndPlots) {
  RunRecord odd = MakeRun("<b>", 1, 1500, 100);
  odd.errors = {"x < y & z"};
  RunRecord second = MakeRun("<b>", 2, 1510, 101);
  const std::string page =
      ComparisonPage(Groups({Write("r.json", {MakeRun("a", 1, 1000, 200), odd, MakeRun("a", 2, 1001, 201), second})}));
  EXPECT_THAT(page, ::testing::StartsWith("<!doctype html>"));
  for (const char* const outside : {"http:", "https:", "src=", "<script", "<link", "url("}) {
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  }
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(page, HasSubstr("Workload c: a, &lt;b&gt;"));
  EXPECT_THAT(page, HasSubstr("x &lt; y &amp; z"));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, HasSubstr("<td class=\"better\">+50."));
  size_t charts = 0;
  for (size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) ++charts;
  EXPECT_EQ(charts, 4);
  size_t lines = 0;
  for (size_t at = page.find("<polyline"); at != std::string::npos; at = page.find("<polyline", at + 1)) ++lines;
  EXPECT_EQ(lines, 3 * 4 + 2);  // one for each run over time, one for each group's latencies
}

TEST(ChartTest, TicksAreRoundAndReachTheMost) {
  const auto texts = [](double most) {
    std::vector<std::string> all;
    for (const Tick& tick : EvenTicks(most)) all.push_back(tick.text);
    return all;
  };
  EXPECT_THAT(texts(10), ElementsAre("0", "2", "4", "6", "8", "10"));
  EXPECT_THAT(texts(48'000), ElementsAre("0", "10k", "20k", "30k", "40k", "50k"));
  EXPECT_THAT(texts(0.03), ElementsAre("0", "0.01", "0.02", "0.03"));
  for (double most = 0.001; most < 1e7; most *= 1.37) {
    const std::vector<Tick> ticks = EvenTicks(most);
    EXPECT_GE(ticks.back().at, most * 0.999999);
    EXPECT_LE(ticks.size(), 7) << most;
    EXPECT_GE(ticks.size(), 3) << most;
  }
}

TEST(ChartTest, PointsAreWhereTheirNumbersSay) {
  Chart chart{.title = "t", .least_x = 0, .most_x = 10, .least_y = 1, .most_y = 100};
  chart.log_y = true;
  chart.lines.push_back({.series = 7, .points = {{0, 1}, {10, 100}, {5, 10}}});
  // The plot reaches from 62 to 446, and from 246 up to 24; 10 is in the middle of a log scale from 1 to 100.
  EXPECT_THAT(ChartSvg(chart), HasSubstr("<polyline class=\"s1\" points=\"62.0,246.0 446.0,24.0 254.0,135.0 \"/>"));
}

}  // namespace
}  // namespace vaquita::bench
