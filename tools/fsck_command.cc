#include "tools/commands.h"

#include <chrono>
#include <cstdio>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/durable_files.h"
#include "base/host_port.h"
#include "base/log.h"
#include "base/os_user.h"
#include "base/status.h"
#include "base/tls/grpc/grpc_credentials.h"
#include "grpcpp/grpcpp.h"
#include "proto/vaquita/client_identity.h"
#include "proto/vaquita/status_codec.h"
#include "server/fsck/fsck.h"
#include "tools/connection/open_for_tool.h"
#include "tools/connection/tool_tls.h"
#include "tools/progress/long_work.h"
#include "vaquita/v1/admin.methods.h"

namespace vaquita {
namespace {

constexpr int kConsistent = 0;
constexpr int kInconsistent = 1;
constexpr int kNotChecked = 2;
constexpr std::chrono::seconds kPatience{60};

int Summarize(size_t inconsistencies, size_t leftovers) {
  if (leftovers > 0) std::printf("%zu leftovers, which the next start removes.\n", leftovers);
  std::printf("%zu inconsistencies detected.\nStatus: %s\n", inconsistencies,
              inconsistencies == 0 ? "OK" : "INCONSISTENT");
  return inconsistencies == 0 ? kConsistent : kInconsistent;
}

int Summarize(const std::vector<fsck::Finding>& findings) {
  size_t inconsistencies = 0;
  for (const fsck::Finding& finding : findings) inconsistencies += finding.is_inconsistency();
  return Summarize(inconsistencies, findings.size() - inconsistencies);
}

void Print(const std::vector<fsck::Finding>& findings) {
  for (const fsck::Finding& finding : findings) std::printf("%s\n", ToString(finding).c_str());
}

absl::StatusOr<int> CheckStopped(const FsckArguments& arguments) {
  const Options options;
  auto work = std::make_optional<LongWork>((arguments.repair ? "repairing " : "checking ") + arguments.data_path);
  VAQUITA_ASSIGN_OR_RETURN(const auto report, fsck::CheckDataRoot({.path = arguments.data_path,
                                                                   .repair = arguments.repair,
                                                                   .deep = arguments.deep,
                                                                   .accept_data_loss = arguments.accept_data_loss,
                                                                   .options = &options,
                                                                   .clock = Clock::System()}));
  work.reset();
  Print(report.found);
  for (const std::string& line : report.done) std::printf("repaired %s\n", line.c_str());
  if (!report.done.empty())
    std::printf("the log of the repair, and all data that it moved away, are in %s/sideline\n",
                arguments.data_path.c_str());
  if (!report.done.empty() && !report.left.empty()) {
    std::printf("left:\n");
    Print(report.left);
  }
  VAQUITA_RETURN_IF_ERROR(Annotate(report.error, "after the repairs"));
  return Summarize(report.left);
}

absl::StatusOr<int> CheckRunning(const std::string& address) {
  VAQUITA_RETURN_IF_ERROR(Annotate(CheckHostPort(address), "--address"));
  const ClientIdentity identity{.token = ToolToken(), .user = OsUserName()};
  VAQUITA_RETURN_IF_ERROR(Annotate(CheckToken(identity.token), kTokenVariable));
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);  // the findings may be more than gRPC's default allows
  const auto channel = MakeGrpcChannel(address, ToolTlsOfAll(), arguments);
  grpc::ClientContext context;
  AddIdentity(identity, &context);
  context.set_deadline(std::chrono::system_clock::now() + kPatience);
  v1::CheckConsistencyResponse response;
  auto work = std::make_optional<LongWork>("checking the servers of " + address);
  const grpc::Status status =
      CallGrpc(channel.get(), &context, {v1::AdminMethods::CheckConsistency, v1::CheckConsistencyRequest(), &response});
  work.reset();
  VAQUITA_RETURN_IF_ERROR(Annotate(FromGrpcStatus(status), "ask " + address));
  for (const auto& finding : response.findings()) {
    const std::string line =
        fsck::FindingText(finding.kind(), finding.table(), finding.region(), finding.what(), finding.advice());
    std::printf("%s\n", line.c_str());
  }
  return Summarize(static_cast<size_t>(response.findings_size()), 0);
}

absl::StatusOr<int> Check(const FsckArguments& arguments) {
  if (arguments.data_path.empty() == arguments.address.empty()) {
    return absl::InvalidArgumentError("give --data FOLDER of stopped servers, or --address of a running one");
  }
  if (arguments.deep && arguments.data_path.empty()) {
    return absl::InvalidArgumentError("--deep needs --data, because it reads the files of stopped servers");
  }
  if (arguments.accept_data_loss && !arguments.repair) {
    return absl::InvalidArgumentError("--accept-data-loss needs --repair");
  }
  if (arguments.address.empty()) return CheckStopped(arguments);
  if (arguments.repair) {
    return absl::InvalidArgumentError("--repair needs the data of stopped servers: stop them, and give --data");
  }
  return CheckRunning(arguments.address);
}

}  // namespace

int RunFsck(const FsckArguments& arguments) {
  spdlog::set_level(spdlog::level::off);  // findings are clearer
  KeepFilesToUser();
  const absl::StatusOr<int> code = Check(arguments);
  if (code.ok()) return *code;
  std::fprintf(stderr, "fsck: %s\n", std::string(code.status().message()).c_str());
  return kNotChecked;
}

}  // namespace vaquita
