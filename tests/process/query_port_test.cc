// Phoenix's query server as a part of a server's process, by an HTTP client that is not ours.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "avatica/avatica.pb.h"
#include "httplib.h"
#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A driver's connection.
class Driver {
 public:
  explicit Driver(const std::string& address, std::string id = "driver")
      : id_(std::move(id)), http_("http://" + address) {
    http_.set_keep_alive(true);
    avatica::OpenConnectionRequest open;
    open.set_connection_id(id_);
    Ask<avatica::OpenConnectionResponse>("OpenConnection", open);
  }

  // An error is a test's failure.
  template <typename Response, typename Request>
  Response Ask(const std::string& name, const Request& request) {
    Response response;
    avatica::WireMessage wire;
    wire.set_name("org.apache.calcite.avatica.proto.Requests$" + name + "Request");
    wire.set_wrapped_message(request.SerializeAsString());
    const httplib::Result answer = http_.Post("/", wire.SerializeAsString(), "application/octet-stream");
    EXPECT_TRUE(answer) << name << ": " << httplib::to_string(answer.error());
    if (!answer) return response;
    EXPECT_TRUE(wire.ParseFromString(answer->body));
    EXPECT_EQ(answer->status, 200) << name << ": " << wire.wrapped_message();
    EXPECT_TRUE(answer->status != 200 || response.ParseFromString(wire.wrapped_message()));
    return response;
  }

  void SetAutoCommit(bool on) {
    avatica::ConnectionSyncRequest sync;
    sync.set_connection_id(id_);
    sync.mutable_conn_props()->set_has_auto_commit(true);
    sync.mutable_conn_props()->set_auto_commit(on);
    Ask<avatica::ConnectionSyncResponse>("ConnectionSync", sync);
  }
  // Returns the rows, each as its texts with | between them.
  std::vector<std::string> Run(const std::string& sql) {
    avatica::CreateStatementRequest create;
    create.set_connection_id(id_);
    avatica::PrepareAndExecuteRequest run;
    run.set_connection_id(id_);
    run.set_statement_id(Ask<avatica::CreateStatementResponse>("CreateStatement", create).statement_id());
    run.set_sql(sql);
    run.set_max_rows_total(-1);
    const auto answer = Ask<avatica::ExecuteResponse>("PrepareAndExecute", run);
    return answer.results_size() == 1 ? RowsOf(answer.results(0).first_frame()) : std::vector<std::string>();
  }
  avatica::StatementHandle Prepare(const std::string& sql) {
    avatica::PrepareRequest prepare;
    prepare.set_connection_id(id_);
    prepare.set_sql(sql);
    prepare.set_max_rows_total(-1);
    return Ask<avatica::PrepareResponse>("Prepare", prepare).statement();
  }
  // Makes a table, and reads the row that it writes.
  void UseTable() {
    SetAutoCommit(true);
    Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, V VARCHAR)");
    Run("UPSERT INTO T VALUES ('k', 'v')");
    EXPECT_THAT(Run("SELECT ID, V FROM T"), ElementsAre("k|v"));
  }

 private:
  static std::vector<std::string> RowsOf(const avatica::Frame& frame) {
    std::vector<std::string> rows;
    for (const avatica::Row& row : frame.rows()) {
      std::string& text = rows.emplace_back();
      for (const avatica::ColumnValue& value : row.value()) {
        text += (text.empty() ? "" : "|") + value.scalar_value().string_value();
      }
    }
    return rows;
  }

  const std::string id_;
  httplib::Client http_;
};

class QueryPortTest : public ProcessTest {
 protected:
  void StartEphemeral(std::vector<std::string> more_arguments) {
    std::vector<std::string> arguments = {"standalone", "--ephemeral", "--free-ports", "--ready-file",
                                          folder_.path() + "/ready.json"};
    arguments.insert(arguments.end(), more_arguments.begin(), more_arguments.end());
    server_ = std::make_unique<ServerProcess>(folder_.path(), arguments);
    ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  }
  std::string Address() const { return server_->Ready().at("query_server"); }
};

TEST_F(QueryPortTest, AStandaloneServerAnswersDrivers) {
  Start();
  EXPECT_THAT(server_->Output(), HasSubstr("\n  SQL            " + Address() + " (Phoenix's query server)\n"));
  const int port = server_->Ready().at("ports").at("query_server");
  EXPECT_EQ(Address(), "127.0.0.1:" + std::to_string(port));
  EXPECT_THAT(server_->Ready().at("hbase_site").get<std::string>(),
              HasSubstr("<name>phoenix.queryserver.http.port</name>\n    <value>" + std::to_string(port) + "<"));
  Driver(Address()).UseTable();
  httplib::Client browser("http://" + Address());
  EXPECT_EQ(browser.Get("/")->status, 405);
  EXPECT_EQ(browser.Post("/", {{"Origin", "http://elsewhere"}}, "", "text/plain")->status, 403);
  // The table stays, and the next life of the server has it.
  Stop();
  Start();
  EXPECT_THAT(Driver(Address()).Run("SELECT V FROM T"), ElementsAre("v"));
}

TEST_F(QueryPortTest, AKilledServerGivesNoValueOfASequenceTwice) {
  Start();
  {
    Driver driver(Address());
    driver.SetAutoCommit(true);
    driver.Run("CREATE SEQUENCE S CACHE 10");
    EXPECT_THAT(driver.Run("SELECT TO_CHAR(NEXT VALUE FOR S)"), ElementsAre("1"));
    EXPECT_THAT(driver.Run("SELECT TO_CHAR(NEXT VALUE FOR S)"), ElementsAre("2"));
    // All drivers of a server share what it has reserved.
    EXPECT_THAT(Driver(Address(), "another").Run("SELECT TO_CHAR(NEXT VALUE FOR S)"), ElementsAre("3"));
  }
  server_->Signal(SIGKILL);
  Start();
  EXPECT_THAT(Driver(Address()).Run("SELECT TO_CHAR(NEXT VALUE FOR S)"), ElementsAre("11"));
}

TEST_F(QueryPortTest, AClustersMasterAnswersDrivers) {
  StartCluster(2);
  EXPECT_THAT(server_->Output(), HasSubstr("\n  SQL            " + Address() + " (Phoenix's query server)\n"));
  Driver(Address()).UseTable();
  Stop();
}

TEST_F(QueryPortTest, ThePortCanBeTurnedOff) {
  StartEphemeral({"-D", "phoenix.queryserver.http.port=-1"});
  EXPECT_EQ(Address(), "");
  EXPECT_THAT(server_->Output(), HasSubstr("\n  SQL            none "));
  EXPECT_THAT(server_->Ready().at("hbase_site").get<std::string>(), Not(HasSubstr("phoenix")));
  const Outcome alone = Vaquita({"queryserver", "--port", "-1"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_EQ(alone.errors, "vaquita: phoenix.queryserver.http.port: is -1, but a query server needs a port\n");
}

TEST_F(QueryPortTest, APortThatIsTakenEndsTheStart) {
  StartEphemeral({});
  const std::string port = std::to_string(server_->Ready().at("ports").at("query_server").get<int>());
  const std::vector<std::string> commands[] = {
      {"standalone", "--ephemeral"}, {"master", "--data", folder_.path() + "/root"}, {"queryserver"}};
  for (std::vector<std::string> arguments : commands) {
    arguments.insert(arguments.end(), {"--free-ports", "-D", "phoenix.queryserver.http.port=" + port});
    const Outcome outcome = Vaquita(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments[0];
    EXPECT_THAT(outcome.errors, HasSubstr("vaquita: phoenix.queryserver.http.port: listen for sql on 127.0.0.1:" +
                                          port + ": Address already in use"));
  }
}

TEST_F(QueryPortTest, AnAddressForOthersIsNotUsedWithin) {
  StartEphemeral({"--advertise", "grpc=127.0.0.1:1"});
  Driver(Address()).UseTable();
}

TEST_F(QueryPortTest, AResetLeavesNothingOfTheOldTables) {
  StartEphemeral({"--test-control"});
  Driver driver(Address());
  driver.UseTable();
  avatica::ExecuteRequest again;
  *again.mutable_statement_handle() = driver.Prepare("SELECT V FROM T");
  driver.SetAutoCommit(false);
  driver.Run("UPSERT INTO T VALUES ('not', 'committed')");

  const std::string control = server_->Ready().at("test_control");
  const size_t path = control.find('/', sizeof "http://" - 1);
  EXPECT_EQ(httplib::Client(control.substr(0, path)).Post(control.substr(path) + "/reset")->status, 200);
  driver.SetAutoCommit(true);
  driver.Run("CREATE TABLE T (V VARCHAR PRIMARY KEY, ID VARCHAR)");
  EXPECT_TRUE(driver.Ask<avatica::ExecuteResponse>("Execute", again).missing_statement());
  EXPECT_THAT(driver.Run("SELECT * FROM T"), IsEmpty());
  driver.Run("UPSERT INTO T VALUES ('v', 'k')");
  EXPECT_THAT(driver.Run("SELECT * FROM T"), ElementsAre("v|k"));
}

TEST_F(QueryPortTest, AServerIsIdleWhenItsDriversHaveGone) {
  StartEphemeral({"--exit-idle", "1s"});
  Driver(Address()).UseTable();
  EXPECT_EQ(server_->WaitForEnd(), 0) << server_->Errors();
}

TEST_F(QueryPortTest, AServerStopsWhileADriverIsConnected) {
  StartEphemeral({});
  Driver driver(Address());
  driver.UseTable();
  Stop();
  EXPECT_THAT(server_->Errors(), IsEmpty());
}

}  // namespace
}  // namespace vaquita
