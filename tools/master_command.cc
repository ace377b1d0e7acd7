#include "tools/commands.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

#include "base/json_value.h"
#include "base/status.h"
#include "base/version.h"
#include "server/process/master_process.h"
#include "tools/connection/tool_tls.h"
#include "tools/console/console_tools.h"

namespace vaquita {
namespace {

// A waiting master checks the active one at this interval, and an active one whether it has ended by itself.
constexpr std::chrono::milliseconds kMasterPollInterval{100};

Json Addresses(const MasterProcess& master, bool controlled) {
  Json addresses = {{"zookeeper", master.zookeeper_address()},
                    {"master", master.master_address()},
                    {"grpc_address", master.grpc_address()},
                    {"master_info", master.info_address()},
                    {"query_server", master.query_server_address()},
                    {"server_name", master.server_name()},
                    {"data", master.data_path()}};
  if (controlled && !master.info_address().empty()) addresses["test_control"] = TestControlUrl(master.info_address());
  return addresses;
}

void PrintAddresses(const MasterProcess& master) {
  const std::string address = master.grpc_address();
  std::printf(
      "Vaquita %s: this master is active.\n"
      "  data           %s\n"
      "  ZooKeeper      %s (hbase.zookeeper.quorum and hbase.zookeeper.property.clientPort)\n"
      "  master         %s (hbase.masters)\n"
      "  gRPC           %s\n"
      "  HTTP           %s (/metrics, /health)\n"
      "  SQL            %s (Phoenix's query server)\n"
      "  region server  vaquita regionserver --data %s\n"
      "  shell          vaquita shell --address %s\n"
      "Ctrl-C or SIGTERM stops it.\n",
      std::string(kVersion).c_str(), master.data_path().c_str(), master.zookeeper_address().c_str(),
      master.master_address().c_str(), address.c_str(), OrNone(master.info_address()).c_str(),
      OrNone(master.query_server_address()).c_str(), master.data_path().c_str(), address.c_str());
  std::fflush(stdout);
}

// Returns false if it was stopped before.
absl::StatusOr<bool> WaitToLead(MasterProcess* master, StopSignals* signals) {
  for (bool told = false;; told = true) {
    VAQUITA_ASSIGN_OR_RETURN(const bool leads, master->TryToLead());
    if (leads) return true;
    if (!told) {
      std::printf("Another master of %s is active; this one waits.\n", master->data_path().c_str());
      std::fflush(stdout);
    }
    if (signals->WaitFor(kMasterPollInterval) != 0) return false;
  }
}

absl::Status ServeMaster(const ServerArguments& arguments) {
  if (arguments.data_path.empty()) return absl::InvalidArgumentError("give the cluster's data root: --data DIR");
  VAQUITA_ASSIGN_OR_RETURN(Options options, ReadOptions(arguments));
  if (options.tls) VAQUITA_RETURN_IF_ERROR(UseToolTls(options));
  VAQUITA_ASSIGN_OR_RETURN(const EndConditions conditions, EndConditionsOf(arguments));
  StopSignals signals(conditions);
  const ProcessOrders orders = OrdersOfClients(arguments, &options, &signals);
  const ReadyFile ready(arguments);
  VAQUITA_RETURN_IF_ERROR(ready.Check());
  const std::unique_ptr<TestControl> control = MakeTestControl(arguments.test_control, /*in_cluster=*/true);
  VAQUITA_ASSIGN_OR_RETURN(const auto master, MasterProcess::Create({.data_path = arguments.data_path,
                                                                     .options = &options,
                                                                     .control = control.get(),
                                                                     .console_works = MakeConsoleTools,
                                                                     .console_get = GetForConsole,
                                                                     .orders = &orders}));
  VAQUITA_ASSIGN_OR_RETURN(const bool leads, WaitToLead(master.get(), &signals));
  if (!leads) return absl::OkStatus();
  if (control != nullptr) control->Serve(master.get(), SeederOf(control.get(), master->grpc_address()));
  const std::unique_ptr<Chore> memory = ReturnMemoryFromNowOn();
  if (!arguments.ready_line) PrintAddresses(*master);
  VAQUITA_RETURN_IF_ERROR(ready.Write(Addresses(*master, control != nullptr)));
  absl::Status ended;
  while (!master->ended(&ended) && signals.WaitFor(kMasterPollInterval) == 0) {
  }
  signals.LetSignalsEndTheProcess();
  ready.Remove();
  master->Stop();
  return ended;
}

}  // namespace

int RunMaster(const ServerArguments& arguments) {
  return RunServer(arguments.log_level, [&] { return ServeMaster(arguments); });
}

}  // namespace vaquita
