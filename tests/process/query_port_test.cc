// Phoenix's query server as a part of a server's process, by an HTTP client that is not ours.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "tests/process/process_harness.h"
#include "tests/process/query_driver.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

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
