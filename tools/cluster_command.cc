#include "tools/commands.h"

#include <signal.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "base/durable_files.h"
#include "base/exit_code.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/version.h"
#include "nlohmann/json.hpp"
#include "server/process/service_addresses.h"
#include "tools/child_process.h"
#include "tools/cluster_orders.h"
#include "tools/progress/long_work.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kPollInterval{20};          // while a process is starting
constexpr milliseconds kIdlePollInterval{1000};    // when all serve; the end of a process is noticed at once
constexpr std::chrono::seconds kStopPatience{60};  // after this, processes are killed

// A process of the cluster, and the ports that it keeps: by property, the field of its ready file that has the address.
struct Member {
  Member(const std::string& name, std::vector<std::string> arguments, const std::string& ready_file,
         std::map<std::string, std::string> its_ports)
      : process(name, std::move(arguments), ready_file), ports(std::move(its_ports)) {}

  ChildProcess process;
  const std::map<std::string, std::string> ports;
  bool was_ready = false;
  bool start_now = false;   // ordered, with --no-restart
  bool stays_down = false;  // until somebody orders its start
  int asker = -1;           // waits to hear that it was started
};

std::string PortOf(const std::string& address) { return address.substr(address.rfind(':') + 1); }

class LocalCluster {
 public:
  LocalCluster(const ClusterArguments& arguments, const Options& options)
      : arguments_(arguments),
        options_(options),
        memory_share_(options.memory_bytes > 0 ? 0 : AllowedMemoryBytes() / arguments.servers),
        ready_(arguments.server) {}

  absl::Status Run(StopSignals* signals);

 private:
  std::string DataPath() const { return fs::absolute(arguments_.server.data_path).lexically_normal().string(); }
  std::string RunFolder() const { return DataPath() + "/run"; }
  std::string PortsFile() const { return RunFolder() + "/ports.json"; }
  void AddMember(const std::string& name, std::vector<std::string> arguments, std::map<std::string, std::string> ports);
  void AddMembers();
  absl::Status Watch(StopSignals* signals);
  absl::Status CheckMember(Member& member);
  void Obey(const std::string& order, int connection);
  absl::StatusOr<Member*> FindMember(const std::string& number);
  absl::StatusOr<std::string> KillMember(const std::string& number);
  absl::Status StartMember(const std::string& number, int connection);
  static void AnswerStart(Member& member, const absl::StatusOr<std::string>& answer) {
    ClusterOrders::Answer(std::exchange(member.asker, -1), answer);
  }
  void KeepPorts(Member& member);
  absl::Status Announce();
  Json Addresses() const;
  void Print() const;
  void StopAll();
  void WaitForEnd(const std::vector<Member*>& members);

  const ClusterArguments& arguments_;
  const Options& options_;
  const int64_t memory_share_;  // bytes for each server; 0: the options say it, or nobody knows
  const ReadyFile ready_;
  Json ports_ = Json::object();                   // by member, by property; kept for the next run
  std::vector<std::unique_ptr<Member>> members_;  // the master first
  bool printed_ = false;
  bool changed_ = true;  // the addresses have changed since they were announced
  std::unique_ptr<ClusterOrders> orders_;
  std::optional<LongWork> starting_;
};

// Port 0 means any port, once: a process that is started again, also in the next run, keeps its port.
void LocalCluster::AddMember(const std::string& name, std::vector<std::string> arguments,
                             std::map<std::string, std::string> ports) {
  const ServerArguments& common = arguments_.server;
  arguments.insert(arguments.end(), {"--data", DataPath(), "--log-level", common.log_level});
  if (!common.config_file.empty()) arguments.insert(arguments.end(), {"--config", common.config_file});
  if (!common.test_control.empty()) arguments.push_back("--test-control=" + common.test_control);
  if (memory_share_ > 0) {
    arguments.insert(arguments.end(), {"-D", "vaquita.memory.bytes=" + std::to_string(memory_share_)});
  }
  for (const std::string& assignment : common.assignments) arguments.insert(arguments.end(), {"-D", assignment});
  auto member =
      std::make_unique<Member>(name, std::move(arguments), RunFolder() + "/" + name + ".json", std::move(ports));
  std::vector<std::string> more;
  for (const auto& [property, port] : ports_[name].items()) {
    more.insert(more.end(), {"-D", property + "=" + port.get<std::string>()});
  }
  member->process.SetMoreArguments(std::move(more));
  members_.push_back(std::move(member));
}

void LocalCluster::AddMembers() {
  if (const absl::StatusOr<std::string> text = ReadFile(PortsFile()); text.ok()) {
    ports_ = ParseJson(*text).value_or(nullptr);
    if (!ports_.is_object()) ports_ = Json::object();
  }
  AddMember("master", {"master"},
            {{"hbase.zookeeper.property.clientPort", "zookeeper"},
             {"hbase.master.port", "master"},
             {"vaquita.master.grpc.port", "grpc_address"},
             {"hbase.master.info.port", "master_info"},
             {"phoenix.queryserver.http.port", "query_server"}});
  for (int64_t i = 0; i < arguments_.servers; ++i) {
    const std::string name = "regionserver-" + std::to_string(i + 1);
    // Ports count up from the first server's; gRPC's leave out the master's, which is the next.
    Json& ports = ports_[name];
    if (options_.region_server_port != 0) {
      ports["hbase.regionserver.port"] = std::to_string(options_.region_server_port + i);
    }
    if (options_.grpc_port != 0) ports["vaquita.grpc.port"] = std::to_string(options_.grpc_port + 2 * i);
    if (options_.region_server_info_port > 0) {
      ports["hbase.regionserver.info.port"] = std::to_string(options_.region_server_info_port + i);
    }
    AddMember(name, {"regionserver"},
              {{"hbase.regionserver.port", "region_server"},
               {"vaquita.grpc.port", "grpc_address"},
               {"hbase.regionserver.info.port", "region_server_info"}});
  }
}

absl::Status LocalCluster::Run(StopSignals* signals) {
  VAQUITA_RETURN_IF_ERROR(ready_.Check());
  std::error_code error;
  fs::create_directories(RunFolder(), error);
  if (error) return absl::InvalidArgumentError("data folder " + DataPath() + ": " + error.message());
  VAQUITA_ASSIGN_OR_RETURN(orders_, ClusterOrders::Listen(DataPath()));
  AddMembers();
  starting_.emplace("starting the cluster");
  const absl::Status status = Watch(signals);
  starting_.reset();
  ready_.Remove();
  const LongWork stopping("stopping the cluster");
  StopAll();
  return status;
}

// Watches the processes until a signal asks to stop.
absl::Status LocalCluster::Watch(StopSignals* signals) {
  for (;;) {
    bool all_ready = true;
    for (const auto& member : members_) {
      VAQUITA_RETURN_IF_ERROR(CheckMember(*member));
      if (!member->stays_down) all_ready = all_ready && member->process.running() && member->process.CheckReady();
      if (!all_ready && !printed_ && member == members_.front()) break;  // the others need the master
    }
    if (all_ready && changed_) VAQUITA_RETURN_IF_ERROR(Announce());
    const int signal = signals->WaitFor(all_ready ? kIdlePollInterval : kPollInterval, orders_->descriptor());
    if (signal == SIGTERM || signal == SIGINT) return absl::OkStatus();
    orders_->Take([this](const std::string& order, int connection) { Obey(order, connection); });
  }
}

// Starts the process if it does not run and is due; remembers its ports once it is ready.
absl::Status LocalCluster::CheckMember(Member& member) {
  if (member.process.running() && !member.process.CollectEnd()) {
    if (member.process.CheckReady() && !std::exchange(member.was_ready, true)) {
      KeepPorts(member);
      AnswerStart(member, member.process.name() + " serves, process " + std::to_string(member.process.pid()));
    }
    return absl::OkStatus();
  }
  if (member.stays_down) return absl::OkStatus();
  changed_ = true;
  if (member.process.started() && !std::exchange(member.was_ready, false) && !printed_) {
    return absl::FailedPreconditionError(member.process.name() + " did not start");
  }
  if (printed_ && arguments_.no_restart && !member.start_now) {
    member.stays_down = true;
    AnswerStart(member, absl::FailedPreconditionError(member.process.name() + " did not start"));
    return absl::OkStatus();
  }
  if (steady_clock::now() < member.process.restart_at()) return absl::OkStatus();
  member.start_now = false;
  return member.process.Start();
}

absl::StatusOr<Member*> LocalCluster::FindMember(const std::string& number) {
  const size_t servers = members_.size() - 1;
  for (size_t i = 0; i <= servers; ++i) {
    if (number == (i == 0 ? "master" : std::to_string(i))) return members_[i].get();
  }
  return absl::InvalidArgumentError("this cluster has no server '" + number + "': its region servers are 1 to " +
                                    std::to_string(servers) + ", and there is master");
}

void LocalCluster::Obey(const std::string& order, int connection) {
  const size_t space = order.find(' ');
  const std::string verb = order.substr(0, space);
  const std::string number = space == std::string::npos ? "" : order.substr(space + 1);
  if (verb == "kill") return ClusterOrders::Answer(connection, KillMember(number));
  const absl::Status started = StartMember(number, connection);
  if (!started.ok()) ClusterOrders::Answer(connection, started);
}

absl::StatusOr<std::string> LocalCluster::KillMember(const std::string& number) {
  VAQUITA_ASSIGN_OR_RETURN(Member * member, FindMember(number));
  if (!member->process.running()) {
    return absl::FailedPreconditionError(member->process.name() + " is down already; `vaquita cluster start " + number +
                                         "` starts it");
  }
  const std::string process = std::to_string(member->process.pid());
  member->process.Kill();
  member->process.WaitForEnd(steady_clock::now() + kStopPatience);
  member->stays_down = true;
  changed_ = true;
  AnswerStart(*member, absl::FailedPreconditionError(member->process.name() + " was killed before it served"));
  std::fprintf(stderr, "vaquita: %s was killed by an order\n", member->process.name().c_str());
  return member->process.name() + ", process " + process + ", is killed; `vaquita cluster start " + number +
         "` starts it again";
}

// The answer follows when it serves.
absl::Status LocalCluster::StartMember(const std::string& number, int connection) {
  VAQUITA_ASSIGN_OR_RETURN(Member * member, FindMember(number));
  if (member->process.running() && !member->process.CollectEnd()) {
    return absl::FailedPreconditionError(member->process.name() + " runs, process " +
                                         std::to_string(member->process.pid()));
  }
  member->stays_down = false;
  member->was_ready = false;
  member->start_now = true;
  AnswerStart(*member, absl::FailedPreconditionError("another order has started it"));
  member->asker = connection;
  return absl::OkStatus();
}

void LocalCluster::KeepPorts(Member& member) {
  Json& ports = ports_[member.process.name()];
  std::vector<std::string> more;
  for (const auto& [property, field] : member.ports) {
    const std::string address = member.process.ready().at(field);
    if (address.empty()) continue;  // the member does not have this port
    const std::string port = PortOf(address);
    ports[property] = port;
    more.insert(more.end(), {"-D", property + "=" + port});
  }
  member.process.SetMoreArguments(std::move(more));
  std::ofstream(PortsFile()) << IndentedJsonText(ports_) << "\n";
}

Json LocalCluster::Addresses() const {
  const Json& master = members_.front()->process.ready();
  Json addresses = {{"zookeeper", master.at("zookeeper")},           {"master", master.at("master")},
                    {"grpc_address", master.at("grpc_address")},     {"master_info", master.at("master_info")},
                    {"query_server", master.at("query_server")},     {"data", DataPath()},
                    {"master_pid", members_.front()->process.pid()}, {"region_servers", Json::array()}};
  if (master.contains("test_control")) addresses["test_control"] = master.at("test_control");
  std::vector<std::string> region_servers;
  for (size_t i = 1; i < members_.size(); ++i) {
    const ChildProcess& server = members_[i]->process;
    if (members_[i]->stays_down) continue;
    region_servers.push_back(server.ready().at("region_server").get<std::string>());
    addresses["region_servers"].push_back({{"server_name", server.ready().at("server_name")},
                                           {"region_server", server.ready().at("region_server")},
                                           {"grpc_address", server.ready().at("grpc_address")},
                                           {"region_server_info", server.ready().at("region_server_info")},
                                           {"pid", server.pid()}});
  }
  addresses["hbase_site"] = ClientSiteFile({.zookeeper = master.at("zookeeper").get<std::string>(),
                                            .master = master.at("master").get<std::string>(),
                                            .region_server = absl::StrJoin(region_servers, ","),
                                            .query_server = master.at("query_server").get<std::string>()});
  return addresses;
}

// Prints all addresses once, and writes the ready file again whenever a process was started again.
absl::Status LocalCluster::Announce() {
  changed_ = false;
  starting_.reset();
  if (!std::exchange(printed_, true) && !arguments_.server.ready_line) Print();
  return ready_.Write(Addresses());
}

void LocalCluster::Print() const {
  const Json addresses = Addresses();
  const std::string grpc = addresses.at("grpc_address");
  std::printf(
      "Vaquita %s: a cluster of %zu region servers is ready.\n"
      "  data           %s\n"
      "  ZooKeeper      %s (hbase.zookeeper.quorum and hbase.zookeeper.property.clientPort)\n"
      "  master         %s (hbase.masters)\n"
      "  gRPC           %s\n"
      "  HTTP           %s (/metrics, /health)\n"
      "  SQL            %s (Phoenix's query server)\n",
      std::string(kVersion).c_str(), members_.size() - 1, DataPath().c_str(),
      addresses.at("zookeeper").get<std::string>().c_str(), addresses.at("master").get<std::string>().c_str(),
      grpc.c_str(), OrNone(addresses.at("master_info")).c_str(), OrNone(addresses.at("query_server")).c_str());
  for (const auto& server : addresses.at("region_servers")) {
    std::printf("  region server  %s, gRPC %s, HTTP %s, process %d\n",
                server.at("server_name").get<std::string>().c_str(),
                server.at("grpc_address").get<std::string>().c_str(), OrNone(server.at("region_server_info")).c_str(),
                static_cast<int>(IntegerOf(server.at("pid"), 1, std::numeric_limits<int>::max())));
  }
  std::printf("  shell          vaquita shell --address %s\nCtrl-C or SIGTERM stops everything.\n", grpc.c_str());
  std::fflush(stdout);
}

// Stops the master first, so that it does not take the stopping servers for dead and move their regions.
void LocalCluster::StopAll() {
  WaitForEnd({members_.front().get()});
  std::vector<Member*> servers;
  for (size_t i = 1; i < members_.size(); ++i) servers.push_back(members_[i].get());
  WaitForEnd(servers);
}

void LocalCluster::WaitForEnd(const std::vector<Member*>& members) {
  for (Member* member : members) member->process.Stop();
  const auto deadline = steady_clock::now() + kStopPatience;
  for (Member* member : members) member->process.WaitForEnd(deadline);
}

absl::Status Serve(const ClusterArguments& arguments) {
  if (arguments.server.data_path.empty()) return absl::InvalidArgumentError("give a data folder: --data DIR");
  VAQUITA_ASSIGN_OR_RETURN(const Options options, ReadOptions(arguments.server));
  VAQUITA_ASSIGN_OR_RETURN(const EndConditions conditions, EndConditionsOf(arguments.server));
  StopSignals signals(conditions, {SIGCHLD});
  return LocalCluster(arguments, options).Run(&signals);
}

int GiveOrder(const ClusterArguments& arguments) {
  const std::string command = "vaquita cluster " + arguments.order;
  if (arguments.server.data_path.empty()) {
    std::fprintf(stderr, "%s: give the data folder of the running cluster: --data DIR\n", command.c_str());
    return kUsageError;
  }
  const auto answer = GiveClusterOrder(arguments.server.data_path, arguments.order + " " + arguments.ordered);
  if (answer.ok()) {
    std::puts(answer->c_str());
    return 0;
  }
  std::fprintf(stderr, "%s: %s\n", command.c_str(), std::string(answer.status().message()).c_str());
  return ExitCodeOf(answer.status());
}

}  // namespace

int RunCluster(const ClusterArguments& arguments) {
  if (!arguments.order.empty()) return GiveOrder(arguments);
  return RunServer(arguments.server.log_level, [&] { return Serve(arguments); });
}

}  // namespace vaquita
