// base/tls/tls_keys.h: a process's private key, its certificates, and those that it trusts, from HBase's stores.
//
// A store is a PEM or PKCS12 file: hbase.rpc.tls.keystore.* and hbase.rpc.tls.truststore.*. Java's own format, JKS, is
// refused with a message that says how to convert it. Threads: any for one object at a time.
// Source: X509Util, KeyStoreFileType, PEMFileLoader (HBase 2.6).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/file_mark.h"
#include "base/options.h"

namespace vaquita {

// Text in PEM's form; empty: there is no such store.
struct TlsKeys {
  std::string key;
  std::string chain;  // the key's certificate, then those between it and an authority
  std::string trust;
  absl::Time expires = absl::InfiniteFuture();  // the key's certificate is not valid after it
};

// Reads both stores. Returns InvalidArgument, naming the property, the file and what would be right, if a file is
// missing or malformed, its password is wrong, the key is not the certificate's, or the certificate is not valid now.
absl::StatusOr<TlsKeys> ReadTlsKeys(const Options& options);

// Returns a warning if the certificate of the keys expires within a week after `now`, or has expired; else "".
std::string ExpiryWarning(const TlsKeys& keys, absl::Time now);

// Reads the options of a client from a file in hbase-site.xml's format, hbase.client.netty.tls.enabled among them.
absl::StatusOr<Options> ReadClientOptions(const std::string& site_file);

// Notices that the stores' files have changed.
class TlsKeyFiles {
 public:
  explicit TlsKeyFiles(const Options& options);
  // Returns whether a file is another than at the last call, or, at the first, than at the beginning.
  bool HaveChanged();

 private:
  std::array<FileMark, 2> Marks() const { return {MarkOf(key_store_), MarkOf(trust_store_)}; }

  const std::string key_store_;
  const std::string trust_store_;
  std::array<FileMark, 2> marks_;
};

}  // namespace vaquita
