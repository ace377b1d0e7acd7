#include <chrono>
#include <cstdio>
#include <string>

#include "base/json_value.h"
#include "base/status.h"
#include "base/version.h"
#include "client/connection.h"
#include "server/frontend/avatica/query_server.h"
#include "tools/commands.h"
#include "tools/connection/open_for_tool.h"

namespace vaquita {
namespace {

constexpr std::chrono::milliseconds kQueryServerPollInterval{1000};

absl::Status ServeQueries(const QueryServerArguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(Annotate(client::CheckAddress(arguments.address), "--address"));
  VAQUITA_ASSIGN_OR_RETURN(const Options options, ReadOptions(arguments.server));
  VAQUITA_ASSIGN_OR_RETURN(const EndConditions conditions, EndConditionsOf(arguments.server));
  StopSignals signals(conditions);
  const ReadyFile ready(arguments.server);
  VAQUITA_RETURN_IF_ERROR(ready.Check());
  if (options.query_server_port < 0) {
    return absl::InvalidArgumentError("phoenix.queryserver.http.port: is -1, but a query server needs a port");
  }
  VAQUITA_ASSIGN_OR_RETURN(
      const auto server,
      QueryServer::Listen(
          {.options = &options, .clock = Clock::System(), .cluster = arguments.address, .token = ToolToken()}));
  if (!arguments.server.ready_line) {
    std::printf("Vaquita %s: a query server for %s is ready.\n  SQL  %s\nCtrl-C or SIGTERM stops it.\n",
                std::string(kVersion).c_str(), arguments.address.c_str(), server->address().c_str());
    std::fflush(stdout);
  }
  VAQUITA_RETURN_IF_ERROR(ready.Write({{"query_server", server->address()}}));
  while (signals.WaitFor(kQueryServerPollInterval) == 0) {
  }
  ready.Remove();
  server->Stop();
  return absl::OkStatus();
}

}  // namespace

int RunQueryServer(const QueryServerArguments& arguments) {
  return RunServer(arguments.server.log_level, [&] { return ServeQueries(arguments); });
}

}  // namespace vaquita
