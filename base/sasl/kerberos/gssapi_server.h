// base/sasl/kerberos/gssapi_server.h: SASL's mechanism GSSAPI, by which clients prove who they are with a Kerberos
// ticket.
//
// Heimdal's library does Kerberos. A server has the keys of its principals in a file (keytab), and needs neither the
// key distribution centre nor /etc/krb5.conf. Threads: any. Source: RFC 4752, RFC 4121; GssKrb5Server of the JDK.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/sasl/sasl_server.h"

namespace vaquita {

class KerberosAcceptor {
 public:
  virtual ~KerberosAcceptor() = default;
  // Reads the keys of all principals in the file `keytab`. InvalidArgument, naming the file, if there are none.
  // `protections`: those that a client may choose from. Clients must have a ticket for one of the principals.
  static absl::StatusOr<std::unique_ptr<KerberosAcceptor>> Open(const std::string& keytab, uint8_t protections);
  // Returns the server's side of one exchange, whose user is a principal, as ada@EXAMPLE.COM. This outlives it.
  virtual std::unique_ptr<SaslServer> NewServer() const = 0;
};

}  // namespace vaquita
