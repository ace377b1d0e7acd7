// The packaged program's KerberosAcceptor (docs/design/kerberos.md).
#include "base/sasl/kerberos/gssapi_server.h"

namespace vaquita {

absl::StatusOr<std::unique_ptr<KerberosAcceptor>> KerberosAcceptor::Open(const std::string&, uint8_t) {
  return absl::UnimplementedError(
      "hbase.security.authentication is kerberos, and the packaged program has no Kerberos: build Vaquita from its "
      "source, by ./run");
}

}  // namespace vaquita
