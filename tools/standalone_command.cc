#include "tools/commands.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/host_port.h"
#include "base/json_value.h"
#include "base/status.h"
#include "base/version.h"
#include "server/process/standalone.h"
#include "server/test_control/test_control.h"
#include "tools/connection/tool_tls.h"
#include "tools/console/console_tools.h"
#include "tools/progress/long_work.h"

namespace vaquita {
namespace {

constexpr std::chrono::milliseconds kStandalonePollInterval{100};  // checks whether it has ended by itself

Json Addresses(const Standalone& server, bool controlled) {
  const ServiceAddresses known = server.advertised();
  Json addresses = {{"zookeeper", known.zookeeper},
                    {"master", known.master},
                    {"region_server", known.region_server},
                    {"grpc_address", known.grpc},
                    {"master_info", known.master_info},
                    {"region_server_info", known.region_server_info},
                    {"query_server", known.query_server},
                    {"server_name", server.server_name()},
                    {"data", server.data_path()},
                    {"ports",
                     {{"zookeeper", PortIn(server.zookeeper_address())},
                      {"master", PortIn(server.master_address())},
                      {"region_server", PortIn(server.region_server_address())},
                      {"grpc", PortIn(server.grpc_address())},
                      {"master_info", PortIn(server.master_info_address())},
                      {"region_server_info", PortIn(server.region_server_info_address())},
                      {"query_server", PortIn(server.query_server_address())}}},
                    {"zookeeper_quorum", QuorumOf(known.zookeeper)},
                    {"zookeeper_port", PortIn(known.zookeeper)},
                    {"hbase_site", ClientSiteFile(known)}};
  const std::string& info = known.master_info.empty() ? known.region_server_info : known.master_info;
  if (controlled && !info.empty()) addresses["test_control"] = TestControlUrl(info);
  return addresses;
}

void PrintAddresses(const Standalone& server, bool ephemeral) {
  const ServiceAddresses known = server.advertised();
  std::printf(
      "Vaquita %s is ready.\n"
      "  data           %s%s\n"
      "  ZooKeeper      %s (hbase.zookeeper.quorum and hbase.zookeeper.property.clientPort)\n"
      "  master         %s (hbase.masters)\n"
      "  region server  %s\n"
      "  gRPC           %s\n"
      "  HTTP           %s, %s (/metrics, /health)\n"
      "  SQL            %s (Phoenix's query server)\n"
      "  shell          vaquita shell --address %s\n"
      "  grpcurl        grpcurl -plaintext %s list\n"
      "Ctrl-C or SIGTERM stops it.\n",
      std::string(kVersion).c_str(), server.data_path().c_str(), ephemeral ? " (removed at exit)" : "",
      known.zookeeper.c_str(), known.master.c_str(), known.region_server.c_str(), known.grpc.c_str(),
      OrNone(known.master_info).c_str(), OrNone(known.region_server_info).c_str(), OrNone(known.query_server).c_str(),
      known.grpc.c_str(), known.grpc.c_str());
  std::fflush(stdout);
}

absl::Status Serve(const StandaloneArguments& arguments) {
  const std::string& data_path = arguments.server.data_path;
  if (arguments.ephemeral == !data_path.empty()) {
    return absl::InvalidArgumentError("give either --data DIR or --ephemeral");
  }
  VAQUITA_ASSIGN_OR_RETURN(Options options, ReadOptions(arguments.server));
  if (options.tls) VAQUITA_RETURN_IF_ERROR(UseToolTls(options));
  VAQUITA_ASSIGN_OR_RETURN(const EndConditions conditions, EndConditionsOf(arguments.server));
  StopSignals signals(conditions);
  const ProcessOrders orders = OrdersOfClients(arguments.server, &options, &signals);
  const ReadyFile ready(arguments.server);
  VAQUITA_RETURN_IF_ERROR(ready.Check());
  const std::unique_ptr<TestControl> control = MakeTestControl(arguments.server.test_control, /*in_cluster=*/false);
  auto work = std::make_optional<LongWork>("starting");
  VAQUITA_ASSIGN_OR_RETURN(const auto server, Standalone::Start({.data_path = data_path,
                                                                 .options = &options,
                                                                 .control = control.get(),
                                                                 .console_works = MakeConsoleTools,
                                                                 .orders = &orders}));
  work.reset();
  if (control != nullptr) control->Serve(server.get(), SeederOf(control.get(), server->grpc_address()));
  const std::unique_ptr<Chore> memory = ReturnMemoryFromNowOn();
  if (!arguments.server.ready_line) PrintAddresses(*server, arguments.ephemeral);
  VAQUITA_RETURN_IF_ERROR(ready.Write(Addresses(*server, control != nullptr)));
  absl::Status ended;
  while (!server->ended(&ended) && signals.WaitFor(kStandalonePollInterval) == 0) {
  }
  signals.LetSignalsEndTheProcess();
  ready.Remove();
  work.emplace("stopping");
  server->Stop();
  return ended;
}

}  // namespace

int RunStandalone(const StandaloneArguments& arguments) {
  return RunServer(arguments.server.log_level, [&] { return Serve(arguments); });
}

}  // namespace vaquita
