// tests/fuzz/sasl_fuzz.cc: the proofs of a client: the tokens of an exchange by Kerberos or DIGEST-MD5, the names of
// principals and of delegation tokens, and the rules for principals.
//
// An input is a byte that says which of them, and the bytes. An exchange's tokens end with a zero byte and a one.
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/sasl/digest_md5_server.h"
#include "base/sasl/kerberos/gssapi_server.h"
#include "base/sasl/principal_rules.h"
#include "server/access/delegation_tokens.h"
#include "tests/fuzz/fuzz_input.h"

namespace vaquita {
namespace {

constexpr std::string_view kEndOfToken("\0\1", 2);

// A keytab with one key, of hbase@A.
constexpr std::string_view kKeytab(
    "\x05\x02\x00\x00\x00\x29\x00\x01\x00\x01"
    "A\x00\x05hbase\x00\x00\x00\x01\x00\x00\x00\x00\x01\x00\x11\x00\x10"
    "0123456789abcdef",
    6 + 0x29);

void Exchange(SaslServer* server, std::string_view tokens) {
  while (!server->complete()) {
    const size_t end = tokens.find(kEndOfToken);
    const auto answer = server->Step(tokens.substr(0, end));
    if (!answer.ok() || end == std::string_view::npos) return;
    tokens.remove_prefix(end + kEndOfToken.size());
  }
  if (server->wraps()) static_cast<void>(server->Unwrap(tokens));
}

}  // namespace
}  // namespace vaquita

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vaquita;
  static const auto kerberos = KerberosAcceptor::Open(fuzz::FileOf("keytab", kKeytab), kSaslPrivacy);
  fuzz::Check(kerberos.ok(), "the keytab can be read");
  fuzz::SilenceLogs();
  fuzz::Input input(data, size);
  switch (input.Byte() % 5) {
    case 0:
      Exchange((*kerberos)->NewServer().get(), input.Rest());
      break;
    case 1:
      Exchange(NewDigestMd5Server({.realm = "default",
                                   .protections = kSaslAuthentication | kSaslIntegrity | kSaslPrivacy,
                                   .password_of = [](const std::string&) { return "password"; },
                                   .nonce = "nonce"})
                   .get(),
               input.Rest());
      break;
    case 2: {
      static const DelegationTokens tokens("secret", /*lifetime_ms=*/1000);
      const std::string_view name = input.Rest();
      const bool known = tokens.PasswordOf(name, /*now_ms=*/0).ok();
      fuzz::Check(!known || DelegationTokens::HolderOf(name).ok(), "a token with a password has a user");
      break;
    }
    case 3: {
      static const auto rules = PrincipalRules::Parse("RULE:[2:$1@$0](.*@A)s/@.*//\nDEFAULT", "A");
      static_cast<void>((*rules)->UserOf(input.Rest()));
      break;
    }
    default: {
      const std::string_view principal = input.Until('\0');
      const auto rules = PrincipalRules::Parse(input.Rest(), "A");
      if (rules.ok()) static_cast<void>((*rules)->UserOf(principal));
    }
  }
  return 0;
}
