#include "tools/commands.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "base/durable_files.h"
#include "base/exit_code.h"
#include "base/host_port.h"
#include "base/json_value.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/version.h"
#include "server/data_root/data_format.h"
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

struct Port {
  std::string property;
  std::string field;   // in the ready file; it has the address
  int64_t number = 0;  // 0: any; -1: none
};

// A process of the cluster.
struct Member {
  Member(const std::string& name, std::vector<std::string> arguments, const std::string& ready_file,
         std::vector<Port> its_ports)
      : process(name, std::move(arguments), ready_file), ports(std::move(its_ports)) {}

  ChildProcess process;
  const std::vector<Port> ports;
  bool was_ready = false;
  bool start_now = false;   // ordered, with --no-restart
  bool stays_down = false;  // until somebody orders its start
  int asker = -1;           // waits to hear that it was started
};

// Returns the ports that the file of an earlier run has, each a text, by member and property. One that somebody spoilt
// has none: then each process gets another port.
Json KeptPorts(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path);
  Json kept = text.ok() ? ParseJson(*text).value_or(Json::object()) : Json::object();
  const auto is_text = [](const Json& port) { return port.is_string(); };
  const auto is_member = [&](const Json& ports) { return ports.is_object() && std::ranges::all_of(ports, is_text); };
  return kept.is_object() && std::ranges::all_of(kept, is_member) ? kept : Json::object();
}

class LocalCluster {
 public:
  LocalCluster(const ClusterArguments& arguments, const Options& options)
      : arguments_(arguments),
        options_(options),
        memory_share_(options.memory_bytes > 0 ? 0 : AllowedMemoryBytes() / arguments.servers),
        ready_(arguments.server) {}

  absl::Status Run(StopSignals* signals);

 private:
  std::string DataPath() const { return AbsolutePath(arguments_.server.data_path); }
  std::string RunFolder() const { return DataPath() + "/run"; }
  std::string PortsFile() const { return RunFolder() + "/ports.json"; }
  void AddMember(const std::string& name, std::vector<std::string> arguments, std::vector<Port> ports);
  void SetPorts(Member* member);
  void AddMembers();
  absl::Status Watch(StopSignals* signals);
  absl::Status CheckMember(Member& member);
  absl::Status SayAndGoOn(const absl::Status& status);
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
  Json ports_ = Json::object();                   // by member, by property: those that were any
  std::vector<std::unique_ptr<Member>> members_;  // the master first
  bool printed_ = false;
  bool changed_ = true;  // the addresses have changed since they were announced
  absl::Status said_;    // the last error that was printed
  std::unique_ptr<ClusterOrders> orders_;
  std::optional<LongWork> starting_;
};

void LocalCluster::AddMember(const std::string& name, std::vector<std::string> arguments, std::vector<Port> ports) {
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
  SetPorts(member.get());
  members_.push_back(std::move(member));
}

// Port 0 means any port, once: a process that is started again, also in the next run, keeps its port.
void LocalCluster::SetPorts(Member* member) {
  const Json& kept = ports_[member->process.name()];
  std::vector<std::string> more;
  for (const Port& port : member->ports) {
    std::string number = std::to_string(port.number);
    if (port.number == 0 && kept.contains(port.property)) number = kept.at(port.property).get<std::string>();
    more.insert(more.end(), {"-D", port.property + "=" + number});
  }
  member->process.SetMoreArguments(std::move(more));
}

void LocalCluster::AddMembers() {
  ports_ = KeptPorts(PortsFile());
  AddMember("master", {"master"},
            {{"hbase.zookeeper.property.clientPort", "zookeeper", options_.zookeeper_port},
             {"hbase.master.port", "master", options_.master_port},
             {"vaquita.master.grpc.port", "grpc_address", options_.master_grpc_port},
             {"hbase.master.info.port", "master_info", options_.master_info_port},
             {"phoenix.queryserver.http.port", "query_server", options_.query_server_port}});
  // Ports count up from the first server's; gRPC's leave out the master's, which is the next.
  const auto nth = [](int64_t first, int64_t distance) { return first > 0 ? first + distance : first; };
  for (int64_t i = 0; i < arguments_.servers; ++i) {
    AddMember("regionserver-" + std::to_string(i + 1), {"regionserver"},
              {{"hbase.regionserver.port", "region_server", nth(options_.region_server_port, i)},
               {"vaquita.grpc.port", "grpc_address", nth(options_.grpc_port, 2 * i)},
               {"hbase.regionserver.info.port", "region_server_info", nth(options_.region_server_info_port, i)}});
  }
}

absl::Status LocalCluster::Run(StopSignals* signals) {
  VAQUITA_RETURN_IF_ERROR(ready_.Check());
  VAQUITA_RETURN_IF_ERROR(CheckNotForeign(DataPath()));
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
      VAQUITA_RETURN_IF_ERROR(SayAndGoOn(CheckMember(*member)));
      if (!member->stays_down) all_ready = all_ready && member->process.running() && member->process.CheckReady();
      if (!all_ready && !printed_ && member == members_.front()) break;  // the others need the master
    }
    if (all_ready && changed_) VAQUITA_RETURN_IF_ERROR(SayAndGoOn(Announce()));
    const int signal = signals->WaitFor(all_ready ? kIdlePollInterval : kPollInterval, orders_->descriptor());
    if (signal == SIGTERM || signal == SIGINT) return absl::OkStatus();
    orders_->Take([this](const std::string& order, int connection) { Obey(order, connection); });
  }
}

// Prints an error of a cluster that serves, once; what failed is tried again. Returns one of its start.
absl::Status LocalCluster::SayAndGoOn(const absl::Status& status) {
  if (!printed_ || status.ok()) return status;
  if (status != said_) std::fprintf(stderr, "vaquita: %s\n", std::string(status.message()).c_str());
  said_ = status;
  return absl::OkStatus();
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
  Json& kept = ports_[member.process.name()] = Json::object();
  for (const Port& port : member.ports) {
    const std::string address = member.process.ready().at(port.field);
    if (port.number == 0 && !address.empty()) kept[port.property] = std::to_string(PortIn(address));
  }
  SetPorts(&member);
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
    if (members_[i]->stays_down || server.ready().is_null()) continue;
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
  starting_.reset();
  if (!std::exchange(printed_, true) && !arguments_.server.ready_line) Print();
  VAQUITA_RETURN_IF_ERROR(ready_.Write(Addresses()));
  changed_ = false;
  return absl::OkStatus();
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
  if (answer.ok()) std::puts(answer->c_str());
  return EndCommand(command, answer.status());
}

}  // namespace

int RunCluster(const ClusterArguments& arguments) {
  if (!arguments.order.empty()) return GiveOrder(arguments);
  return RunServer(arguments.server.log_level, [&] { return Serve(arguments); });
}

}  // namespace vaquita
