// tools/connection/tool_tls.h: the TLS of a process's own connections to servers.
//
// A tool has the keys of the file that --tls or the environment names, a server those of its configuration: its console
// is a client, too. Threads: any; the first two functions before others start.
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "base/tls/tls_context.h"

namespace vaquita {

// The environment variable whose value is the default of the tools' --tls.
inline constexpr char kTlsVariable[] = "VAQUITA_TLS";

// Takes the keys from `site_file`, a file in hbase-site.xml's format; empty: no connection has TLS. Returns
// InvalidArgument or NotFound, naming the file, if it cannot be used, or turns TLS on for no protocol.
absl::Status UseToolTls(const std::string& site_file);
// Takes them from the configuration of a server.
absl::Status UseToolTls(const Options& options);

// For ConnectionOptions::tls: null if no connection has TLS.
std::shared_ptr<TlsContext> ToolTls();
// Null if the connections of HTTP and gRPC have none.
TlsContext* ToolTlsOfAll();

}  // namespace vaquita
