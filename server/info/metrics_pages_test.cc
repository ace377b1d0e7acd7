#include "server/info/metrics_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "server/info/process_metrics.h"
#include "server/info/prometheus_text.h"
#include "server/info/testing/prometheus_page.h"
#include "server/master/master_metrics.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;
using testing::PrometheusPage;

TEST(PrometheusTextTest, WritesFamiliesAndTheirSamples) {
  PrometheusText text;
  text.Counter("a_total", "As.", 3);
  text.Gauge("b", "Bs, by kind.");
  text.Sample({{"kind", "x"}}, 0.25);
  text.Sample({{"kind", "y"}, {"other", "z"}}, -1e18);
  text.Summary("c_seconds", "Cs.", 2, 1.5);
  EXPECT_EQ(text.Take(),
            "# HELP a_total As.\n# TYPE a_total counter\na_total 3\n"
            "# HELP b Bs, by kind.\n# TYPE b gauge\nb{kind=\"x\"} 0.25\nb{kind=\"y\",other=\"z\"} -1e+18\n"
            "# HELP c_seconds Cs.\n# TYPE c_seconds summary\nc_seconds_sum 1.5\nc_seconds_count 2\n");
}

TEST(PrometheusTextTest, EscapesWhatWouldEndALabelOrALine) {
  PrometheusText text;
  text.Gauge("a", "One \\ line\nof \"help\".");
  text.Sample({{"l", "a\\b\"c\nd"}}, 1);
  const std::string page = text.Take();
  EXPECT_THAT(page, HasSubstr("# HELP a One \\\\ line\\nof \"help\".\n"));
  EXPECT_THAT(page, HasSubstr("a{l=\"a\\\\b\\\"c\\nd\"} 1\n"));
  EXPECT_EQ(PrometheusPage(page).Find("a", {{"l", "a\\b\"c\nd"}}), 1);
}

TEST(PrometheusTextTest, NumbersThatAreNoneHaveTheirNames) {
  PrometheusText text;
  text.Gauge("nan", "N.", std::numeric_limits<double>::quiet_NaN());
  text.Gauge("high", "H.", std::numeric_limits<double>::infinity());
  text.Gauge("low", "L.", -std::numeric_limits<double>::infinity());
  EXPECT_THAT(text.Take(), AllOf(HasSubstr("nan NaN\n"), HasSubstr("high +Inf\n"), HasSubstr("low -Inf\n")));
}

TEST(PrometheusPageTest, RefusesWhatPromtoolWould) {
  const std::string begin = "# HELP a A.\n# TYPE a gauge\n";
  EXPECT_EQ(PrometheusPage(begin + "a 1\n").error(), "");
  for (const std::string& page :
       {begin + "a 1", begin + "a\n", begin + "a x\n", begin + "b 1\n", begin + "a 1\na 2\n", begin + begin + "a 1\n",
        begin + "a{l=\"1\",l=\"1\"} 1\n", begin + "a{1=\"1\"} 1\n", begin + "a{l=\"1\" 1\n", begin + "a{l=\"\\x\"} 1\n",
        std::string("a 1\n"), std::string("# TYPE a gauge\na 1\n"), std::string("# HELP a A.\na 1\n"),
        std::string("# HELP a A.\n# TYPE a counter\na 1\n"),
        std::string("# HELP a_total A.\n# TYPE a_total gauge\na_total 1\n"),
        std::string("# HELP a_total A.\n# TYPE a_total counter\na_total -1\n")}) {
    EXPECT_NE(PrometheusPage(page).error(), "") << page;
  }
}

RegionMetrics OneRegion(const std::string& start_key, int64_t factor) {
  RegionMetrics region;
  region.info = {.table = {"ns", "t"}, .start_key = start_key, .id = 1};
  region.read_requests = 1 * factor;
  region.write_requests = 2 * factor;
  region.filtered_read_requests = 3 * factor;
  region.store_files = 4 * factor;
  region.store_file_bytes = 5 * factor;
  region.memstore_bytes = 6 * factor;
  region.stores = {{"f", {.compacting = true}}, {"g", {}}};
  return region;
}

TEST(MetricsPagesTest, ARegionServersPageSumsItsRegions) {
  RegionServerState state;
  state.server = {.server_name = "a,1,2", .requests = 7, .regions = {OneRegion("", 1), OneRegion("m", 100)}};
  state.totals = {
      .read_requests = 1000,
      .write_requests = 2000,
      .filtered_read_requests = 3000,
      .stores = {{.flushes = 8, .flushed_bytes = 9, .minor_compactions = 10, .major_compactions = 11}, 0, 0}};
  state.open_scanners = 12;
  state.lease_left_ms = -1500;
  PrometheusText text;
  AppendProcessMetrics(&text);
  AppendRegionServerMetrics(state, &text);
  AppendRpcMetrics({.connections = 13, .general = {.running = 1, .waiting = 2, .most = 3}}, &text);
  const PrometheusPage page(text.Take());
  EXPECT_EQ(page.error(), "");
  EXPECT_EQ(page.Find("vaquita_regionserver_info", {{"server", "a,1,2"}}), 1);
  EXPECT_EQ(page.Find("vaquita_regionserver_lease_remaining_seconds"), -1.5);
  EXPECT_EQ(page.Find("vaquita_regionserver_requests_total"), 7);
  EXPECT_EQ(page.Find("vaquita_regionserver_read_requests_total"), 1000) << "not of the regions that are there only";
  EXPECT_EQ(page.Find("vaquita_regionserver_regions"), 2);
  EXPECT_EQ(page.Find("vaquita_regionserver_stores"), 4);
  EXPECT_EQ(page.Find("vaquita_regionserver_store_files"), 404);
  EXPECT_EQ(page.Find("vaquita_regionserver_store_file_bytes"), 505);
  EXPECT_EQ(page.Find("vaquita_regionserver_memstore_bytes"), 606);
  EXPECT_EQ(page.Find("vaquita_regionserver_compacting_stores"), 2);
  EXPECT_EQ(page.Find("vaquita_regionserver_compactions_total", {{"kind", "major"}}), 11);
  EXPECT_EQ(page.Find("vaquita_regionserver_open_scanners"), 12);
  EXPECT_EQ(page.Find("vaquita_rpc_waiting_calls", {{"pool", "general"}}), 2);
  EXPECT_EQ(page.Find("vaquita_rpc_handler_limit", {{"pool", "priority"}}), 0);
  EXPECT_GT(page.Find("process_resident_memory_bytes"), 1e6);
  EXPECT_GT(page.Find("process_start_time_seconds"), 1e9);
  EXPECT_GT(page.Find("process_threads"), 0);
}

TEST(MetricsPagesTest, EachRegionHasAPageOfItsOwn) {
  const std::vector<RegionMetrics> regions = {OneRegion("", 1), OneRegion("m", 100)};
  PrometheusText text;
  AppendRegionMetrics(regions, &text);
  const PrometheusPage page(text.Take());
  EXPECT_EQ(page.error(), "");
  const PrometheusPage::Labels second = {{"table", "ns:t"}, {"region", regions[1].info.EncodedName()}};
  EXPECT_EQ(page.Find("vaquita_region_read_requests_total", second), 100);
  EXPECT_EQ(page.Find("vaquita_region_write_requests_total", second), 200);
  EXPECT_EQ(page.Find("vaquita_region_filtered_read_requests_total", second), 300);
  EXPECT_EQ(page.Find("vaquita_region_store_files", second), 400);
  EXPECT_EQ(page.Find("vaquita_region_store_file_bytes", second), 500);
  EXPECT_EQ(page.Find("vaquita_region_memstore_bytes", second), 600);
  EXPECT_EQ(page.Sum("vaquita_region_memstore_bytes"), 606);
}

TEST(MetricsPagesTest, AMastersPageTellsOfTheCluster) {
  MasterMetrics metrics;
  metrics.initialized = true;
  metrics.servers = {{.name = "a,1,1", .heartbeat_age_ms = 250},
                     {.name = "b,1,1", .draining = true, .heartbeat_age_ms = 500},
                     {.name = "c,1,1", .live = false}};
  metrics.regions = {{{"a,1,1", RegionState::kOpen}, 5}, {{"", RegionState::kOffline}, 2}};
  metrics.tables = {{TableState::kEnabled, 3}};
  metrics.regions_in_transition = 4;
  metrics.oldest_transition_ms = 1250;
  metrics.assignment = {.moves = 6, .recoveries = 2, .recovery_ms = 3500};
  metrics.balancer.moves = 7;
  metrics.balancer.skips[static_cast<size_t>(balancer::BalancerObstacle::kDeadServers)] = 8;
  metrics.normalizer = {.runs = 9, .merges = 10};
  PrometheusText text;
  AppendMasterMetrics(metrics, &text);
  const PrometheusPage page(text.Take());
  EXPECT_EQ(page.error(), "");
  EXPECT_EQ(page.Find("vaquita_master_region_servers", {{"state", "live"}}), 2);
  EXPECT_EQ(page.Find("vaquita_master_region_servers", {{"state", "dead"}}), 1);
  EXPECT_EQ(page.Find("vaquita_master_draining_region_servers"), 1);
  EXPECT_EQ(page.Find("vaquita_master_region_server_heartbeat_age_seconds", {{"server", "b,1,1"}}), 0.5);
  EXPECT_EQ(page.Find("vaquita_master_region_server_heartbeat_age_seconds", {{"server", "c,1,1"}}), std::nullopt);
  EXPECT_EQ(page.Find("vaquita_master_regions", {{"server", "a,1,1"}, {"state", "OPEN"}}), 5);
  EXPECT_EQ(page.Find("vaquita_master_regions", {{"server", ""}, {"state", "OFFLINE"}}), 2);
  EXPECT_EQ(page.Find("vaquita_master_tables", {{"state", "ENABLED"}}), 3);
  EXPECT_EQ(page.Find("vaquita_master_regions_in_transition"), 4);
  EXPECT_EQ(page.Find("vaquita_master_oldest_transition_seconds"), 1.25);
  EXPECT_EQ(page.Find("vaquita_master_region_moves_total"), 6);
  EXPECT_EQ(page.Find("vaquita_master_recovery_seconds_sum"), 3.5);
  EXPECT_EQ(page.Find("vaquita_master_recovery_seconds_count"), 2);
  EXPECT_EQ(page.Find("vaquita_master_balancer_moves_total", {{"outcome", "done"}}), 7);
  EXPECT_EQ(page.Find("vaquita_master_balancer_skips_total", {{"reason", "dead_servers"}}), 8);
  EXPECT_EQ(page.Find("vaquita_master_balancer_skips_total", {{"reason", "switched_off"}}), 0);
  EXPECT_EQ(page.Find("vaquita_master_normalizer_plans_total", {{"plan", "merge"}}), 10);
}

}  // namespace
}  // namespace vaquita
