// The pages at the info ports of real processes, by an HTTP client that is not ours.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/testing/json_of.h"
#include "httplib.h"
#include "re2/re2.h"
#include "server/info/testing/prometheus_page.h"
#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::Eq;
using ::testing::HasSubstr;
using testing::PrometheusPage;
using ::testing::StartsWith;

class InfoPagesTest : public ProcessTest {
 protected:
  static httplib::Result Get(const std::string& address, const std::string& path) {
    return httplib::Client("http://" + address).Get(path);
  }
  static PrometheusPage Metrics(const std::string& address, const std::string& path = "/metrics") {
    const auto answer = Get(address, path);
    EXPECT_TRUE(answer) << address << ": " << httplib::to_string(answer.error());
    if (!answer) return PrometheusPage("");
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->get_header_value("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
    PrometheusPage page(answer->body);
    EXPECT_EQ(page.error(), "");
    return page;
  }
  std::string MasterInfo() { return server_->Ready().at("master_info"); }
};

TEST_F(InfoPagesTest, AStandaloneServerHasBothPorts) {
  Start();
  const std::string master = MasterInfo();
  const std::string region_server = server_->Ready().at("region_server_info");
  ASSERT_NE(master, region_server);
  for (const std::string& address : {master, region_server}) {
    const auto health = Get(address, "/health");
    ASSERT_TRUE(health);
    EXPECT_EQ(health->status, 200);
    EXPECT_THAT(health->body, HasSubstr(server_->Ready().at("server_name").get<std::string>() + " serves\n"));
    const auto index = Get(address, "/");
    ASSERT_TRUE(index);
    EXPECT_THAT(index->body, AllOf(HasSubstr("href=\"/metrics\""), HasSubstr("href=\"/console/\"")));
    EXPECT_THAT(index->get_header_value("Content-Type"), StartsWith("text/html"));
    EXPECT_EQ(Metrics(address).Find("vaquita_build_info", {{"version", "0.1.0"}}), 1);
    httplib::Client client("http://" + address);
    EXPECT_EQ(client.Get("/none")->status, 404);
    EXPECT_EQ(client.Post("/metrics", "body", "text/plain")->status, 405);
    const auto head = client.Head("/health");
    ASSERT_TRUE(head);
    EXPECT_EQ(head->status, 200);
    EXPECT_EQ(head->body, "");
  }
}

TEST_F(InfoPagesTest, FiguresFollowWhatClientsDo) {
  Start();
  const std::string master = MasterInfo();
  const std::string region_server = server_->Ready().at("region_server_info");
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t", {"f"}), {Row(50)}).ok());
  const PrometheusPage before = Metrics(region_server);
  const auto grown = [&](const PrometheusPage& page, const std::string& name) {
    return page.Find(name).value_or(0) - before.Find(name).value_or(0);
  };
  Fill("t", 100);
  const std::string region = RegionOf("t", Row(0));
  PrometheusPage page = Metrics(region_server);
  EXPECT_EQ(grown(page, "vaquita_regionserver_write_requests_total"), 100);
  EXPECT_GT(grown(page, "vaquita_regionserver_memstore_bytes"), 1000);
  EXPECT_EQ(grown(page, "vaquita_regionserver_flushes_total"), 0);
  EXPECT_EQ(Rows("t").size(), 100);
  page = Metrics(region_server);
  EXPECT_GE(grown(page, "vaquita_regionserver_read_requests_total"), 100);
  PrometheusPage regions = Metrics(region_server, "/metrics/regions");
  const PrometheusPage::Labels first = {{"table", "t"}, {"region", region}};
  EXPECT_EQ(regions.Find("vaquita_region_write_requests_total", first), 50);
  EXPECT_EQ(regions.Find("vaquita_region_read_requests_total", first), 50);

  // Counters go on when the regions that counted are gone.
  ASSERT_TRUE(admin_->DisableTable(Name("t")).ok());
  ASSERT_TRUE(admin_->DeleteTable(Name("t")).ok());
  const PrometheusPage after = Metrics(region_server);
  for (const char* counter : {"write_requests", "read_requests", "requests"}) {
    const std::string name = "vaquita_regionserver_" + std::string(counter) + "_total";
    EXPECT_GE(after.Find(name), page.Find(name)) << name;
  }
  EXPECT_EQ(grown(after, "vaquita_regionserver_flushes_total"), 2);
  EXPECT_GT(grown(after, "vaquita_regionserver_flushed_bytes_total"), 1000);
  EXPECT_EQ(Metrics(region_server, "/metrics/regions").Find("vaquita_region_store_files", first), std::nullopt);
  EXPECT_EQ(Metrics(master).Find("vaquita_master_regions_closed_total"), 2);
}

TEST_F(InfoPagesTest, FiguresFollowRegionsThatMove) {
  StartCluster(2);
  const Json servers = server_->Ready().at("region_servers");
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {Row(10), Row(20), Row(30)}).ok());
  Fill("t", 40);
  const auto regions_at = [&](size_t i) {
    return Metrics(MasterInfo())
        .Find("vaquita_master_regions", {{"server", servers[i].at("server_name")}, {"state", "OPEN"}})
        .value_or(0);
  };
  EXPECT_EQ(regions_at(0) + regions_at(1), 4);
  EXPECT_EQ(Metrics(MasterInfo()).Find("vaquita_master_region_servers", {{"state", "live"}}), 2);

  const auto regions = *admin_->GetRegions(Name("t"));
  for (const auto& region : regions) {
    ASSERT_TRUE(admin_->MoveRegion(region.info.EncodedName(), servers[0].at("server_name").get<std::string>()).ok());
  }
  EXPECT_EQ(regions_at(0), 4);
  PrometheusPage page = Metrics(MasterInfo());
  EXPECT_EQ(page.Find("vaquita_master_region_moves_total"), 2);
  EXPECT_EQ(page.Find("vaquita_master_regions_in_transition"), 0);
  EXPECT_EQ(page.Find("vaquita_master_initialized"), 1);
  EXPECT_EQ(page.Find("vaquita_master_active"), 1);
  for (const auto& server : servers) {
    const auto age =
        page.Find("vaquita_master_region_server_heartbeat_age_seconds", {{"server", server.at("server_name")}});
    EXPECT_GE(age, 0);
    EXPECT_LT(age, 3.5);
  }
  const PrometheusPage first = Metrics(servers[0].at("region_server_info"));
  const PrometheusPage second = Metrics(servers[1].at("region_server_info"));
  EXPECT_EQ(first.Find("vaquita_regionserver_regions"), 4);
  EXPECT_EQ(second.Find("vaquita_regionserver_regions"), 0);
  EXPECT_GT(first.Find("vaquita_regionserver_lease_remaining_seconds"), 0);
  // Writes are counted where they were made.
  EXPECT_EQ(*first.Find("vaquita_regionserver_write_requests_total") +
                *second.Find("vaquita_regionserver_write_requests_total"),
            40);
}

TEST_F(InfoPagesTest, AServerThatIsKilledIsCounted) {
  StartCluster(2);
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {Row(10)}).ok());  // a region each
  const std::string info = server_->Ready().at("region_servers").at(0).at("region_server_info");
  kill(server_->Ready().at("region_servers").at(0).at("pid").get<pid_t>(), SIGKILL);
  // It is started again at once, and either takes over its folder or finds that it was recovered.
  EXPECT_TRUE(Eventually([&] {
    const PrometheusPage page = Metrics(MasterInfo());
    return *page.Find("vaquita_master_adoptions_total") + *page.Find("vaquita_master_recovery_seconds_count") > 0;
  }));
  EXPECT_TRUE(Eventually([&] {
    const auto health = Get(info, "/health");  // at the port that it had
    return health && health->status == 200;
  }));
}

TEST_F(InfoPagesTest, APortThatIsTakenEndsTheStart) {
  const int socket_handle = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  ASSERT_EQ(bind(socket_handle, reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(listen(socket_handle, 1), 0);
  ASSERT_EQ(getsockname(socket_handle, reinterpret_cast<sockaddr*>(&address), &length), 0);
  const std::string port = std::to_string(ntohs(address.sin_port));
  ServerProcess server(folder_.path(),
                       {"standalone", "--ephemeral", "--free-ports", "-D", "hbase.regionserver.info.port=" + port});
  EXPECT_EQ(server.WaitForEnd(), 1);
  EXPECT_THAT(server.Errors(), Eq("vaquita: hbase.regionserver.info.port: listen for http on 127.0.0.1:" + port +
                                  ": Address already in use; set another port, or take free ones by --free-ports\n"));
  close(socket_handle);
}

TEST_F(InfoPagesTest, ThePortsCanBeTurnedOff) {
  Start("", {"-D", "hbase.master.info.port=-1", "-D", "hbase.regionserver.info.port=-1"});
  EXPECT_EQ(MasterInfo(), "");
  EXPECT_EQ(server_->Ready().at("region_server_info"), "");
  EXPECT_THAT(server_->Output(), HasSubstr("HTTP           none, none"));
}

TEST_F(InfoPagesTest, ExportersForHBaseFindItsBeans) {
  StartCluster(1);
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  Fill("t", 10);
  const auto attribute = [](const std::string& address, const std::string& bean, const std::string& name) {
    const auto answer = Get(address, "/jmx?get=Hadoop:service=HBase,name=" + bean + "::" + name);
    if (!answer || answer->status != 200) return Json();
    EXPECT_EQ(answer->get_header_value("Content-Type"), "application/json; charset=utf8");
    const auto page = JsonOf(answer->body);
    return page.at("beans").empty() ? Json() : page.at("beans").at(0).value(name, Json());
  };
  const Json server = server_->Ready().at("region_servers").at(0);
  const std::string address = server.at("region_server_info");
  EXPECT_EQ(attribute(address, "RegionServer,sub=Server", "tag.serverName"), server.at("server_name"));
  EXPECT_EQ(attribute(address, "RegionServer,sub=Server", "regionCount"), 1);
  EXPECT_EQ(attribute(address, "RegionServer,sub=Server", "writeRequestCount"), 10);
  EXPECT_GE(attribute(address, "RegionServer,sub=WAL", "appendCount"), 1);
  EXPECT_GT(attribute(address, "RegionServer,sub=WAL", "writtenBytes"), 100);
  EXPECT_EQ(attribute(address, "RegionServer,sub=Tables", "Namespace_default_table_t_metric_writeRequestCount"), 10);
  EXPECT_EQ(attribute(address, "JvmMetrics", "tag.ProcessName"), "RegionServer");
  EXPECT_EQ(attribute(address, "Master,sub=Server", "numRegionServers"), nullptr);
  EXPECT_EQ(attribute(MasterInfo(), "Master,sub=Server", "numRegionServers"), 1);
  EXPECT_EQ(attribute(MasterInfo(), "Master,sub=Server", "tag.liveRegionServers"), server.at("server_name"));
  EXPECT_EQ(attribute(MasterInfo(), "Master,sub=Server", "averageLoad"), 1.0);
  EXPECT_EQ(attribute(MasterInfo(), "JvmMetrics", "tag.ProcessName"), "Master");
}

// The queries of ops/: their metrics and labels are there. Those that Prometheus adds are job and instance.
class OperatorsFilesTest : public InfoPagesTest {
 protected:
  void ExpectKnown(const std::string& query) {
    SCOPED_TRACE(query);
    std::set<std::string> labels = {"job", "instance"};
    static const RE2 kMetric("((?:vaquita|process)_[a-z_]+)(\\{[^}]*\\})?");
    bool any = false;
    re2::StringPiece rest = query;
    for (std::string name, selector; RE2::FindAndConsume(&rest, kMetric, &name, &selector);) {
      const auto page = std::find_if(pages_.begin(), pages_.end(), [&](const PrometheusPage& candidate) {
        return !candidate.LabelsOf(name).empty() || candidate.Find(name).has_value();
      });
      ASSERT_NE(page, pages_.end()) << name;
      any = true;
      std::set<std::string> own = page->LabelsOf(name);
      labels.insert(own.begin(), own.end());
      own.insert({"job", "instance"});
      ExpectAll(own, selector, RE2("([a-z_]+)(?:=~|!=|!~|=)"));
    }
    EXPECT_TRUE(any || query.find("up{") == 0) << "it has no metric of Vaquita";
    ExpectAll(labels, query, RE2("by \\(([a-z_]+)[,)]"));
    ExpectAll(labels, query, RE2("by \\([a-z_]+, ([a-z_]+)\\)"));
    known_ = labels;
  }
  // Expects the labels of a legend or of an alert's text.
  void ExpectLegend(const std::string& text) {
    ExpectAll(known_, text, RE2("\\{\\{ ?(?:\\$labels\\.)?([a-z_]+) ?\\}\\}"));
  }

  std::vector<PrometheusPage> pages_;

 private:
  static void ExpectAll(const std::set<std::string>& known, re2::StringPiece text, const RE2& pattern) {
    for (std::string label; RE2::FindAndConsume(&text, pattern, &label);) {
      EXPECT_TRUE(known.contains(label)) << "label " << label;
    }
  }

  std::set<std::string> known_;  // labels of the last query
};

TEST_F(OperatorsFilesTest, ThePageHasEveryMetricAndNoOther) {
  StartCluster(1);
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  const std::string server = server_->Ready().at("region_servers").at(0).at("region_server_info");
  pages_ = {Metrics(MasterInfo()), Metrics(server), Metrics(server, "/metrics/regions")};
  std::ifstream file(VAQUITA_SOURCES "/docs/operations.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::set<std::string> families;
  for (const PrometheusPage& each : pages_) {
    for (const auto& [name, type] : each.types()) {
      families.insert(name);
      const std::string listed = type == "summary" ? name + "_count" : name;
      EXPECT_TRUE(page.find("`" + listed + "`") != std::string::npos ||
                  page.find("`" + listed + "{") != std::string::npos)
          << name;
    }
  }
  re2::StringPiece rest = page;
  for (std::string name; RE2::FindAndConsume(&rest, "`((?:vaquita|process)_[a-z_]+)", &name);) {
    RE2::Replace(&name, "_count$", "");
    EXPECT_TRUE(families.contains(name)) << name;
  }
}

TEST_F(OperatorsFilesTest, QueriesNameMetricsAndLabelsThatAreThere) {
  Start();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  const std::string server = server_->Ready().at("region_server_info");
  pages_ = {Metrics(MasterInfo()), Metrics(server), Metrics(server, "/metrics/regions")};
  std::ifstream file(VAQUITA_SOURCES "/ops/grafana/vaquita.json");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  int queries = 0;
  const Json dashboard = JsonOf(text);
  for (const auto& panel : dashboard.at("panels")) {
    for (const auto& target : panel.value("targets", Json::array())) {
      ExpectKnown(target.at("expr"));
      ExpectLegend(target.at("legendFormat"));
      ++queries;
    }
  }
  EXPECT_GT(queries, 40);
  int alerts = 0;
  std::ifstream rules(VAQUITA_SOURCES "/ops/prometheus/alerts.yml");
  for (std::string line; std::getline(rules, line);) {
    if (const size_t at = line.find("expr: "); at != std::string::npos) {
      ExpectKnown(line.substr(at + 6));
      ++alerts;
    } else if (line.find("summary: ") != std::string::npos) {
      ExpectLegend(line);
    }
  }
  EXPECT_GE(alerts, 10);
}

}  // namespace
}  // namespace vaquita
