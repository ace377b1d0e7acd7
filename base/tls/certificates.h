// base/tls/certificates.h: makes an authority and certificates from it, for tests and for a first use of TLS.
//
// The keys are of the curve P-256. Errors: InvalidArgument if OpenSSL refuses the name or a host. Threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vaquita {

struct CertificateRequest {
  std::string name;                // the subject's common name: 1 to 64 characters
  std::vector<std::string> hosts;  // names and addresses that it is for
  int64_t first_day = 0;           // when it begins to be valid, in days from now
  int64_t last_day = 3650;
};

// A certificate and its key, as PEM.
struct Certified {
  std::string key;
  std::string certificate;
};

// Returns an authority: a certificate that it has signed itself.
absl::StatusOr<Certified> MakeAuthority(const CertificateRequest& request);
// Returns a certificate, for servers and clients, that `authority` has signed.
absl::StatusOr<Certified> MakeCertificate(const CertificateRequest& request, const Certified& authority);

// Returns the names and addresses that the first certificate of the text is for; none if there is no certificate in it.
std::vector<std::string> HostsOf(const std::string& pem);

// Returns a PKCS12 file's bytes. With a key: a key store, whose certificate `authority` has signed; empty `own.key`: a
// trust store with the authority, which Java takes for one, too.
std::string MakePkcs12(const Certified& own, const Certified& authority, const std::string& password);

}  // namespace vaquita
