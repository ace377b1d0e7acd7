// server/process/process_tls.h: the TLS of a process's ports, and of its connections to the cluster's other processes.
//
// HBase's RPC and the query server read the options themselves. Threads: any.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "base/status.h"
#include "base/tls/tls_context.h"

namespace vaquita {

struct ProcessTls {
  std::shared_ptr<TlsContext> ports;  // null, both: vaquita.tls.enabled is false
  std::shared_ptr<TlsContext> peers;

  // Returns TlsContext::Create's errors.
  static absl::StatusOr<ProcessTls> Create(const Options& options) {
    ProcessTls tls;
    if (!options.tls) return tls;
    VAQUITA_ASSIGN_OR_RETURN(tls.ports, ServerTls(options, /*rpc=*/false));
    VAQUITA_ASSIGN_OR_RETURN(tls.peers, ClientTls(options));
    return tls;
  }
};

}  // namespace vaquita
