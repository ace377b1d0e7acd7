// base/tls/tls_context.h: the TLS of one side of connections: versions, ciphers, own keys, trusted authorities.
//
// With hbase.rpc.tls.certReload it looks at the files of the keys for each new connection, which costs two system
// calls, and reads them again if they have changed. Files that cannot be used then leave the old keys in use, with a
// warning. Threads: any.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/options.h"
#include "base/tls/tls_keys.h"
#include "base/tls/tls_session.h"

namespace vaquita {

class TlsContext {
 public:
  enum class Side { kServer, kClient };

  // Reads the keys. Returns InvalidArgument as ReadTlsKeys; also if a server has no key, a side that checks the other's
  // certificate trusts none, or a version, a cipher or the mode of clients' certificates is unknown.
  static absl::StatusOr<std::shared_ptr<TlsContext>> Create(const Options& options, Side side);

  // Returns a session over a connected socket that does not block, which it does not own. `host`: a server's name or
  // address, which a client holds its certificate against; empty: nothing.
  std::unique_ptr<TlsSession> NewSession(int socket, const std::string& host);

  // For libraries with a TLS of their own: the keys as they are now. Sets `*version`, which grows with each change.
  TlsKeys keys(int* version);

  const Options& options() const { return options_; }

 private:
  TlsContext(const Options& options, Side side) : options_(options), side_(side), files_(options) {}
  absl::Status Load();
  void ReloadLocked();

  const Options options_;
  const Side side_;
  std::mutex mutex_;
  TlsKeyFiles files_;
  TlsKeys keys_;
  int version_ = 0;
  std::shared_ptr<ssl_ctx_st> context_;
};

// Returns the context of a client, as `options` have it: also of a server that connects to others.
inline absl::StatusOr<std::shared_ptr<TlsContext>> ClientTls(const Options& options) {
  return TlsContext::Create(options, TlsContext::Side::kClient);
}
// Returns the context of a server's port, or null if the port has no TLS. `rpc`: it is one of HBase's RPC.
absl::StatusOr<std::shared_ptr<TlsContext>> ServerTls(const Options& options, bool rpc);

}  // namespace vaquita
