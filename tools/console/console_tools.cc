#include "tools/console/console_tools.h"

#include <chrono>
#include <memory>
#include <utility>

#include "base/status.h"
#include "tools/connection/tool_tls.h"
#include "tools/console/cluster_link.h"
#include "tools/console/laboratory.h"
#include "tools/console/laboratory_runs.h"
#include "tools/console/request_json.h"
#include "tools/console/shell_sessions.h"
#include "tools/console/table_command.h"
#include "tools/console/workshop_check.h"
#include "tools/http/http_get.h"

namespace vaquita {

ConsoleWorks MakeConsoleTools(const ConsoleHost& host) {
  const auto link = std::make_shared<ClusterLink>(host.grpc_address, host.token);
  const auto shells = std::make_shared<ShellSessions>(link, host.may_write);
  const auto runs = std::make_shared<LaboratoryRuns>(link);
  return {{"command", /*writes=*/true, [link](std::string_view body) { return RunCommand(link.get(), body); }},
          {"shell", /*writes=*/false, [shells](std::string_view body) { return shells->Run(body); }},
          {"complete", /*writes=*/false, [shells](std::string_view body) { return shells->Complete(body); }},
          {"examples", /*writes=*/false, ExamplesForPage},
          {"simulate", /*writes=*/false, SimulateForPage},
          {"check", /*writes=*/false, [link](std::string_view body) { return CheckAnswerForPage(link.get(), body); }},
          {"run", /*writes=*/true, [runs](std::string_view body) { return runs->Start(body); }},
          {"run-stop", /*writes=*/true, [runs](std::string_view) { return runs->Stop(); }},
          {"run-status", /*writes=*/false, [runs](std::string_view) { return runs->Status(); }}};
}

absl::StatusOr<std::string> GetForConsole(const std::string& address, const std::string& path) {
  constexpr std::chrono::seconds kMost{2};
  constexpr size_t kMostBytes = 32 << 20;  // a heat map of 1,440 columns of 1,024 rows has fewer
  VAQUITA_ASSIGN_OR_RETURN(HttpAnswer answer, HttpGet(address, path, kMost, ToolTlsOfAll(), kMostBytes));
  if (answer.status == 200) return std::move(answer.body);
  const absl::StatusOr<Json> error = ParseJson(answer.body);
  const std::string text = error.ok() ? TextIn(*error, "error", answer.body) : answer.body;
  if (answer.status == 404) return absl::NotFoundError(text);
  if (answer.status == 400) return absl::InvalidArgumentError(text);
  return absl::UnavailableError("the console at " + address + ": " + text);
}

}  // namespace vaquita
