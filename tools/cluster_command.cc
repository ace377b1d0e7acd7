#include "tools/commands.h"

#include <signal.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include "base/memory.h"
#include "base/status.h"
#include "base/version.h"
#include "nlohmann/json.hpp"
#include "tools/child_process.h"

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
  void KeepPorts(Member& member);
  absl::Status Announce();
  nlohmann::ordered_json Addresses() const;
  void Print() const;
  void StopAll();
  void WaitForEnd(const std::vector<Member*>& members);

  const ClusterArguments& arguments_;
  const Options& options_;
  const int64_t memory_share_;  // bytes for each server; 0: the options say it, or nobody knows
  const ReadyFile ready_;
  nlohmann::json ports_ = nlohmann::json::object();  // by member, by property; kept for the next run
  std::vector<std::unique_ptr<Member>> members_;     // the master first
  bool printed_ = false;
  bool changed_ = true;  // the addresses have changed since they were announced
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
  if (std::ifstream file(PortsFile()); file.is_open()) {
    ports_ = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
    if (!ports_.is_object()) ports_ = nlohmann::json::object();
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
    nlohmann::json& ports = ports_[name];
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
  AddMembers();
  const absl::Status status = Watch(signals);
  ready_.Remove();
  StopAll();
  return status;
}

// Watches the processes until a signal asks to stop.
absl::Status LocalCluster::Watch(StopSignals* signals) {
  for (;;) {
    bool all_ready = true;
    for (const auto& member : members_) {
      VAQUITA_RETURN_IF_ERROR(CheckMember(*member));
      all_ready = all_ready && member->process.running() && member->process.CheckReady();
      if (!all_ready && !printed_ && member == members_.front()) break;  // the others need the master
    }
    if (all_ready && changed_) VAQUITA_RETURN_IF_ERROR(Announce());
    const int signal = signals->WaitFor(all_ready ? kIdlePollInterval : kPollInterval);
    if (signal == SIGTERM || signal == SIGINT) return absl::OkStatus();
  }
}

// Starts the process if it does not run and is due; remembers its ports once it is ready.
absl::Status LocalCluster::CheckMember(Member& member) {
  if (member.process.running() && !member.process.CollectEnd()) {
    if (member.process.CheckReady() && !std::exchange(member.was_ready, true)) KeepPorts(member);
    return absl::OkStatus();
  }
  changed_ = true;
  if (member.process.started() && !std::exchange(member.was_ready, false) && !printed_) {
    return absl::FailedPreconditionError(member.process.name() + " did not start");
  }
  return steady_clock::now() < member.process.restart_at() ? absl::OkStatus() : member.process.Start();
}

void LocalCluster::KeepPorts(Member& member) {
  nlohmann::json& ports = ports_[member.process.name()];
  std::vector<std::string> more;
  for (const auto& [property, field] : member.ports) {
    const std::string address = member.process.ready().at(field);
    if (address.empty()) continue;  // the member does not have this port
    const std::string port = PortOf(address);
    ports[property] = port;
    more.insert(more.end(), {"-D", property + "=" + port});
  }
  member.process.SetMoreArguments(std::move(more));
  std::ofstream(PortsFile()) << ports_.dump(2) << "\n";
}

nlohmann::ordered_json LocalCluster::Addresses() const {
  const nlohmann::json& master = members_.front()->process.ready();
  nlohmann::ordered_json addresses = {
      {"zookeeper", master.at("zookeeper")},           {"master", master.at("master")},
      {"grpc_address", master.at("grpc_address")},     {"master_info", master.at("master_info")},
      {"query_server", master.at("query_server")},     {"data", DataPath()},
      {"master_pid", members_.front()->process.pid()}, {"region_servers", nlohmann::ordered_json::array()}};
  if (master.contains("test_control")) addresses["test_control"] = master.at("test_control");
  for (size_t i = 1; i < members_.size(); ++i) {
    const ChildProcess& server = members_[i]->process;
    addresses["region_servers"].push_back({{"server_name", server.ready().at("server_name")},
                                           {"region_server", server.ready().at("region_server")},
                                           {"grpc_address", server.ready().at("grpc_address")},
                                           {"region_server_info", server.ready().at("region_server_info")},
                                           {"pid", server.pid()}});
  }
  return addresses;
}

// Prints all addresses once, and writes the ready file again whenever a process was started again.
absl::Status LocalCluster::Announce() {
  changed_ = false;
  if (!std::exchange(printed_, true) && !arguments_.server.ready_line) Print();
  return ready_.Write(Addresses());
}

void LocalCluster::Print() const {
  const nlohmann::ordered_json addresses = Addresses();
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
                server.at("pid").get<int>());
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

}  // namespace

int RunCluster(const ClusterArguments& arguments) {
  return RunServer(arguments.server.log_level, [&] { return Serve(arguments); });
}

}  // namespace vaquita
