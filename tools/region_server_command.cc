#include "tools/commands.h"

#include <chrono>
#include <cstdio>
#include <string>

#include "base/json_value.h"
#include "base/status.h"
#include "base/version.h"
#include "server/process/region_server_process.h"
#include "tools/connection/tool_tls.h"

namespace vaquita {
namespace {

constexpr std::chrono::milliseconds kStartPollInterval{5};
constexpr std::chrono::milliseconds kRegionServerPollInterval{100};  // checks whether it has ended by itself

Json Addresses(const RegionServerProcess& server) {
  return {{"region_server", server.region_server_address()},
          {"grpc_address", server.grpc_address()},
          {"region_server_info", server.info_address()},
          {"server_name", server.server_name()},
          {"data", server.data_path()}};
}

void PrintAddresses(const RegionServerProcess& server) {
  std::printf(
      "Vaquita %s: this region server is online.\n"
      "  data           %s\n"
      "  name           %s\n"
      "  region server  %s\n"
      "  gRPC           %s\n"
      "  HTTP           %s (/metrics, /health)\n"
      "SIGTERM moves its regions to other servers and stops it, Ctrl-C stops it at once.\n",
      std::string(kVersion).c_str(), server.data_path().c_str(), server.server_name().c_str(),
      server.region_server_address().c_str(), server.grpc_address().c_str(), OrNone(server.info_address()).c_str());
  std::fflush(stdout);
}

// Waits until a signal comes, and returns it; or returns 0 when the server has ended or, if `serves`, when it serves.
int WaitUntil(const RegionServerProcess& server, bool serves, std::chrono::milliseconds look, StopSignals* signals,
              absl::Status* ended) {
  while (!server.ended(ended) && !(serves && server.serving())) {
    if (const int signal = signals->WaitFor(look); signal != 0) return signal;
  }
  return 0;
}

absl::Status ServeRegionServer(const ServerArguments& arguments) {
  if (arguments.data_path.empty()) return absl::InvalidArgumentError("give the cluster's data root: --data DIR");
  VAQUITA_ASSIGN_OR_RETURN(Options options, ReadOptions(arguments));
  if (options.tls) VAQUITA_RETURN_IF_ERROR(UseToolTls(options));
  VAQUITA_ASSIGN_OR_RETURN(const EndConditions conditions, EndConditionsOf(arguments));
  StopSignals signals(conditions);
  const ProcessOrders orders = OrdersOfClients(arguments, &options, &signals);
  const ReadyFile ready(arguments);
  VAQUITA_RETURN_IF_ERROR(ready.Check());
  const std::unique_ptr<TestControl> control = MakeTestControl(arguments.test_control, /*in_cluster=*/true);
  VAQUITA_ASSIGN_OR_RETURN(
      const auto server,
      RegionServerProcess::Start(
          {.data_path = arguments.data_path, .options = &options, .control = control.get(), .orders = &orders}));
  absl::Status ended;
  int signal = WaitUntil(*server, /*serves=*/true, kStartPollInterval, &signals, &ended);
  if (signal == 0 && ended.ok()) {
    if (control != nullptr) {
      control->Serve(server.get(),
                     [](const v1::SeedRequest&) { return absl::UnimplementedError("seeds go to the master"); });
    }
    const std::unique_ptr<Chore> memory = ReturnMemoryFromNowOn();
    if (!arguments.ready_line) PrintAddresses(*server);
    VAQUITA_RETURN_IF_ERROR(ready.Write(Addresses(*server)));
    signal = WaitUntil(*server, /*serves=*/false, kRegionServerPollInterval, &signals, &ended);
    ready.Remove();
  }
  signals.LetSignalsEndTheProcess();
  if (signal == SIGTERM) server->Stop();
  server->StopNow();
  return ended;
}

}  // namespace

int RunRegionServer(const ServerArguments& arguments) {
  return RunServer(arguments.log_level, [&] { return ServeRegionServer(arguments); });
}

}  // namespace vaquita
