// base/tls/openssl.h: owners of OpenSSL's objects, and its errors as text.
#pragma once

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

namespace vaquita::openssl {

template <auto kFree>
struct Free {
  template <typename Object>
  void operator()(Object* object) const {
    kFree(object);
  }
};

inline void FreeCertificates(STACK_OF(X509) * certificates) { sk_X509_pop_free(certificates, X509_free); }

using Bio = std::unique_ptr<BIO, Free<BIO_free_all>>;
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using Certificates = std::unique_ptr<STACK_OF(X509), Free<FreeCertificates>>;
using Pkcs12 = std::unique_ptr<PKCS12, Free<PKCS12_free>>;

inline Bio ReadBio(const std::string& text) { return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))); }
// Returns what was written to a memory BIO.
inline std::string TextOf(const Bio& bio) {
  char* data = nullptr;
  const auto size = static_cast<size_t>(BIO_get_mem_data(bio.get(), &data));
  return {data, size};
}

// Returns the thread's first error, and forgets all of them.
inline std::string TakeError() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* const reason = ERR_reason_error_string(code);
  return reason != nullptr ? reason : "unknown error of OpenSSL";
}

}  // namespace vaquita::openssl
