#include "tools/bench/server_figures.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/host_name.h"
#include "base/json_value.h"
#include "base/status.h"
#include "base/whole_number.h"
#include "tools/connection/tool_tls.h"
#include "tools/http/http_get.h"

namespace vaquita::bench {
namespace {

constexpr std::chrono::seconds kPatience{5};
constexpr double kMegabyte = 1 << 20;

// Returns the bean of this name; the server's answer has only that, because some of the others are not JSON.
absl::StatusOr<Json> ReadBean(const std::string& address, const std::string& name) {
  VAQUITA_ASSIGN_OR_RETURN(const HttpAnswer answer, HttpGet(address, "/jmx?qry=" + name, kPatience, ToolTlsOfAll()));
  const absl::StatusOr<Json> json = ParseJson(answer.body);
  if (answer.status != 200 || !json.ok() || !json->is_object() || !json->contains("beans")) {
    return absl::UnavailableError(absl::StrCat(address, "/jmx answers with ", answer.status, ", not with beans"));
  }
  for (const Json& bean : json->at("beans")) {
    if (TextIn(bean, "name") == name) return bean;
  }
  return absl::UnavailableError(absl::StrCat(address, "/jmx has no bean ", name));
}

// Returns the resident memory of the process that Java calls "pid@host", or 0 if that is on another machine.
int64_t ResidentBytes(const std::string& pid_at_host) {
  const size_t at = pid_at_host.find('@');
  int64_t pid = 0;
  if (at == std::string::npos || pid_at_host.substr(at + 1) != MachineName() ||
      !ReadWholeNumber(pid_at_host.substr(0, at), &pid)) {
    return 0;
  }
  std::ifstream file(absl::StrCat("/proc/", pid, "/statm"));
  int64_t total = 0;
  int64_t resident = 0;
  return file >> total >> resident ? resident * sysconf(_SC_PAGESIZE) : 0;
}

absl::Status AddServer(const std::string& address, const std::vector<std::string>& server_names,
                       ServerRecord* figures) {
  const std::string region_server = "Hadoop:service=HBase,name=RegionServer,sub=";
  VAQUITA_ASSIGN_OR_RETURN(const Json server, ReadBean(address, region_server + "Server"));
  const std::string name = TextIn(server, "tag.serverName");
  if (std::find(server_names.begin(), server_names.end(), name) == server_names.end()) {
    return absl::UnavailableError(absl::StrCat(address, " is the HTTP of ", name, ", and the cluster's servers are ",
                                               absl::StrJoin(server_names, "; ")));
  }
  VAQUITA_ASSIGN_OR_RETURN(const Json log, ReadBean(address, region_server + "WAL"));
  VAQUITA_ASSIGN_OR_RETURN(const Json machine, ReadBean(address, "java.lang:type=OperatingSystem"));
  VAQUITA_ASSIGN_OR_RETURN(const Json runtime, ReadBean(address, "java.lang:type=Runtime"));
  VAQUITA_ASSIGN_OR_RETURN(const Json java, ReadBean(address, "Hadoop:service=HBase,name=JvmMetrics"));
  figures->cpu_s += NumberIn(machine, "ProcessCpuTime") / 1e9;
  figures->log_bytes += IntegerIn(log, "writtenBytes");
  figures->flushed_bytes += IntegerIn(server, "flushedOutputBytes");
  figures->compacted_bytes += IntegerIn(server, "compactedOutputBytes");
  if (const int64_t resident = ResidentBytes(TextIn(runtime, "Name")); resident > 0) {
    figures->memory_bytes += resident;
  } else {
    figures->memory_is_resident = false;
    figures->memory_bytes += static_cast<int64_t>(std::clamp(NumberIn(java, "MemHeapUsedM"), 0.0, 1e9) * kMegabyte);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ServerRecord> ReadServerFigures(const std::vector<std::string>& addresses,
                                               const std::vector<std::string>& server_names) {
  ServerRecord figures;
  for (const std::string& address : addresses) {
    VAQUITA_RETURN_IF_ERROR(AddServer(address, server_names, &figures));
  }
  return figures;
}

}  // namespace vaquita::bench
