// The control that a test has over a server, from the outside: over gRPC's Run, which has HTTP's operations, and with
// clients of both protocols.
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/testing/json_of.h"
#include "grpcpp/grpcpp.h"
#include "httplib.h"
#include "model/region_info.h"
#include "tests/process/process_harness.h"
#include "vaquita/v1/data.methods.h"
#include "vaquita/v1/test.methods.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class TestControlTest : public ProcessTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    server_ = std::make_unique<ServerProcess>(
        folder_.path(), std::vector<std::string>{"standalone", "--ephemeral", "--free-ports", "--test-control",
                                                 "--ready-file", folder_.path() + "/ready.json"});
    ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
    channel_ = grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials());
    const Json ready = server_->Ready();
    address_ = GetParam() == std::string("grpc") ? server_->address()
                                                 : "hbase-rpc://" + ready.at("region_server").get<std::string>();
    auto connection = client::Connection::Open({.address = address_, .retries = 5, .pause_ms = 5});
    ASSERT_TRUE(connection.ok()) << connection.status();
    connection_ = *std::move(connection);
    admin_ = connection_->GetAdmin();
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
  Json AddFault(const Json& fault) { return Ask("POST", "faults", fault); }
  int64_t Hits(int fault) { return Ask("GET", "faults").at("faults").at(fault).at("hits"); }
  Json CallsOf(const std::string& method) {
    return Ask("GET", "calls", {{"method", method}, {"table", "t"}}).at("calls");
  }

  std::vector<std::string> RowNames(const std::string& table) {
    std::vector<std::string> rows;
    auto scanner = connection_->GetTable(Name(table))->GetScanner(Scan{});
    for (auto result = (*scanner)->Next(); result.ok() && result->has_value(); result = (*scanner)->Next()) {
      rows.push_back((*result)->cells[0].row);
    }
    return rows;
  }

  std::string address_;
  std::shared_ptr<grpc::Channel> channel_;
};

INSTANTIATE_TEST_SUITE_P(Protocols, TestControlTest, ::testing::Values("grpc", "hbase"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(TestControlTest, ResetDropsWhatATestMade) {
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(admin_->CreateTable(Descriptor("t" + std::to_string(i))).ok());
  ASSERT_TRUE(Put("t0", "r", Durability::kUseDefault).ok());
  ASSERT_TRUE(admin_->CreateNamespace({.name = "ns", .configuration = {}}).ok());
  ASSERT_TRUE(admin_->CreateTable(Descriptor("ns:t")).ok());
  ASSERT_TRUE(admin_->DisableTable(Name("t1")).ok());
  ASSERT_TRUE(admin_->Snapshot({.name = "s", .table = Name("t0")}).ok());
  AddFault({{"delay", "1ms"}});
  Ask("POST", "clock", {{"freezeMs", 1'700'000'000'000}});
  const Json reset = Ask("POST", "reset");
  EXPECT_EQ(reset.at("tables"), 11);
  EXPECT_THAT(*admin_->ListTableNames(), SizeIs(0));
  EXPECT_THAT(*admin_->ListSnapshots(""), SizeIs(0));
  EXPECT_THAT(*admin_->ListNamespaces(), SizeIs(2));
  EXPECT_EQ(Ask("GET", "faults").at("faults").size(), 0u);
  EXPECT_EQ(Ask("GET", "clock").at("mode"), "real");
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t0")).ok());
  EXPECT_THAT(Rows("t0"), SizeIs(0));
  ASSERT_TRUE(Put("t0", "r", Durability::kUseDefault).ok());
}

TEST_P(TestControlTest, ResetDropsSettings) {
  const char kShow[] = "list_peers\ndescribe_namespace 'default'\n";
  const auto shown = [&] {
    const std::string output = Ask("POST", "seed", {{"script", kShow}}).at("output");
    std::vector<std::string> lines;
    for (const absl::string_view line : absl::StrSplit(output, '\n')) {
      if (!absl::StartsWith(line, "Took ")) lines.emplace_back(line);
    }
    return lines;
  };
  const std::vector<std::string> before = shown();
  const Json seeded = Ask("POST", "seed",
                          {{"script",
                            "add_peer '1', CLUSTER_KEY => 'h:2181:/hbase'\n"
                            "alter_namespace 'default', {METHOD => 'set', 'k' => 'v'}\n"
                            "peer_modification_switch false, true\n"}});
  EXPECT_FALSE(seeded.contains("status")) << seeded.dump();
  EXPECT_NE(shown(), before);
  EXPECT_FALSE(Ask("POST", "reset").contains("status"));
  EXPECT_EQ(shown(), before);
}

TEST_P(TestControlTest, SeedsByScriptAndByRecords) {
  const Json script = Ask("POST", "seed", {{"script", "create 't', 'f'\nput 't', 'r', 'f:q', 'v'\n"}});
  EXPECT_EQ(script.at("commands"), 2);
  EXPECT_THAT(RowNames("t"), SizeIs(1));
  const Json records = Ask("POST", "seed", {{"csv", "id,name\n17,Ann\n18,\"Bob, Jr\"\n"}, {"table", "people"}});
  EXPECT_EQ(records.at("rows"), 2);
  const auto table = connection_->GetTable(Name("people"));
  Get get;
  get.row = "18";
  const auto row = table->Get(get);
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_EQ(*row->Value("f", "name"), "Bob, Jr");
  EXPECT_EQ(row->cells.size(), 1u);
  Ask("POST", "seed", {{"csv", "a-b,a,b\n1,9,2\n"}, {"table", "named"}});
  EXPECT_THAT(RowNames("named"), ::testing::ElementsAre("1")) << "a-b is a name, not a difference";
  Ask("POST", "seed", {{"csv", "id\n17\n"}, {"table", "designed"}, {"key", "reverse(id)"}});
  EXPECT_THAT(RowNames("designed"), ::testing::ElementsAre("71"));
  const Json failed = Ask("POST", "seed", {{"script", "create 'u', 'f'\nput 'nowhere', 'r', 'f:q', 'v'\n"}});
  EXPECT_EQ(failed.at("status"), 400);
  EXPECT_THAT(failed.at("error").get<std::string>(), HasSubstr("line 2"));
}

TEST_P(TestControlTest, SeedsBySnapshot) {
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  ASSERT_TRUE(Put("t", "r").ok());
  ASSERT_TRUE(admin_->Snapshot({.name = "s", .table = Name("t")}).ok());
  EXPECT_EQ(Ask("POST", "reset", {{"namespace", "default"}}).at("tables"), 1);
  EXPECT_FALSE(Ask("POST", "seed", {{"snapshot", "s"}, {"table", "t"}}).contains("status"));
  EXPECT_THAT(Rows("t"), ::testing::ElementsAre("r"));
  const Json missing = Ask("POST", "seed", {{"snapshot", "nowhere"}, {"table", "u"}});
  EXPECT_THAT(missing.at("error").get<std::string>(), HasSubstr("nowhere"));
  EXPECT_THAT(Ask("POST", "seed", {{"snapshot", "s"}}).at("error").get<std::string>(), HasSubstr("table: is missing"));
}

TEST_P(TestControlTest, AnExceptionIsRetriedSoOftenAsOrdered) {
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  AddFault({{"match", {{"methods", {"Mutate"}}, {"table", "t"}}},
            {"times", 2},
            {"exception", {{"class", "RegionTooBusyException"}, {"message", "as ordered"}}}});
  ASSERT_TRUE(Put("t", "r", Durability::kUseDefault).ok());
  EXPECT_EQ(Hits(0), 2);
  const Json calls = CallsOf("Mutate");
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].at("result"), "org.apache.hadoop.hbase.RegionTooBusyException");
  EXPECT_EQ(calls[0].at("message"), "as ordered");
  EXPECT_EQ(calls[0].at("fault"), 1);
  EXPECT_EQ(calls[2].at("result"), "OK");
  EXPECT_EQ(calls[2].at("rows").at(0), "r");
}

TEST_P(TestControlTest, AnExceptionThatEndsAllIsNotRetried) {
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  AddFault({{"match", {{"methods", {"Mutate"}}, {"table", "t"}}},
            {"exception", {{"class", "com.example.Mine"}, {"message", "no"}, {"doNotRetry", true}}}});
  const absl::Status status = Put("t", "r", Durability::kUseDefault);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no"));
  EXPECT_EQ(Hits(0), 1);
  EXPECT_EQ(CallsOf("Mutate").at(0).at("result"), "com.example.Mine");
}

TEST_P(TestControlTest, ADroppedCallWasDoneOrNot) {
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  const auto table = connection_->GetTable(Name("t"));
  Mutation increment;
  increment.type = MutationType::kIncrement;
  increment.row = "r";
  Cell cell;
  cell.row = "r";
  cell.family = "f";
  cell.qualifier = "q";
  cell.value = std::string("\0\0\0\0\0\0\0\1", 8);
  increment.cells = {cell};
  int64_t expected = 0;
  for (const char* when : {"before", "after"}) {
    AddFault({{"match", {{"methods", {"Mutate"}}}}, {"times", 1}, {"drop", when}});
    const auto result = table->Mutate(increment);
    ASSERT_TRUE(result.ok()) << when << ": " << result.status();
    ++expected;  // sent twice, done once
    EXPECT_EQ(result->Value("f", "q")->back(), static_cast<char>(expected)) << when;
  }
  EXPECT_EQ(Hits(0) + Hits(1), 2);
}

TEST_P(TestControlTest, NoFaultAppliesToASeed) {
  AddFault({{"match", {{"methods", {"CreateTable", "Mutate"}}, {"system", true}}}, {"loseAnswer", true}});
  AddFault({{"serverDead", "1h"}});
  EXPECT_FALSE(admin_->ListTableNames().ok()) << "the server seems dead";
  EXPECT_EQ(Ask("POST", "seed", {{"script", "create 't', 'f'\nput 't', 'r', 'f:q', 'v'\n"}}).at("commands"), 2);
  EXPECT_EQ(Hits(0), 0);
  Ask("DELETE", "faults");
  EXPECT_THAT(RowNames("t"), SizeIs(1));
}

// A server without a test control has 64 threads for calls over gRPC.
TEST_P(TestControlTest, LostAnswersLeaveThreadsForOthersAndEndWithTheirFault) {
  constexpr int kCalls = 100;
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  AddFault({{"match", {{"methods", {"Mutate"}}}}, {"loseAnswer", true}});
  struct Call {
    grpc::ClientContext context;
    v1::MutateRequest request;
    v1::MutateResponse response;
    std::promise<grpc::StatusCode> outcome;
  };
  std::vector<Call> calls(kCalls);
  for (Call& call : calls) {
    call.request.set_table("t");
    call.request.mutable_mutation()->set_row("r");
    call.request.mutable_mutation()->set_type(v1::Mutation::TYPE_DELETE);
    StartGrpcCall(channel_.get(), &call.context, {v1::DataMethods::Mutate, call.request, &call.response},
                  [&call](const grpc::Status& status) { call.outcome.set_value(status.error_code()); });
  }
  EXPECT_TRUE(Eventually([&] { return Hits(0) == kCalls; }));
  EXPECT_THAT(RowNames("t"), SizeIs(0));
  Ask("DELETE", "faults");
  for (Call& call : calls) EXPECT_EQ(call.outcome.get_future().get(), grpc::StatusCode::UNAVAILABLE);
}

TEST_P(TestControlTest, ASeedEndsWithTheServer) {
  std::string script = "create 't', 'f'\n";
  for (int i = 0; i < 100'000; ++i) script += "put 't', 'r', 'f:q', 'v'\n";
  std::thread seeder([&] {
    grpc::ClientContext context;
    v1::SeedRequest request;
    request.set_script(script);
    v1::SeedResponse response;
    EXPECT_FALSE(CallGrpc(channel_.get(), &context, {v1::TestMethods::Seed, request, &response}).ok());
  });
  EXPECT_TRUE(Eventually([&] { return !CallsOf("Mutate").empty(); }));
  Stop();
  seeder.join();
}

TEST_P(TestControlTest, OnlyRowsThatMatchFail) {
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  AddFault({{"match", {{"table", "t"}, {"rowFrom", "m"}}},
            {"exception", {{"class", "DoNotRetryIOException"}, {"message", "row"}}}});
  EXPECT_TRUE(Put("t", "a", Durability::kUseDefault).ok());
  EXPECT_FALSE(Put("t", "z", Durability::kUseDefault).ok());
}

TEST_P(TestControlTest, ARegionComesBackFromTransition) {
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  AddFault({{"match", {{"table", "t"}, {"methods", {"Mutate"}}}}, {"times", 1}, {"inTransition", "20ms"}});
  EXPECT_TRUE(Put("t", "r", Durability::kUseDefault).ok());
  EXPECT_GE(CallsOf("Mutate").size(), 2u);
}

TEST_P(TestControlTest, TimeMovesAsOrdered) {
  TableDescriptor descriptor = Descriptor("t");
  descriptor.families["f"].ttl_seconds = 3600;
  ASSERT_TRUE(admin_->CreateTable(descriptor).ok());
  EXPECT_EQ(Ask("POST", "clock", {{"freezeMs", 2'000'000'000'000}}).at("mode"), "frozen");
  ASSERT_TRUE(Put("t", "r", Durability::kUseDefault).ok());
  const auto table = connection_->GetTable(Name("t"));
  Get get;
  get.row = "r";
  EXPECT_EQ(table->Get(get)->cells.at(0).timestamp_ms, 2'000'000'000'000);
  EXPECT_EQ(Ask("POST", "clock", {{"advance", "59m"}}).at("nowMs"), 2'000'000'000'000 + 59 * 60'000);
  EXPECT_FALSE(table->Get(get)->empty());
  Ask("POST", "clock", {{"advance", "2m"}});
  EXPECT_TRUE(table->Get(get)->empty());
  EXPECT_EQ(Ask("POST", "clock", {{"real", true}}).at("mode"), "real");
  EXPECT_EQ(Ask("POST", "clock", {{"advance", "1d"}}).at("mode"), "moved");
  EXPECT_EQ(Ask("POST", "clock", {{"advance", "soon"}}).at("status"), 400);
  for (const Json& wrong :
       {Json{{"freeze", false}}, Json{{"real", false}}, Json{{"freeze", true}, {"advance", "1d"}}}) {
    EXPECT_EQ(Ask("POST", "clock", wrong).at("status"), 400) << wrong.dump();
  }
  EXPECT_EQ(Ask("GET", "clock").at("mode"), "moved") << "what was refused changed nothing";
}

TEST_P(TestControlTest, CallsTellABatchFromManyGets) {
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  const int64_t since = Ask("GET", "calls").at("next");
  std::vector<Action> gets(100);
  for (int i = 0; i < 100; ++i) {
    Get get;
    get.row = "r" + std::to_string(i);
    gets[i] = get;
  }
  connection_->GetTable(Name("t"))->Batch(gets);
  const Json calls = Ask("GET", "calls", {{"since", since}, {"table", "t"}, {"method", "Multi"}}).at("calls");
  ASSERT_EQ(calls.size(), 1u) << IndentedJsonText(calls);
  EXPECT_EQ(calls[0].at("method"), "Multi");
  EXPECT_EQ(calls[0].at("rowCount"), 100);
  EXPECT_EQ(calls[0].at("protocol"), GetParam());
}

TEST_P(TestControlTest, RegionsAreWorkedOnAtOnce) {
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  for (const char* row : {"a", "m", "z"}) ASSERT_TRUE(Put("t", row, Durability::kUseDefault).ok());
  EXPECT_EQ(Ask("POST", "flush", {{"table", "t"}}), Json::object());
  EXPECT_EQ(Ask("POST", "compact", {{"table", "t"}}), Json::object());
  EXPECT_EQ(Ask("POST", "split", {{"table", "t"}, {"splitRow", "m"}}).at("daughters").size(), 2u);
  EXPECT_EQ(admin_->GetRegions(Name("t"))->size(), 2u);
  EXPECT_EQ(Ask("POST", "move", {{"table", "t"}, {"row", "z"}}).at("server"), server_->Ready().at("server_name"));
  EXPECT_EQ(Ask("POST", "balance").at("moves"), 0);
  EXPECT_THAT(Rows("t"), SizeIs(3));
  EXPECT_EQ(Ask("POST", "flush", {{"table", "nowhere"}}).at("status"), 404);
}

TEST_P(TestControlTest, SaysWhatItDoesNotTake) {
  EXPECT_EQ(Ask("POST", "resett").at("status"), 404);
  EXPECT_THAT(Ask("POST", "resett").at("error").get<std::string>(), HasSubstr("reset, save"));
  EXPECT_EQ(Ask("GET", "reset").at("status"), 405);
  EXPECT_EQ(Ask("POST", "reset", {{"names", 1}}).at("status"), 400);
  EXPECT_EQ(Ask("DELETE", "faults", {{"id", 9}}).at("status"), 404);
}

TEST_P(TestControlTest, HttpHasTheSameOperations) {
  const std::string url = server_->Ready().at("test_control");
  const size_t path = url.find('/', std::string("http://").size());
  httplib::Client http(url.substr(0, path));
  const std::string base = url.substr(path);
  const auto seeded = http.Post(base + "/seed", R"({"script": "create 't', 'f'"})", "application/json");
  ASSERT_TRUE(seeded);
  EXPECT_EQ(seeded->status, 200) << seeded->body;
  EXPECT_EQ(JsonOf(seeded->body).at("commands"), 1);
  EXPECT_EQ(http.Post(base + "/faults", R"({"delay": "1ms"})", "")->status, 200);
  EXPECT_EQ(JsonOf(http.Get(base + "/faults")->body).at("faults").size(), 1u);
  EXPECT_EQ(JsonOf(http.Delete(base + "/faults?id=1")->body).at("cleared"), 1);
  EXPECT_EQ(JsonOf(http.Get(base + "/calls?since=1&method=CreateTable")->body).at("calls").size(), 1u);
  const auto unknown = http.Post(base + "/seed", R"({"scrip": ""})", "");
  EXPECT_EQ(unknown->status, 400);
  EXPECT_THAT(JsonOf(unknown->body).at("error").get<std::string>(), HasSubstr("scrip: must be one of the fields"));
  EXPECT_EQ(http.Get(base + "/reset")->status, 405);
  EXPECT_EQ(http.Post(base + "/reset", {{"Origin", "http://evil.test"}}, "", "")->status, 403);
  EXPECT_EQ(http.Post(base + "/reset", "", "")->status, 200);
  EXPECT_THAT(*admin_->ListTableNames(), SizeIs(0));
  EXPECT_THAT(http.Get("/")->body, HasSubstr("Test control is on"));
}

TEST_P(TestControlTest, TheCommandHasTheSameOperations) {
  const auto control = [this](std::vector<std::string> words) {
    words.insert(words.begin(), {"control", "--address", server_->address()});
    return Vaquita(words);
  };
  EXPECT_EQ(JsonOf(control({"clock", "advance=1d"}).output).at("mode"), "moved");
  const Outcome fault = control({"faults", "match.table=t", "times=1", "drop=after"});
  EXPECT_EQ(fault.code, 0) << fault.errors;
  EXPECT_EQ(JsonOf(fault.output).at("match").at("table"), "t");
  EXPECT_EQ(JsonOf(control({"faults"}).output).at("faults").size(), 1u);
  EXPECT_EQ(JsonOf(control({"delete", "faults"}).output).at("cleared"), 1);
  EXPECT_EQ(JsonOf(control({"calls", "table=t"}).output).at("calls").size(), 0u);
  EXPECT_EQ(JsonOf(control({"reset"}).output).at("tables"), 0);
  const Outcome wrong = control({"faults", R"({"times": 1})"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("a fault needs an effect"));
  EXPECT_EQ(control({"clock", "forward"}).errors,
            "vaquita control: forward: must be FIELD=VALUE, or one JSON object\n");
}

TEST_P(TestControlTest, StatesComeBack) {
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  ASSERT_TRUE(Put("t", "kept").ok());
  ASSERT_TRUE(admin_->Flush(Name("t")).ok());
  ASSERT_TRUE(Put("t", "in the log").ok());
  EXPECT_EQ(Ask("POST", "save", {{"name", "one"}}).at("tables"), 1);
  ASSERT_TRUE(Put("t", "later").ok());
  for (int i = 0; i < 3; ++i) {
    Ask("POST", i == 1 ? "reset" : "balance");
    EXPECT_EQ(Ask("POST", "restore", {{"name", "one"}}).at("name"), "one");
    EXPECT_THAT(Rows("t"), ::testing::ElementsAre("in the log", "kept"));
    ASSERT_TRUE(Put("t", "later").ok());
  }
  EXPECT_EQ(Ask("GET", "saved").at("saved").size(), 1u);
  const Json missing = Ask("POST", "restore", {{"name", "two"}});
  EXPECT_EQ(missing.at("status"), 404);
  EXPECT_THAT(missing.at("error").get<std::string>(), HasSubstr("there are: one"));
  EXPECT_EQ(Ask("POST", "save", {{"name", "../x"}}).at("status"), 400);
  EXPECT_EQ(Ask("DELETE", "saved", {{"name", "one"}}), Json::object());
  EXPECT_EQ(Ask("GET", "saved").at("saved").size(), 0u);
}

TEST_P(TestControlTest, APowerCutTakesWhatWasNotSynced) {
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  ASSERT_TRUE(Put("t", "before the disk", Durability::kSkipWal).ok());
  ASSERT_FALSE(Ask("POST", "disk", {{"seed", 3}}).contains("status"));
  std::vector<std::string> promised = {"before the disk"};
  bool lost = false;
  for (int cut = 0; cut < 40 && !lost; ++cut) {
    promised.push_back("synced " + std::to_string(cut));
    const std::string not_synced = "not synced " + std::to_string(cut);
    ASSERT_TRUE(Put("t", promised.back(), Durability::kFsyncWal).ok());
    ASSERT_TRUE(Put("t", not_synced, Durability::kSyncWal).ok());
    ASSERT_GT(Ask("POST", "powercut").at("tookMicros"), 0);
    const std::vector<std::string> rows = Rows("t");
    EXPECT_THAT(rows, ::testing::IsSupersetOf(promised)) << "power cut " << cut;
    lost = !absl::c_linear_search(rows, not_synced);
  }
  EXPECT_TRUE(lost);
  ASSERT_FALSE(Ask("POST", "save", {{"name", "one"}}).contains("status"));
  ASSERT_FALSE(Ask("POST", "powercut").contains("status"));
  ASSERT_FALSE(Ask("POST", "restore", {{"name", "one"}}).contains("status"));
  ASSERT_FALSE(Ask("POST", "powercut").contains("status"));
  EXPECT_THAT(Rows("t"), ::testing::IsSupersetOf(promised)) << "what was saved and restored is synced";
}

TEST_P(TestControlTest, PowerCutsUnderLoadTakeNothingThatWasSynced) {
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  ASSERT_FALSE(Ask("POST", "disk").contains("status"));
  std::atomic<bool> stop = false;
  std::vector<std::vector<std::string>> synced(4);
  std::vector<std::thread> writers;
  for (size_t writer = 0; writer < synced.size(); ++writer) {
    writers.emplace_back([&, writer] {
      for (int i = 0; !stop; ++i) {
        std::string row = std::to_string(writer) + " " + std::to_string(i);
        if (Put("t", row, Durability::kFsyncWal).ok()) synced[writer].push_back(std::move(row));
      }
    });
  }
  for (int cut = 0; cut < 10; ++cut) {
    EXPECT_FALSE(Ask("POST", "powercut").contains("status")) << "power cut " << cut;
    EXPECT_TRUE(Put("t", "between " + std::to_string(cut)).ok());
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
  const std::vector<std::string> rows = Rows("t");
  for (const auto& of_writer : synced) EXPECT_THAT(rows, ::testing::IsSupersetOf(of_writer));
}

TEST_P(TestControlTest, TheDiskIsLateAsOrdered) {
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  EXPECT_EQ(Ask("POST", "disk", {{"late", 1}, {"delay", "30ms"}}).at("delay"), "30ms");
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(Put("t", "r", Durability::kFsyncWal).ok());
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(30));
  ASSERT_FALSE(Ask("POST", "reset").contains("status"));
  EXPECT_EQ(Ask("GET", "disk").at("late"), 0);
}

TEST_P(TestControlTest, TheDiskSaysWhatItDoesNotTake) {
  EXPECT_EQ(Ask("GET", "disk").at("status"), 404);
  const Json early = Ask("POST", "powercut");
  EXPECT_EQ(early.at("status"), 409);
  EXPECT_THAT(early.at("error").get<std::string>(), HasSubstr("order it by POST disk"));
  EXPECT_EQ(Ask("POST", "disk", {{"fail", 1.5}}).at("error"), "fail: 1.5 must be from 0 to 1");
  EXPECT_EQ(Ask("POST", "disk", {{"delay", "2m"}}).at("error"), "delay: 2m is more than a second");
  EXPECT_EQ(Ask("POST", "disk", {{"torn", 1}}).at("status"), 400);
  EXPECT_EQ(Ask("GET", "disk").at("status"), 404) << "a refused request puts no disk there";
}

TEST_P(TestControlTest, AddressesChangeWhileItRuns) {
  const Json ready = server_->Ready();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  const Json answer =
      Ask("POST", "advertise",
          {{"regionServer", "localhost:" + std::to_string(ready["ports"]["region_server"].get<int>())}});
  EXPECT_THAT(answer.at("regionServer").get<std::string>(), HasSubstr("localhost:"));
  EXPECT_EQ(answer.at("zookeeper"), ready.at("zookeeper"));
  EXPECT_TRUE(Put("t", "r").ok());
  EXPECT_THAT(admin_->GetClusterStatus()->servers.at(0).server_name, ::testing::StartsWith("localhost,"));
  EXPECT_EQ(Ask("POST", "advertise", {{"regionServer", "nowhere"}}).at("status"), 400);
  EXPECT_EQ(Ask("POST", "advertise", {{"regionServer", "-"}}).at("regionServer"), ready.at("region_server"));
  EXPECT_TRUE(Put("t", "s").ok());
}

TEST_F(ProcessTest, AServerWhoseTestDiskFailsEndsAndLosesNothing) {
  Start("", {"--test-control"});
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  ASSERT_EQ(Vaquita({"control", "--address", server_->address(), "disk", "seed=5"}).code, 0);
  ASSERT_TRUE(Put("t", "acknowledged", Durability::kFsyncWal).ok());
  ASSERT_EQ(Vaquita({"control", "--address", server_->address(), "disk", "seed=5", "fail=1"}).code, 0);
  connection_ = *client::Connection::Open({.address = server_->address(), .retries = 0});
  EXPECT_FALSE(Put("t", "refused", Durability::kFsyncWal).ok());
  EXPECT_EQ(server_->WaitForEnd(), 1);
  EXPECT_THAT(server_->Errors(), HasSubstr("cannot write any more"));
  Start();
  EXPECT_THAT(Rows("t"), ::testing::Contains("acknowledged"));
}

TEST_F(ProcessTest, WithoutTheOptionThereIsNoTestControl) {
  Start();
  const auto channel = grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials());
  grpc::ClientContext context;
  v1::ResetResponse response;
  const grpc::Status refused = CallGrpc(channel.get(), &context, {v1::TestMethods::Reset, {}, &response});
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNIMPLEMENTED);
}

}  // namespace
}  // namespace vaquita
