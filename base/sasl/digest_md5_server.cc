#include "base/sasl/digest_md5_server.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/absl_text.h"
#include "base/big_endian.h"
#include "base/random_bytes.h"
#include "base/status.h"

namespace vaquita {
namespace {

constexpr size_t kNonceBytes = 24;
// A protected message ends with its signature, the layer's version and the message's number.
constexpr size_t kSignatureBytes = 10;
constexpr std::string_view kLayerVersion("\0\1", 2);
constexpr size_t kTrailerBytes = kLayerVersion.size() + 4;
constexpr size_t kBlockBytes = 8;
// In the place of a body's hash, if messages are protected.
constexpr std::string_view kNoBody = ":00000000000000000000000000000000";

using Digest = std::array<uint8_t, 16>;

absl::Status Denied(std::string_view message) { return Error(ErrorKind::kAccessDenied, message); }

std::string_view BytesOf(const Digest& digest) { return {reinterpret_cast<const char*>(digest.data()), digest.size()}; }
const uint8_t* Bytes(std::string_view text) { return reinterpret_cast<const uint8_t*>(text.data()); }

Digest Md5(std::string_view bytes) {
  Digest digest = {};
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_md5(), nullptr);
  return digest;
}
std::string Hex(const Digest& digest) { return absl::BytesToHexString(AbslText(BytesOf(digest))); }

std::string Signature(const Digest& key, std::string_view number, std::string_view message) {
  uint8_t mac[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  const std::string signed_bytes = absl::StrCat(AbslText(number), AbslText(message));
  HMAC(EVP_md5(), key.data(), static_cast<int>(key.size()), Bytes(signed_bytes), signed_bytes.size(), mac, &size);
  return {reinterpret_cast<const char*>(mac), kSignatureBytes};
}

// Takes the same time wherever they differ.
bool Same(std::string_view one, std::string_view other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

// Spreads 7 bytes over the 8 of a key of DES, whose lowest bits are for parity, which OpenSSL ignores.
void AppendDesKey(const uint8_t* seven, std::vector<uint8_t>* key) {
  uint64_t bits = 0;
  for (int i = 0; i < 7; ++i) bits = bits << 8 | seven[i];
  for (int i = 7; i >= 0; --i) key->push_back(static_cast<uint8_t>(bits >> (7 * i) << 1));
}

// 3DES with two keys, in CBC mode, which goes on from message to message.
class TripleDes {
 public:
  TripleDes(const Digest& key, bool encrypt) : cipher_(EVP_CIPHER_CTX_new()) {
    std::vector<uint8_t> des;
    AppendDesKey(key.data(), &des);
    AppendDesKey(key.data() + 7, &des);
    ok_ = EVP_CipherInit_ex(cipher_.get(), EVP_des_ede_cbc(), nullptr, des.data(), key.data() + kBlockBytes,
                            encrypt ? 1 : 0) == 1 &&
          EVP_CIPHER_CTX_set_padding(cipher_.get(), 0) == 1;
  }
  // REQUIRES: whole blocks.
  absl::StatusOr<std::string> Apply(std::string_view bytes) {
    std::string out(bytes.size() + kBlockBytes, '\0');
    int size = 0;
    if (!ok_ || EVP_CipherUpdate(cipher_.get(), reinterpret_cast<uint8_t*>(out.data()), &size, Bytes(bytes),
                                 static_cast<int>(bytes.size())) != 1) {
      return Denied("3DES is not available in OpenSSL");
    }
    out.resize(static_cast<size_t>(size));
    return out;
  }

 private:
  struct Free {
    void operator()(EVP_CIPHER_CTX* cipher) const { EVP_CIPHER_CTX_free(cipher); }
  };
  const std::unique_ptr<EVP_CIPHER_CTX, Free> cipher_;
  bool ok_ = false;
};

// The messages of one direction.
struct Direction {
  Digest signing_key;
  std::unique_ptr<TripleDes> cipher;  // null: they are not encrypted
  uint32_t number = 0;                // the next message's

  std::string NextNumber() {
    std::string bytes;
    AppendBigEndian<uint32_t>(number++, &bytes);
    return bytes;
  }
};

struct Protection {
  std::string_view name;
  SaslProtection bit;
};
constexpr Protection kProtections[] = {
    {"auth", kSaslAuthentication}, {"auth-int", kSaslIntegrity}, {"auth-conf", kSaslPrivacy}};

class DigestMd5Server final : public SaslServer {
 public:
  explicit DigestMd5Server(DigestMd5Options options) : options_(std::move(options)) {
    if (options_.nonce.empty()) options_.nonce = absl::Base64Escape(RandomBytes(kNonceBytes));
  }

  absl::StatusOr<std::optional<std::string>> Step(std::string_view token) override {
    if (!challenged_) {
      if (!token.empty()) return Denied("DIGEST-MD5 begins with an empty token");
      challenged_ = true;
      return Challenge();
    }
    if (complete_) return Denied("the exchange of tokens is over");
    return Verify(token);
  }
  bool complete() const override { return complete_; }
  const std::string& user() const override { return user_; }
  bool wraps() const override { return protection_ != kSaslAuthentication; }

  absl::StatusOr<std::string> Wrap(std::string_view message) override {
    const std::string number = to_client_.NextNumber();
    const std::string signature = Signature(to_client_.signing_key, number, message);
    std::string body;
    if (to_client_.cipher == nullptr) {
      body = absl::StrCat(AbslText(message), signature);
    } else {
      const size_t padding = kBlockBytes - (message.size() + kSignatureBytes) % kBlockBytes;
      body = absl::StrCat(AbslText(message), std::string(padding, static_cast<char>(padding)), signature);
      VAQUITA_ASSIGN_OR_RETURN(body, to_client_.cipher->Apply(body));
    }
    return absl::StrCat(body, AbslText(kLayerVersion), number);
  }

  absl::StatusOr<std::string> Unwrap(std::string_view wrapped) override {
    const absl::Status broken = Denied("a message's protection is broken");
    if (wrapped.size() < kTrailerBytes + kSignatureBytes) return broken;
    const std::string number = from_client_.NextNumber();
    if (wrapped.substr(wrapped.size() - kTrailerBytes) != absl::StrCat(AbslText(kLayerVersion), number)) return broken;
    std::string body(wrapped.substr(0, wrapped.size() - kTrailerBytes));
    size_t padding = 0;
    if (from_client_.cipher != nullptr) {
      if (body.size() % kBlockBytes != 0 || body.size() <= kSignatureBytes) return broken;
      VAQUITA_ASSIGN_OR_RETURN(body, from_client_.cipher->Apply(body));
      padding = static_cast<uint8_t>(body[body.size() - kSignatureBytes - 1]);
      if (padding == 0 || padding > kBlockBytes || padding + kSignatureBytes > body.size()) return broken;
    }
    const std::string signature = body.substr(body.size() - kSignatureBytes);
    body.resize(body.size() - kSignatureBytes - padding);
    if (!Same(signature, Signature(from_client_.signing_key, number, body))) return broken;
    return body;
  }

 private:
  std::optional<std::string> Challenge() const {
    std::vector<std::string_view> names;
    for (const Protection& each : kProtections) {
      if (options_.protections & each.bit) names.push_back(each.name);
    }
    return absl::StrCat("realm=\"", options_.realm, "\",nonce=\"", options_.nonce, "\",qop=\"",
                        absl::StrJoin(names, ",", [](std::string* out, std::string_view name) { out->append(name); }),
                        "\",", options_.protections & kSaslPrivacy ? "cipher=\"3des\"," : "",
                        "charset=utf-8,algorithm=md5-sess");
  }

  // Checks the client's response. Returns the server's, which proves that it knows the password, too.
  absl::StatusOr<std::optional<std::string>> Verify(std::string_view token) {
    VAQUITA_ASSIGN_OR_RETURN(const auto given, ParseDigestDirectives(token));
    const auto get = [&given](std::string_view name, std::string_view otherwise = {}) {
      const auto at = given.find(name);
      return at == given.end() ? std::string(otherwise) : at->second;
    };
    const std::string name = get("username");
    const std::string qop = get("qop", "auth");
    const auto* const chosen = std::find_if(std::begin(kProtections), std::end(kProtections),
                                            [&qop](const Protection& each) { return each.name == qop; });
    if (chosen == std::end(kProtections) || (options_.protections & chosen->bit) == 0) {
      return Denied("the client chose a protection that hbase.rpc.protection does not have: " + qop);
    }
    if (chosen->bit == kSaslPrivacy && get("cipher") != "3des") return Denied("the client's cipher is not 3des");
    if (get("nonce") != options_.nonce || get("nc") != "00000001" || get("realm") != options_.realm) {
      return Denied("the client answers another challenge");
    }
    if (!get("authzid").empty()) return Denied("the user of a token may not act for others");
    VAQUITA_ASSIGN_OR_RETURN(const std::string password, options_.password_of(name));
    const Digest secret =
        Md5(absl::StrCat(AbslText(BytesOf(Md5(absl::StrCat(name, ":", options_.realm, ":", password)))), ":",
                         options_.nonce, ":", get("cnonce")));
    const auto response = [&](std::string_view verb) {
      const std::string what =
          absl::StrCat(AbslText(verb), ":", get("digest-uri"),
                       chosen->bit == kSaslAuthentication ? absl::string_view() : AbslText(kNoBody));
      return Hex(Md5(absl::StrCat(Hex(secret), ":", options_.nonce, ":", get("nc"), ":", get("cnonce"), ":", qop, ":",
                                  Hex(Md5(what)))));
    };
    if (!Same(get("response"), response("AUTHENTICATE")))
      return Denied("the client does not know the token's password");
    user_ = name;
    protection_ = chosen->bit;
    if (wraps()) SetKeys(secret);
    complete_ = true;
    return "rspauth=" + response("");
  }

  void SetKeys(const Digest& secret) {
    const auto derive = [&secret](std::string_view constant) {
      return Md5(absl::StrCat(AbslText(BytesOf(secret)), AbslText(constant)));
    };
    from_client_.signing_key = derive("Digest session key to client-to-server signing key magic constant");
    to_client_.signing_key = derive("Digest session key to server-to-client signing key magic constant");
    if (protection_ != kSaslPrivacy) return;
    from_client_.cipher = std::make_unique<TripleDes>(
        derive("Digest H(A1) to client-to-server sealing key magic constant"), /*encrypt=*/false);
    to_client_.cipher = std::make_unique<TripleDes>(
        derive("Digest H(A1) to server-to-client sealing key magic constant"), /*encrypt=*/true);
  }

  DigestMd5Options options_;
  bool challenged_ = false;
  bool complete_ = false;
  SaslProtection protection_ = kSaslAuthentication;
  std::string user_;
  Direction from_client_;
  Direction to_client_;
};

}  // namespace

std::unique_ptr<SaslServer> NewDigestMd5Server(DigestMd5Options options) {
  return std::make_unique<DigestMd5Server>(std::move(options));
}

absl::StatusOr<std::map<std::string, std::string, std::less<>>> ParseDigestDirectives(std::string_view text) {
  const absl::Status malformed = Denied("the client's answer to the challenge is malformed");
  std::map<std::string, std::string, std::less<>> directives;
  size_t at = 0;
  const auto skip = [&](std::string_view characters) {
    while (at < text.size() && characters.find(text[at]) != std::string_view::npos) ++at;
  };
  for (skip(" \t,"); at < text.size(); skip(" \t,")) {
    const size_t equals = text.find('=', at);
    if (equals == std::string_view::npos) return malformed;
    const std::string name(absl::StripAsciiWhitespace(AbslText(text.substr(at, equals - at))));
    at = equals + 1;
    std::string value;
    if (at < text.size() && text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\' && at + 1 < text.size()) ++at;
        value.push_back(text[at]);
      }
      if (at == text.size()) return malformed;
      ++at;
    } else {
      const size_t end = std::min(text.find(',', at), text.size());
      value = std::string(absl::StripAsciiWhitespace(AbslText(text.substr(at, end - at))));
      at = end;
    }
    if (name.empty() || !directives.emplace(name, std::move(value)).second) return malformed;
  }
  return directives;
}

}  // namespace vaquita
