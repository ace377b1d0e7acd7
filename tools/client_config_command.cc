#include "tools/client_config_command.h"

#include <cstdio>

#include "absl/status/statusor.h"
#include "base/durable_files.h"
#include "base/exit_code.h"
#include "base/json_value.h"

namespace vaquita {
namespace {

absl::StatusOr<std::string> SiteOf(const std::string& ready_file) {
  const absl::StatusOr<std::string> text = ReadFile(ready_file);
  if (!text.ok()) return absl::InvalidArgumentError(text.status().message());
  const absl::StatusOr<Json> ready = ParseJson(*text);
  if (ready.ok() && ready->is_object() && ready->contains("hbase_site")) {
    return ready->at("hbase_site").get<std::string>();
  }
  return absl::InvalidArgumentError(ready_file + " is not a ready file of vaquita standalone or vaquita cluster");
}

}  // namespace

int PrintClientConfig(const std::string& ready_file) {
  const absl::StatusOr<std::string> site = SiteOf(ready_file);
  if (site.ok()) std::fputs(site->c_str(), stdout);
  return EndCommand("vaquita client-config", site.status());
}

}  // namespace vaquita
