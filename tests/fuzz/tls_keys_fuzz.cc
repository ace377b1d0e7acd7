// tests/fuzz/tls_keys_fuzz.cc: a key store and a trust store, as PEM and as PKCS12.
//
// An input is a byte that says in which form, the key store with its length before it, and the trust store.
#include "base/tls/tls_context.h"
#include "base/tls/tls_keys.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vaquita;
  fuzz::SilenceLogs();
  fuzz::Input input(data, size);
  const uint8_t form = input.Byte();
  Options options;
  options.tls_key_store_type = form % 2 == 0 ? "PEM" : "PKCS12";
  options.tls_trust_store_type = form / 2 % 2 == 0 ? "PEM" : "PKCS12";
  options.tls_key_store = fuzz::FileOf("key_store", input.Sized());
  options.tls_trust_store = fuzz::FileOf("trust_store", input.Rest());
  options.tls_key_store_password = form / 4 % 2 == 0 ? "" : "changeit";
  options.tls_trust_store_password = options.tls_key_store_password;
  const auto keys = ReadTlsKeys(options);
  fuzz::Check(keys.ok() || !keys.status().message().empty(), "an error has a message");
  if (keys.ok()) static_cast<void>(TlsContext::Create(options, TlsContext::Side::kServer));
  return 0;
}
