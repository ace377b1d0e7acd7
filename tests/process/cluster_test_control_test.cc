// The control that a test has over a cluster: the master leads it, and faults, calls and time are those of every
// server.
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/testing/json_of.h"
#include "base/tls/grpc/grpc_credentials.h"
#include "grpcpp/grpcpp.h"
#include "tests/process/process_harness.h"
#include "vaquita/v1/test.methods.h"

namespace vaquita {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class ClusterTestControlTest : public ProcessTest {
 protected:
  void SetUp() override {
    StartCluster(2, {"--test-control", "-D", "vaquita.regionserver.lease=1000"});
    if (HasFatalFailure()) return;
    channel_ = grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials());
    ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {Row(1), Row(2), Row(3)}).ok());
  }

  // The answer; "status" is in it if it is not 200.
  Json Ask(const std::string& method, const std::string& name, const Json& body = Json::object()) {
    grpc::ClientContext context;
    v1::RunRequest request;
    request.set_method(method);
    request.set_name(name);
    request.set_body(JsonText(body));
    v1::RunResponse response;
    const grpc::Status status = CallGrpc(channel_.get(), &context, {v1::TestMethods::Run, request, &response});
    EXPECT_TRUE(status.ok()) << status.error_message();
    Json answer = JsonOf(response.body());
    if (response.status() != 200) answer["status"] = response.status();
    return answer;
  }
  std::string ServerOf(const std::string& row) {
    const auto regions = admin_->GetRegions(Name("t"));
    EXPECT_TRUE(regions.ok()) << regions.status();
    for (const auto& region : *regions) {
      if (region.info.ContainsRow(row)) return region.server_name;
    }
    return "";
  }
  // Puts a row into each of the table's regions.
  std::vector<absl::Status> PutEverywhere() {
    std::vector<absl::Status> results;
    for (int i = 0; i < 4; ++i) results.push_back(Put("t", Row(i)));
    return results;
  }

  std::shared_ptr<grpc::Channel> channel_;
};

class TlsClusterTestControlTest : public ClusterTestControlTest {
 protected:
  void SetUp() override {
    const std::string certs = folder_.path() + "/certs";
    const Outcome made = Vaquita({"certs", "--out", certs});
    ASSERT_EQ(made.code, 0) << made.errors;
    server_ = std::make_unique<ServerProcess>(
        folder_.path(), std::vector<std::string>{"cluster", "--servers", "2", "--data", folder_.path() + "/data",
                                                 "--free-ports", "--ready-file", folder_.path() + "/ready.json",
                                                 "--test-control", "--config", certs + "/server-site.xml"});
    ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
    tls_ = *ClientTls(*ReadClientOptions(certs + "/client-site.xml"));
    channel_ = grpc::CreateChannel(server_->address(), GrpcChannelCredentials(tls_.get()));
  }

  std::shared_ptr<TlsContext> tls_;
};

TEST_F(TlsClusterTestControlTest, ReachesEveryServer) {
  Ask("POST", "clock", {{"freezeMs", 1'900'000'000'000}});
  const Json added = Ask("POST", "faults", {{"delay", "1ms"}});
  EXPECT_FALSE(added.contains("status")) << JsonText(added);
  EXPECT_THAT(Ask("GET", "faults").at("faults"), SizeIs(1));
  EXPECT_EQ(Ask("POST", "seed", {{"script", "create 't', 'f'\nput 't', 'r', 'f:q', 'v'"}}).at("commands"), 2);
  const Json calls = Ask("GET", "calls", {{"table", "t"}, {"method", "Mutate"}});
  ASSERT_THAT(calls.at("calls"), SizeIs(1)) << JsonText(calls);
  EXPECT_EQ(calls.at("calls")[0].at("timeMs"), 1'900'000'000'000);
}

TEST_F(ClusterTestControlTest, AFaultIsAtEveryServer) {
  const Json fault = Ask("POST", "faults",
                         {{"match", {{"methods", {"Mutate"}}, {"table", "t"}}},
                          {"times", 1},
                          {"exception", {{"class", "RegionTooBusyException"}, {"message", "as ordered"}}}});
  for (const absl::Status& put : PutEverywhere()) EXPECT_TRUE(put.ok()) << put;
  const Json faults = Ask("GET", "faults").at("faults");
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].at("id"), fault.at("id"));
  EXPECT_EQ(faults[0].at("hits"), 2) << "once at each of two servers";
  EXPECT_EQ(Ask("DELETE", "faults", {{"id", fault.at("id")}}).at("cleared"), 1);
  EXPECT_THAT(Ask("GET", "faults").at("faults"), SizeIs(0));
  EXPECT_EQ(Ask("DELETE", "faults", {{"id", fault.at("id")}}).at("status"), 404);
}

TEST_F(ClusterTestControlTest, AFaultCanBeForOneServer) {
  const std::string server = ServerOf(Row(0));
  Ask("POST", "faults",
      {{"match", {{"methods", {"Mutate"}}, {"server", server}}},
       {"exception", {{"class", "DoNotRetryIOException"}, {"message", "as ordered"}}}});
  for (int i = 0; i < 4; ++i) EXPECT_EQ(Put("t", Row(i)).ok(), ServerOf(Row(i)) != server) << i;
  const Json missing = Ask("POST", "faults", {{"match", {{"server", "nowhere,1,1"}}}, {"delay", "1ms"}});
  EXPECT_EQ(missing.at("status"), 404);
  EXPECT_THAT(missing.at("error").get<std::string>(), AllOf(HasSubstr("nowhere,1,1"), HasSubstr(server)));
}

TEST_F(ClusterTestControlTest, CallsAreThoseOfAllServersInOrder) {
  PutEverywhere();
  const int64_t since = Ask("GET", "calls").at("next");
  PutEverywhere();
  const Json calls = Ask("GET", "calls", {{"since", since}, {"method", "Mutate"}}).at("calls");
  ASSERT_EQ(calls.size(), 4u) << IndentedJsonText(calls);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(calls[i].at("rows").at(0), Row(i));
    EXPECT_EQ(calls[i].at("server"), ServerOf(Row(i)));
  }
}

TEST_F(ClusterTestControlTest, AllHaveOneTime) {
  EXPECT_EQ(Ask("POST", "clock", {{"freezeMs", 1'900'000'000'000}}).at("mode"), "frozen");
  PutEverywhere();
  std::set<int64_t> times;
  const auto time_of = [this](int i) {
    return connection_->GetTable(Name("t"))->Get({.row = Row(i)})->cells.at(0).timestamp_ms;
  };
  for (int i = 0; i < 4; ++i) times.insert(time_of(i));
  EXPECT_EQ(times, std::set<int64_t>{1'900'000'000'000});
  Ask("POST", "clock", {{"advance", "1h"}});
  // A server that starts later has it, too.
  kill(server_->Ready().at("region_servers").at(0).at("pid").get<pid_t>(), SIGKILL);
  ASSERT_TRUE(Eventually([&] { return Put("t", Row(0)).ok() && Put("t", Row(3)).ok(); }));
  EXPECT_EQ(time_of(0), 1'900'003'600'000);
  EXPECT_EQ(time_of(3), 1'900'003'600'000);
}

TEST_F(ClusterTestControlTest, TheRegionsOfAServerThatSeemsDeadAreServedElsewhere) {
  for (const absl::Status& put : PutEverywhere()) ASSERT_TRUE(put.ok()) << put;
  const std::string dead = ServerOf(Row(0));
  Ask("POST", "faults", {{"match", {{"server", dead}}}, {"times", 1}, {"serverDead", "5s"}});
  EXPECT_TRUE(Put("t", Row(0)).ok());
  EXPECT_NE(ServerOf(Row(0)), dead);
  EXPECT_THAT(Rows("t"), SizeIs(4));
  EXPECT_TRUE(Eventually([&] { return admin_->GetClusterStatus()->servers.size() == 2; })) << "it was started again";
}

TEST_F(ClusterTestControlTest, ResetAndSeedsAreThere) {
  PutEverywhere();
  Ask("POST", "faults", {{"delay", "1ms"}});
  Ask("POST", "clock", {{"freeze", true}});
  EXPECT_EQ(Ask("POST", "reset").at("tables"), 1);
  EXPECT_THAT(Ask("GET", "faults").at("faults"), SizeIs(0));
  EXPECT_EQ(Ask("GET", "clock").at("mode"), "real");
  EXPECT_THAT(Ask("GET", "calls").at("calls"), SizeIs(0));
  EXPECT_EQ(Ask("POST", "seed", {{"script", "create 't', 'f', SPLITS => ['m']\nput 't', 'z', 'f:q', 'value of z'"}})
                .at("commands"),
            2);
  EXPECT_THAT(Rows("t"), ::testing::ElementsAre("z"));
}

TEST_F(ClusterTestControlTest, StatesAreNotSavedThereAndDisksDoNotFail) {
  for (const char* name : {"save", "restore"}) {
    const Json refused = Ask("POST", name, {{"name", "s"}});
    EXPECT_EQ(refused.at("status"), 501) << name;
    EXPECT_THAT(refused.at("error").get<std::string>(), HasSubstr("a cluster's state cannot be saved")) << name;
  }
  for (const char* name : {"disk", "powercut"}) {
    const Json refused = Ask("POST", name);
    EXPECT_EQ(refused.at("status"), 501) << name;
    EXPECT_THAT(refused.at("error").get<std::string>(), HasSubstr("have no test disk")) << name;
  }
  EXPECT_EQ(Ask("POST", "advertise", {{"grpc", "h:1"}}).at("status"), 501);
  EXPECT_THAT(server_->Ready().at("test_control").get<std::string>(), HasSubstr("/control/v1"));
}

}  // namespace
}  // namespace vaquita
