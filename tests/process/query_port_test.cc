// Phoenix's query server as a part of a server's process, by an HTTP client that is not ours.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "tests/process/process_harness.h"
#include "tests/process/query_driver.h"

namespace vaquita {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

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
  // Returns a socket that is connected to the query server.
  int Connected() const {
    const int made = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(server_->Ready().at("ports").at("query_server").get<int>()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    return made;
  }
  // Returns a socket on which this request was sent.
  int Sent(const std::string& body) const {
    const int made = Connected();
    const std::string request =
        "POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n\r\n" + body;
    EXPECT_EQ(write(made, request.data(), request.size()), static_cast<ssize_t>(request.size()));
    return made;
  }
  // Returns the server's memory.
  int64_t MemoryMb() const {
    std::ifstream status("/proc/" + std::to_string(server_->pid()) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmRSS:")) return std::stoll(line.substr(sizeof "VmRSS:" - 1)) >> 10;
    }
    return -1;
  }
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

// As Avatica's FetchIterator does: the driver opens its connection anew, makes the statement anew, and goes on with the
// row that it has not seen.
TEST_F(QueryPortTest, AFetchGoesOnAfterTheServerWasKilled) {
  Start();
  const std::string port = std::to_string(server_->Ready().at("ports").at("query_server").get<int>());
  const std::string query = "SELECT ID FROM T ORDER BY ID";
  Driver driver(Address());
  driver.SetAutoCommit(true);
  driver.Run("CREATE TABLE S (ID VARCHAR PRIMARY KEY)");
  for (const char letter : std::string_view("abcdefghijkl"))
    driver.Run(std::string("UPSERT INTO S VALUES ('") + letter + "')");
  driver.Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY)");
  driver.Run("UPSERT INTO T SELECT A.ID || B.ID FROM S A, S B");
  avatica::FetchRequest fetch;
  fetch.set_connection_id("driver");
  fetch.set_statement_id(driver.MakeStatement());
  EXPECT_THAT(driver.Run(query, fetch.statement_id()), SizeIs(100));
  server_->Signal(SIGKILL);
  server_->WaitForEnd();
  Start("", {"-D", "phoenix.queryserver.http.port=" + port});

  fetch.set_offset(100);
  fetch.set_frame_max_size(100);
  EXPECT_THAT(driver.ErrorOf("Fetch", fetch),
              AllOf(HasSubstr("org.apache.calcite.avatica.NoSuchConnectionException"), HasSubstr("code 1,")));
  driver.Open();
  EXPECT_TRUE(driver.Ask<avatica::FetchResponse>("Fetch", fetch).missing_statement());
  avatica::SyncResultsRequest sync;
  sync.set_connection_id("driver");
  sync.set_statement_id(driver.MakeStatement());
  sync.mutable_state()->set_type(avatica::QueryState::SQL);
  sync.mutable_state()->set_sql(query);
  sync.mutable_state()->set_has_sql(true);
  sync.set_offset(100);
  EXPECT_TRUE(driver.Ask<avatica::SyncResultsResponse>("SyncResults", sync).more_results());
  fetch.set_statement_id(sync.statement_id());
  std::vector<std::string> rows;
  for (bool done = false; !done;) {
    const avatica::Frame frame = driver.Ask<avatica::FetchResponse>("Fetch", fetch).frame();
    for (std::string& row : Driver::RowsOf(frame)) rows.push_back(std::move(row));
    fetch.set_offset(100 + rows.size());
    done = frame.done() || frame.rows().empty();
  }
  ASSERT_THAT(rows, SizeIs(44));
  EXPECT_EQ(rows.front(), "ie");
  EXPECT_EQ(rows.back(), "ll");
}

// Clients that do not read their answers hold these bytes, but no thread.
TEST_F(QueryPortTest, ClientsThatDoNotReadHoldUpNobody) {
  StartEphemeral({});
  Driver driver(Address());
  driver.UseTable();
  constexpr int kSlow = 66;  // more than the query server has threads
  std::vector<int> sockets;
  for (int i = 0; i < kSlow; ++i) {
    const std::string id = "slow" + std::to_string(i);
    avatica::PrepareAndExecuteRequest run;
    run.set_connection_id(id);
    run.set_statement_id(Driver(Address(), id).MakeStatement());
    run.set_sql("SELECT LPAD(ID, 1000000, 'x') FROM T");
    const std::string body = Driver::MessageOf("PrepareAndExecute", run);
    sockets.push_back(Sent(body));
  }
  for (int i = 0; i < 20; ++i) EXPECT_THAT(driver.Run("SELECT V FROM T"), ElementsAre("v"));
  // The first one reads after all, and gets all.
  std::string answer;
  std::vector<char> some(1 << 16);
  for (ssize_t read_bytes = 1; read_bytes > 0;) {
    read_bytes = read(sockets.front(), some.data(), some.size());
    if (read_bytes > 0) answer.append(some.data(), static_cast<size_t>(read_bytes));
  }
  EXPECT_THAT(answer.substr(0, 100), HasSubstr("HTTP/1.1 200 "));
  EXPECT_GT(answer.size(), 1'000'000U);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // those keep freed memory for their checks
  // A statement keeps its row, and the answer has it once more.
  EXPECT_LT(MemoryMb(), kSlow * 8 + 500);
#endif
  for (const int slow : sockets) close(slow);
  EXPECT_THAT(driver.Run("SELECT V FROM T"), ElementsAre("v"));
}

// Each of them would hold a thread until the query's end.
TEST_F(QueryPortTest, RequestsOfABusyConnectionHoldUpNoOther) {
  StartEphemeral({});
  Driver driver(Address());
  driver.UseTable();
  driver.Run("CREATE TABLE N (ID INTEGER PRIMARY KEY)");
  for (int i = 0; i < 12; ++i) driver.Run("UPSERT INTO N VALUES (" + std::to_string(i) + ")");
  avatica::PrepareAndExecuteRequest run;  // for minutes
  run.set_connection_id("driver");
  run.set_statement_id(driver.MakeStatement());
  run.set_sql("SELECT COUNT(*) FROM N A, N B, N C, N D, N E, N F, N G, N H");
  std::vector<int> sockets = {Sent(Driver::MessageOf("PrepareAndExecute", run))};
  avatica::CommitRequest commit;
  commit.set_connection_id("driver");
  constexpr int kWaiting = 66;  // more than the query server has threads
  for (int i = 0; i < kWaiting; ++i) sockets.push_back(Sent(Driver::MessageOf("Commit", commit)));
  Driver other(Address(), "other");
  EXPECT_THAT(other.Run("SELECT V FROM T"), ElementsAre("v"));
  avatica::CloseConnectionRequest close_driver;
  close_driver.set_connection_id("driver");
  other.Ask<avatica::CloseConnectionResponse>("CloseConnection", close_driver);
  for (const int asked : sockets) {
    char some = 0;
    EXPECT_EQ(read(asked, &some, 1), 1) << "each has its answer, now that the connection is closed";
    close(asked);
  }
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

// It is a client of a cluster: without a folder, and with one port, which no client is told by another.
TEST_F(QueryPortTest, AQueryServerOfItsOwnHasNoOptionsThatDoNothing) {
  for (const auto& [option, value] : {std::pair("--data", "folder"), std::pair("--advertise", "grpc=h:1")}) {
    const Outcome alone = Vaquita({"queryserver", "--free-ports", option, value});
    EXPECT_EQ(alone.code, 2) << option;
    EXPECT_THAT(alone.errors, HasSubstr(std::string("vaquita queryserver has no option ") + option)) << option;
  }
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
