#include "tools/standalone_command.h"

#include <chrono>
#include <cstdio>
#include <string>

#include "base/status.h"
#include "base/version.h"
#include "nlohmann/json.hpp"
#include "server/process/standalone.h"

namespace vaquita {
namespace {

constexpr std::chrono::milliseconds kStandaloneLook{100};  // whether it ended by itself

nlohmann::ordered_json Addresses(const Standalone& server) {
  return {{"zookeeper", server.zookeeper_address()},
          {"master", server.master_address()},
          {"region_server", server.region_server_address()},
          {"grpc_address", server.grpc_address()},
          {"master_info", server.master_info_address()},
          {"region_server_info", server.region_server_info_address()},
          {"server_name", server.server_name()},
          {"data", server.data_path()}};
}

void PrintAddresses(const Standalone& server, bool ephemeral) {
  const std::string address = server.grpc_address();
  std::printf(
      "Vaquita %s is ready.\n"
      "  data           %s%s\n"
      "  ZooKeeper      %s (hbase.zookeeper.quorum and hbase.zookeeper.property.clientPort)\n"
      "  master         %s (hbase.masters)\n"
      "  region server  %s\n"
      "  gRPC           %s\n"
      "  HTTP           %s, %s (/metrics, /health)\n"
      "  shell          vaquita shell --address %s\n"
      "  grpcurl        grpcurl -plaintext %s list\n"
      "Ctrl-C or SIGTERM stops it.\n",
      std::string(kVersion).c_str(), server.data_path().c_str(), ephemeral ? " (removed at exit)" : "",
      server.zookeeper_address().c_str(), server.master_address().c_str(), server.region_server_address().c_str(),
      address.c_str(), OrNone(server.master_info_address()).c_str(),
      OrNone(server.region_server_info_address()).c_str(), address.c_str(), address.c_str());
  std::fflush(stdout);
}

absl::Status Serve(const StandaloneArguments& arguments) {
  const std::string& data_path = arguments.server.data_path;
  if (arguments.ephemeral == !data_path.empty()) {
    return absl::InvalidArgumentError("give either --data DIR or --ephemeral");
  }
  VAQUITA_ASSIGN_OR_RETURN(const Options options, ReadOptions(arguments.server));
  StopSignals signals;
  const ReadyFile ready(arguments.server.ready_file);
  VAQUITA_ASSIGN_OR_RETURN(const auto server, Standalone::Start({.data_path = data_path, .options = &options}));
  PrintAddresses(*server, arguments.ephemeral);
  VAQUITA_RETURN_IF_ERROR(ready.Write(Addresses(*server)));
  absl::Status ended;
  while (!server->ended(&ended) && signals.WaitFor(kStandaloneLook) == 0) {
  }
  ready.Remove();
  server->Stop();
  return ended;
}

}  // namespace

int RunStandalone(const StandaloneArguments& arguments) {
  return RunServer(arguments.server.log_level, [&] { return Serve(arguments); });
}

}  // namespace vaquita
