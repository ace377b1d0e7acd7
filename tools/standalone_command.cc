#include "tools/standalone_command.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "engine/status.h"
#include "nlohmann/json.hpp"
#include "server/configuration.h"
#include "server/standalone.h"
#include "server/version.h"
#include "spdlog/sinks/stdout_sinks.h"
#include "spdlog/spdlog.h"

namespace vaquita {
namespace {

absl::StatusOr<Options> ReadOptions(const StandaloneArguments& arguments) {
  Options options;
  std::vector<std::string> warnings;
  if (!arguments.config_file.empty()) {
    VAQUITA_RETURN_IF_ERROR(ApplyConfigFile(arguments.config_file, &options, &warnings));
  }
  VAQUITA_RETURN_IF_ERROR(ApplyEnvironment(environ, &options, &warnings));
  VAQUITA_RETURN_IF_ERROR(ApplyAssignments(arguments.assignments, &options, &warnings));
  for (const std::string& warning : warnings) std::fprintf(stderr, "vaquita: warning: %s\n", warning.c_str());
  return options;
}

// Written beside its place and renamed, so that whoever waits for it never reads half of it.
absl::Status WriteReadyFile(const std::string& path, const Standalone& server) {
  const nlohmann::ordered_json ready = {{"pid", getpid()},
                                        {"version", std::string(kVersion)},
                                        {"zookeeper", server.zookeeper_address()},
                                        {"master", server.master_address()},
                                        {"region_server", server.region_server_address()},
                                        {"grpc_address", server.grpc_address()},
                                        {"server_name", server.server_name()},
                                        {"data", server.data_path()}};
  const std::string temporary = path + "." + std::to_string(getpid());
  {
    std::ofstream file(temporary);
    file << ready.dump(2) << "\n";
    if (!file.flush()) return absl::UnavailableError("write " + temporary + ": " + std::strerror(errno));
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) return absl::UnavailableError("rename " + temporary + " to " + path + ": " + error.message());
  return absl::OkStatus();
}

void RemoveReadyFile(const std::string& path) {
  std::error_code ignored;  // it need not be there
  if (!path.empty()) std::filesystem::remove(path, ignored);
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
      "  shell          vaquita shell --address %s\n"
      "  grpcurl        grpcurl -plaintext %s list\n"
      "Ctrl-C or SIGTERM stops it.\n",
      std::string(kVersion).c_str(), server.data_path().c_str(), ephemeral ? " (removed at exit)" : "",
      server.zookeeper_address().c_str(), server.master_address().c_str(), server.region_server_address().c_str(),
      address.c_str(), address.c_str(), address.c_str());
  std::fflush(stdout);
}

// Blocks the signals that stop the server, before the first thread starts, so that they wait for WaitForStop.
sigset_t BlockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signals;
}

void WaitForStop(const sigset_t& signals) {
  int received = 0;
  while (sigwait(&signals, &received) != 0) {
  }
  // A second one ends the process at once, should the stop take long.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

absl::Status Serve(const StandaloneArguments& arguments) {
  if (arguments.ephemeral == !arguments.data_path.empty()) {
    return absl::InvalidArgumentError("give either --data DIR or --ephemeral");
  }
  VAQUITA_ASSIGN_OR_RETURN(const Options options, ReadOptions(arguments));
  const sigset_t signals = BlockStopSignals();
  RemoveReadyFile(arguments.ready_file);  // of a server that was killed
  VAQUITA_ASSIGN_OR_RETURN(const auto server,
                           Standalone::Start({.data_path = arguments.data_path, .options = &options}));
  if (!arguments.ready_file.empty()) VAQUITA_RETURN_IF_ERROR(WriteReadyFile(arguments.ready_file, *server));
  PrintAddresses(*server, arguments.ephemeral);
  WaitForStop(signals);
  RemoveReadyFile(arguments.ready_file);
  server->Stop();
  return absl::OkStatus();
}

}  // namespace

int RunStandalone(const StandaloneArguments& arguments) {
  spdlog::set_default_logger(spdlog::stderr_logger_mt("vaquita"));
  spdlog::set_level(spdlog::level::from_str(arguments.log_level));
  const absl::Status status = Serve(arguments);
  if (status.ok()) return 0;
  std::fprintf(stderr, "vaquita: %s\n", std::string(status.message()).c_str());
  return 1;
}

}  // namespace vaquita
