// base/tls/tls_context.h: the TLS of one side of connections: versions, ciphers, own keys, trusted authorities.
//
// With hbase.rpc.tls.certReload it looks at the files of the keys for each new connection, which costs two system
// calls, and reads them again if they have changed. Files that cannot be used then leave the old keys in use, with a
// warning, and are tried again some seconds later: a certificate may not be valid yet, or a file not be whole.
// A server whose certificate is about to expire warns of that once a day, when clients connect.
// Threads: any.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/options.h"
#include "base/tls/tls_keys.h"
#include "base/tls/tls_session.h"

namespace vaquita {

class TlsContext {
 public:
  enum class Side { kServer, kClient };

  // Reads the keys. Returns InvalidArgument as ReadTlsKeys; also if a server has no key, a side that checks the other's
  // certificate trusts none, or a version, a cipher or the mode of clients' certificates is unknown.
  // `try_again`: the time after which changed files that could not be used are read again.
  static absl::StatusOr<std::shared_ptr<TlsContext>> Create(
      const Options& options, Side side, std::chrono::milliseconds try_again = std::chrono::seconds(5));

  // Returns a session over a connected socket that does not block, which it does not own. `host`: a server's name or
  // address, which a client holds its certificate against; empty: nothing.
  std::unique_ptr<TlsSession> NewSession(int socket, const std::string& host);

  // For libraries with a TLS of their own: the keys as they are now. Sets `*version`, which grows with each change.
  TlsKeys keys(int* version);

  const Options& options() const { return options_; }

 private:
  TlsContext(const Options& options, Side side, std::chrono::milliseconds try_again)
      : options_(options), side_(side), try_again_(try_again), files_(options) {}
  absl::Status Load();
  // Makes the keys those that the next connection uses.
  void RenewLocked();
  void ReloadLocked();
  void WarnOfExpiryLocked();

  const Options options_;
  const Side side_;
  const std::chrono::milliseconds try_again_;
  std::mutex mutex_;
  TlsKeyFiles files_;
  bool files_are_used_ = true;
  std::chrono::steady_clock::time_point next_try_;  // if they are not
  TlsKeys keys_;
  absl::Time next_expiry_warning_ = absl::InfinitePast();
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
