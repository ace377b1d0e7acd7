#include "tools/connection/tool_tls.h"

#include "base/status.h"

namespace vaquita {
namespace {

std::shared_ptr<TlsContext>& ToolContext() {
  static auto* const kContext = new std::shared_ptr<TlsContext>();
  return *kContext;
}

}  // namespace

absl::Status UseToolTls(const std::string& site_file) {
  if (site_file.empty()) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(const Options options, ReadClientOptions(site_file));
  if (!options.tls && !options.tls_client) {
    return absl::InvalidArgumentError(site_file +
                                      " turns TLS on for no protocol: set vaquita.tls.enabled to true, or "
                                      "hbase.client.netty.tls.enabled for HBase's RPC alone");
  }
  return Annotate(UseToolTls(options), site_file);
}

absl::Status UseToolTls(const Options& options) {
  if (!options.tls && !options.tls_client) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(ToolContext(), ClientTls(options));
  return absl::OkStatus();
}

std::shared_ptr<TlsContext> ToolTls() { return ToolContext(); }

TlsContext* ToolTlsOfAll() {
  TlsContext* const context = ToolContext().get();
  return context != nullptr && context->options().tls ? context : nullptr;
}

}  // namespace vaquita
