// Servers of a cluster that are killed and started by order, and those that stay down.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

class ClusterOrdersTest : public ProcessTest {
 protected:
  Outcome Order(const std::string& order, const std::string& server) {
    return Vaquita({"cluster", order, server, "--data", folder_.path() + "/data"});
  }
  size_t RunningServers() { return server_->Ready().at("region_servers").size(); }
};

TEST_F(ClusterOrdersTest, AKilledServerStaysDownUntilItIsStarted) {
  StartCluster(2);
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {Row(50)}).ok());
  Fill("t", 100);
  const Outcome killed = Order("kill", "2");
  EXPECT_EQ(killed.code, 0) << killed.errors;
  EXPECT_THAT(killed.output, StartsWith("regionserver-2, process "));
  EXPECT_THAT(Order("kill", "2").errors,
              StartsWith("vaquita cluster kill: regionserver-2 is down already; `vaquita cluster start 2` starts it"));
  EXPECT_THAT(Rows("t"), SizeIs(100)) << "the other server has its regions";
  EXPECT_TRUE(Eventually([&] { return RunningServers() == 1; }));

  const Outcome started = Order("start", "2");
  EXPECT_EQ(started.code, 0) << started.errors;
  EXPECT_THAT(started.output, StartsWith("regionserver-2 serves, process "));
  EXPECT_TRUE(Eventually([&] { return RunningServers() == 2; }));
  const Outcome twice = Order("start", "2");
  EXPECT_EQ(twice.code, 1);
  EXPECT_THAT(twice.errors, StartsWith("vaquita cluster start: regionserver-2 runs, process "));
}

// As Linux before 5.3 answers, and some profiles of seccomp. Only what may be called between fork and exec.
void RefusePidfdOpen() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {std::size(program), program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    _exit(126);
}

TEST_F(ClusterOrdersTest, AClusterStopsAtOnceWhereThereIsNoPidfdOpen) {
  const std::string ready = folder_.path() + "/ready.json", errors = folder_.path() + "/stderr";
  std::vector<std::string> words = {VAQUITA_PROGRAM,          "cluster",      "--servers",    "1",  "--data",
                                    folder_.path() + "/data", "--free-ports", "--ready-file", ready};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t cluster = fork();
  if (cluster == 0) {
    RefusePidfdOpen();
    const int file = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  ASSERT_GT(cluster, 0);
  EXPECT_TRUE(Eventually([&] { return std::filesystem::exists(ready); }));
  const auto begin = std::chrono::steady_clock::now();
  kill(cluster, SIGTERM);
  int status = -1;
  EXPECT_EQ(waitpid(cluster, &status, 0), cluster);
  std::stringstream said;
  said << std::ifstream(errors).rdbuf();
  EXPECT_EQ(status, 0) << said.str();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40)) << "it waited for its whole patience";
  EXPECT_THAT(said.str(), ::testing::Not(HasSubstr("does not stop and is killed")));
}

TEST_F(ClusterOrdersTest, TheMasterCanBeKilledAndStarted) {
  StartCluster(1);
  EXPECT_EQ(Order("kill", "master").code, 0);
  EXPECT_EQ(Order("start", "master").code, 0);
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  Stop();
}

TEST_F(ClusterOrdersTest, AMasterThatCannotStartAgainEndsNoOtherServer) {
  StartCluster(1, {"--no-restart"});
  const std::string zookeeper = server_->Ready().at("zookeeper");
  EXPECT_EQ(Order("kill", "master").code, 0);
  {
    const int taken = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int reuse = 1;
    setsockopt(taken, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(std::stoi(zookeeper.substr(zookeeper.rfind(':') + 1))));
    ASSERT_EQ(bind(taken, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0) << zookeeper;
    ASSERT_EQ(listen(taken, 1), 0);
    const Outcome refused = Order("start", "master");
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.errors, HasSubstr("master did not start"));
    close(taken);
  }
  EXPECT_EQ(RunningServers(), 1);
  EXPECT_EQ(Order("start", "master").code, 0);
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  Stop();
}

TEST_F(ClusterOrdersTest, WithNoRestartAServerThatEndsStaysDown) {
  StartCluster(2, {"--no-restart"});
  kill(server_->Ready().at("region_servers")[0].at("pid").get<pid_t>(), SIGKILL);
  EXPECT_TRUE(Eventually([&] { return RunningServers() == 1; }));
  EXPECT_THAT(Order("kill", "1").errors, HasSubstr("regionserver-1 is down already"));
  EXPECT_EQ(Order("start", "1").code, 0);
  EXPECT_TRUE(Eventually([&] { return RunningServers() == 2; }));
  Stop();
}

TEST_F(ClusterOrdersTest, AServerThatAClientStopsGivesItsRegionsAwayFirst) {
  StartCluster(2, {"--no-restart"});
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {Row(25), Row(50), Row(75)}).ok());
  Fill("t", 100);
  const std::string stopped = server_->Ready().at("region_servers")[0].at("server_name");
  ASSERT_TRUE(admin_->StopServer(stopped).ok());
  EXPECT_TRUE(Eventually([&] { return RunningServers() == 1; }));
  EXPECT_THAT(Rows("t"), SizeIs(100));
  EXPECT_EQ(admin_->StopServer(stopped).code(), absl::StatusCode::kInvalidArgument) << "it is not there any more";
  Stop();
}

TEST_F(ClusterOrdersTest, AClientOfHBasesRpcStopsAServerAndTheMaster) {
  StartCluster(1, {"--no-restart"});
  const auto ready = server_->Ready();
  const auto connection = Connect("hbase://" + ready.at("zookeeper").get<std::string>());
  const auto admin = connection->GetAdmin();
  const absl::Status stopped = admin->StopServer(ready.at("region_servers")[0].at("server_name").get<std::string>());
  ASSERT_TRUE(stopped.ok()) << stopped;
  EXPECT_TRUE(Eventually([&] { return RunningServers() == 0; }));
  EXPECT_TRUE(admin->StopMaster().ok());
  EXPECT_TRUE(Eventually([&] { return Order("kill", "master").errors.find("is down already") != std::string::npos; }));
  Stop();
}

TEST_F(ClusterOrdersTest, WithoutNoRestartAStoppedMasterIsStartedAgain) {
  StartCluster(1);
  const auto before = server_->Ready().at("master_pid").get<pid_t>();
  ASSERT_TRUE(admin_->StopMaster().ok());
  EXPECT_TRUE(Eventually([&] { return server_->Ready().at("master_pid").get<pid_t>() != before; }));
  EXPECT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  Stop();
}

TEST_F(ClusterOrdersTest, AnOrderSaysWhatIsWrongWithIt) {
  const std::string data = folder_.path() + "/data";
  EXPECT_EQ(Order("kill", "1").errors, "vaquita cluster kill: no `vaquita cluster` runs on " + data +
                                           "; start one with `vaquita cluster --data " + data + "`\n");
  EXPECT_EQ(Vaquita({"cluster", "kill", "1"}).errors,
            "vaquita cluster kill: give the data folder of the running cluster: --data DIR\n");
  EXPECT_EQ(Vaquita({"cluster", "kill"}).code, 2);
  StartCluster(2);
  EXPECT_THAT(Order("kill", "").errors, StartsWith("vaquita cluster kill: server: the value is empty\n"));
  for (const std::string server : {"0", "3", "two"}) {
    const Outcome outcome = Order("kill", server);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.errors, "vaquita cluster kill: this cluster has no server '" + server +
                                  "': its region servers are 1 to 2, and there is master\n");
  }
  EXPECT_EQ(Vaquita({"cluster", "--data", data, "--free-ports"}).errors,
            "vaquita: another `vaquita cluster` runs on " + data + "\n");
}

}  // namespace
}  // namespace vaquita
