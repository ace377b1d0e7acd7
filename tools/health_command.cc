#include "tools/commands.h"

#include <cstdio>

#include "base/exit_code.h"
#include "tools/connection/tool_tls.h"
#include "tools/http/http_get.h"

namespace vaquita {
namespace {

constexpr std::chrono::seconds kHealthTimeout{10};

}  // namespace

int RunHealth(const std::string& address) {
  const absl::StatusOr<HttpAnswer> answer = HttpGet(address, "/health", kHealthTimeout, ToolTlsOfAll());
  if (!answer.ok()) return EndCommand("vaquita", answer.status());
  std::printf("%s", answer->body.c_str());
  return answer->status == 200 ? 0 : 1;
}

}  // namespace vaquita
