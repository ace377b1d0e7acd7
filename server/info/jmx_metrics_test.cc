#include "server/info/jmx_metrics.h"
#include "base/testing/json_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace vaquita {
namespace {

using ::testing::HasSubstr;

// The attributes of HBase's beans with their types, by bean and attribute. The empty attribute has the modelerType.
using Recording = std::map<std::string, std::map<std::string, std::string>>;

Recording ReadRecording() {
  Recording recording;
  std::ifstream file(VAQUITA_INFO_TESTDATA "/jmx_2.6.0.txt");
  std::string bean;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first, second, third;
    words >> first >> second >> third;
    if (first == "#") continue;
    if (first == "bean") {
      bean = second;
      recording[bean][""] = third;
    } else {
      recording[bean][first] = second;
    }
  }
  return recording;
}

std::string TypeOf(const Json& value) {
  if (value.is_string()) return "text";
  if (value.is_number_integer()) return "integer";
  return value.is_number() ? "real" : value.type_name();
}

std::string WithoutRegion(std::string attribute, const std::string& region) {
  const size_t at = attribute.find(region);
  return at == std::string::npos ? attribute : attribute.replace(at, region.size(), "REGION");
}

class JmxMetricsTest : public ::testing::Test {
 protected:
  JmxMetricsTest() {
    RegionMetrics region;
    region.info = {.table = {"ns", "t"}, .start_key = "", .id = 1};
    region_name_ = region.info.EncodedName();
    region.read_requests = 1;
    region.write_requests = 2;
    region.filtered_read_requests = 3;
    region.store_files = 4;
    region.store_file_bytes = 500;
    region.memstore_bytes = 60;
    region.stores = {{"f", {}}, {"g", {}}};
    state_.server = {.server_name = "a,1,2", .start_ms = 2, .requests = 7, .regions = {region}};
    state_.totals.read_requests = 1000;
    state_.totals.stores.log_writes = 8;
    metrics_.servers = {{.name = "a,1,2"}, {.name = "b,1,2", .draining = true}, {.name = "c,1,2", .live = false}};
    metrics_.regions_in_transition = 9;
    metrics_.regions = {{{"a,1,2", RegionState::kOpen}, 3}, {{"", RegionState::kOffline}, 2}};
    status_ = {.cluster_id = "id", .master = "m,1,1", .servers = {state_.server}};
  }

  JmxBeans Beans() const {
    JmxBeans beans;
    AppendMasterBeans(metrics_, status_, &beans);
    AppendRegionServerBeans(state_, "id", &beans);
    AppendRpcBean({.connections = 13, .general = {.running = 1, .waiting = 2, .most = 3}}, "RegionServer", &beans);
    AppendRpcBean({}, "Master", &beans);
    AppendProcessBeans("Master", &beans);
    return beans;
  }
  Json Ask(const std::string& query) const {
    const http::Response response = JmxPage(Beans(), query);
    EXPECT_EQ(response.status, 200) << response.body;
    return JsonOf(response.body);
  }
  std::set<std::string> Names(const std::string& query) const {
    std::set<std::string> names;
    const Json page = Ask(query);
    for (const auto& bean : page.at("beans")) names.insert(bean.at("name"));
    return names;
  }

  std::string region_name_;
  RegionServerState state_;
  MasterMetrics metrics_;
  ClusterStatus status_;
};

TEST_F(JmxMetricsTest, EveryAttributeIsOneOfHBaseAndHasItsType) {
  const Recording recording = ReadRecording();
  ASSERT_EQ(recording.size(), 13);
  const Json page = Ask("");
  ASSERT_EQ(page.at("beans").size(), recording.size());
  for (const auto& bean : page.at("beans")) {
    const std::string name = bean.at("name");
    const auto recorded = recording.find(name);
    ASSERT_NE(recorded, recording.end()) << name;
    EXPECT_EQ(bean.at("modelerType"), recorded->second.at(""));
    for (const auto& [attribute, value] : bean.items()) {
      if (attribute == "name" || attribute == "modelerType") continue;
      const auto found = recorded->second.find(WithoutRegion(attribute, region_name_));
      ASSERT_NE(found, recorded->second.end()) << name << " " << attribute;
      EXPECT_EQ(TypeOf(value), found->second) << name << " " << attribute;
    }
  }
}

TEST_F(JmxMetricsTest, ValuesAreThoseOfTheServers) {
  const auto of = [&](const std::string& bean, const std::string& attribute) {
    return Ask("get=Hadoop:service=HBase,name=" + bean + "::" + attribute).at("beans").at(0).at(attribute);
  };
  EXPECT_EQ(of("RegionServer,sub=Server", "regionCount"), 1);
  EXPECT_EQ(of("RegionServer,sub=Server", "readRequestCount"), 1000);
  EXPECT_EQ(of("RegionServer,sub=Server", "averageRegionSize"), 560);
  EXPECT_EQ(of("RegionServer,sub=Server", "tag.serverName"), "a,1,2");
  EXPECT_EQ(of("RegionServer,sub=WAL", "appendCount"), 8);
  EXPECT_EQ(of("RegionServer,sub=Tables", "Namespace_ns_table_t_metric_totalRequestCount"), 3);
  EXPECT_EQ(of("RegionServer,sub=Regions", "Namespace_ns_table_t_region_" + region_name_ + "_metric_storeFileCount"),
            4);
  EXPECT_EQ(of("RegionServer,sub=IPC", "numCallsInGeneralQueue"), 2);
  EXPECT_EQ(of("Master,sub=Server", "tag.liveRegionServers"), "a,1,2;b,1,2");
  EXPECT_EQ(of("Master,sub=Server", "numDeadRegionServers"), 1);
  EXPECT_EQ(of("Master,sub=Server", "averageLoad"), 1.5);
  EXPECT_EQ(of("Master,sub=AssignmentManager", "ritCount"), 9);
  EXPECT_GT(of("JvmMetrics", "MemHeapUsedM").get<double>(), 1);
  EXPECT_GT(Ask("get=java.lang:type=Threading::ThreadCount").at("beans").at(0).at("ThreadCount").get<int>(), 0);
}

// The answers are those of a server of 2.6.0.
TEST_F(JmxMetricsTest, QueriesChooseAsHBases) {
  EXPECT_EQ(Names("qry=Hadoop:service=HBase,name=RegionServer,sub=Server"),
            std::set<std::string>({"Hadoop:service=HBase,name=RegionServer,sub=Server"}));
  EXPECT_EQ(Names("qry=Hadoop:sub=Server,*"),
            std::set<std::string>(
                {"Hadoop:service=HBase,name=RegionServer,sub=Server", "Hadoop:service=HBase,name=Master,sub=Server"}));
  EXPECT_EQ(Names("qry=Had?op:sub=S*,service=HBase,name=Master").size(), 1);
  EXPECT_EQ(Names("qry=Hadoop%3Aservice%3DHBase%2Cname%3DJvmMetrics").size(), 1);
  EXPECT_EQ(Names("qry=java.lang:*").size(), 3);
  EXPECT_EQ(Names("qry=*:*").size(), 13);
  EXPECT_EQ(Names("qry=").size(), 13);
  EXPECT_EQ(Names("qry=Hadoop:*&excl=Hadoop:service=HBase,name=Master,*").size(), 6);
  EXPECT_EQ(Names("qry=Hadoop:service=HBase,name=RegionServer,sub=Nope").size(), 0);
  for (const char* const bad : {"qry=bad", "qry=:x", "qry=a:b=c,b=d", "qry=a:b=c&excl=x"}) {
    EXPECT_EQ(JmxPage(Beans(), bad).body, "{}") << bad;
  }
  EXPECT_EQ(JmxPage(Beans(), "get=Hadoop:service=HBase,name=Nope::x").body, "{\n  \"beans\": []\n}");
  EXPECT_EQ(JmxPage(Beans(), "get=x").body,
            "{\n  \"result\": \"ERROR\",\n  \"message\": \"query format is not as expected.\"\n}");
  EXPECT_EQ(JmxPage(Beans(), "get=Hadoop:service=HBase,name=RegionServer,sub=Server::regionCount").body,
            "{\n  \"beans\": [\n    {\n      \"name\": \"Hadoop:service=HBase,name=RegionServer,sub=Server\",\n"
            "      \"modelerType\": \"RegionServer,sub=Server\",\n      \"regionCount\": 1\n    }\n  ]\n}");
  EXPECT_THAT(JmxPage(Beans(), "get=Hadoop:service=HBase,name=RegionServer,sub=Server::nope").body,
              HasSubstr("\"result\": \"ERROR\",\n      \"message\": \"No attribute with name nope was found.\"\n"));
  EXPECT_EQ(JmxPage(Beans(), "qry=%").status, 400);
  EXPECT_EQ(JmxPage(Beans(), "callback=f").status, 400);
}

// The author of an exporter looks there for the names.
TEST_F(JmxMetricsTest, ThePageListsEveryAttribute) {
  std::ifstream file(VAQUITA_DOCS "/operations.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string listed = page.substr(page.find("## HBase's metrics: /jmx"));
  const JmxBeans beans = Beans();
  for (const JmxBeans::Bean& bean : beans.beans()) {
    EXPECT_THAT(listed, HasSubstr("`" + bean.name + "`"));
    for (const auto& [attribute, value] : bean.attributes) {
      const size_t end = attribute.find("_metric_");
      EXPECT_THAT(listed, HasSubstr("`" + (end == std::string::npos ? attribute : attribute.substr(end + 8)) + "`"));
    }
  }
}

}  // namespace
}  // namespace vaquita
