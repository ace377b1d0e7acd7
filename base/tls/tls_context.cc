#include "base/tls/tls_context.h"

#include <openssl/pem.h>

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/log.h"
#include "base/status.h"
#include "base/tls/openssl.h"

namespace vaquita {
namespace {

// A read takes several records at once.
constexpr size_t kReadBufferBytes = 64 << 10;

struct Versions {
  int least = TLS1_2_VERSION;
  int most = TLS1_3_VERSION;
};

absl::StatusOr<Versions> ReadVersions(const std::string& text) {
  Versions versions = {TLS1_3_VERSION, TLS1_2_VERSION};
  for (const absl::string_view part : absl::StrSplit(text, ',', absl::SkipWhitespace())) {
    const absl::string_view name = absl::StripAsciiWhitespace(part);
    const int version = name == "TLSv1.2" ? TLS1_2_VERSION : name == "TLSv1.3" ? TLS1_3_VERSION : 0;
    if (version == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("hbase.rpc.tls.enabledProtocols takes TLSv1.2 and TLSv1.3, not ", name));
    }
    versions.least = std::min(versions.least, version);
    versions.most = std::max(versions.most, version);
  }
  return versions.least > versions.most ? Versions() : versions;
}

// Java's list of ciphers is all that there are. OpenSSL has two lists, of version 1.3 and of those before, and its own
// ciphers in a list that is not set: `*versions` loses a version without a cipher.
absl::Status SetCiphers(const std::string& text, Versions* versions, SSL_CTX* context) {
  std::string older;
  std::string newer;
  for (const absl::string_view part : absl::StrSplit(text, ',', absl::SkipWhitespace())) {
    const std::string name(absl::StripAsciiWhitespace(part));
    if (name.ends_with("_SCSV")) continue;  // Java's lists have these signals, which are no ciphers
    const bool is_new = name.starts_with("TLS_AES_") || name.starts_with("TLS_CHACHA20_");
    std::string known = OPENSSL_cipher_name(name.c_str());  // Java's names are those of the standard
    if (known == "(NONE)") known = name;
    const int taken =
        is_new ? SSL_CTX_set_ciphersuites(context, name.c_str()) : SSL_CTX_set_cipher_list(context, known.c_str());
    ERR_clear_error();
    if (taken != 1 || (is_new && std::string_view(OPENSSL_cipher_name(name.c_str())) == "(NONE)")) {
      return absl::InvalidArgumentError(
          absl::StrCat("hbase.rpc.tls.ciphersuites: OpenSSL has no cipher ", name, "; see `openssl ciphers -stdname`"));
    }
    std::string& list = is_new ? newer : older;
    absl::StrAppend(&list, list.empty() ? "" : ":", is_new ? name : known);
  }
  if (older.empty() && newer.empty()) return absl::OkStatus();
  if (newer.empty()) versions->most = std::min(versions->most, TLS1_2_VERSION);
  if (older.empty()) versions->least = std::max(versions->least, TLS1_3_VERSION);
  if (versions->least > versions->most) {
    return absl::InvalidArgumentError(absl::StrCat("hbase.rpc.tls.ciphersuites: ", text,
                                                   " has no cipher of the version that ",
                                                   "hbase.rpc.tls.enabledProtocols has"));
  }
  const bool set = (older.empty() || SSL_CTX_set_cipher_list(context, older.c_str()) == 1) &&
                   (newer.empty() || SSL_CTX_set_ciphersuites(context, newer.c_str()) == 1);
  ERR_clear_error();
  if (set) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("hbase.rpc.tls.ciphersuites: OpenSSL refuses ", text));
}

absl::Status SetVersionsAndCiphers(const Options& options, SSL_CTX* context) {
  VAQUITA_ASSIGN_OR_RETURN(Versions versions, ReadVersions(options.tls_protocols));
  VAQUITA_RETURN_IF_ERROR(SetCiphers(options.tls_ciphers, &versions, context));
  SSL_CTX_set_min_proto_version(context, versions.least);
  SSL_CTX_set_max_proto_version(context, versions.most);
  return absl::OkStatus();
}

absl::Status Refused(const std::string& path) {
  return absl::InvalidArgumentError(
      absl::StrCat("hbase.rpc.tls.keystore.location ", path, ": OpenSSL refuses it: ", openssl::TakeError()));
}

// The texts are OpenSSL's own, but it refuses weak keys, such as RSA's of 1,024 bits.
absl::Status SetKeys(const TlsKeys& keys, const std::string& path, SSL_CTX* context) {
  if (!keys.key.empty()) {
    const openssl::Bio bio = openssl::ReadBio(keys.chain);
    openssl::Certificate certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
    if (SSL_CTX_use_certificate(context, certificate.get()) != 1) return Refused(path);
    while (true) {
      certificate.reset(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
      if (certificate == nullptr) break;
      if (SSL_CTX_add1_chain_cert(context, certificate.get()) != 1) return Refused(path);
    }
    ERR_clear_error();  // the end of the text
    const openssl::Key key(PEM_read_bio_PrivateKey(openssl::ReadBio(keys.key).get(), nullptr, nullptr, nullptr));
    if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) return Refused(path);
  }
  const openssl::Bio trusted = openssl::ReadBio(keys.trust);
  X509_STORE* const store = SSL_CTX_get_cert_store(context);
  while (X509* next = PEM_read_bio_X509(trusted.get(), nullptr, nullptr, nullptr)) {
    X509_STORE_add_cert(store, next);
    SSL_CTX_add_client_CA(context, next);  // tells clients whose certificates would do
    X509_free(next);
  }
  ERR_clear_error();  // the end of the text
  return absl::OkStatus();
}

absl::StatusOr<int> ServersCheck(const Options& options) {
  const std::string mode = absl::AsciiStrToUpper(options.tls_client_auth);
  if (mode == "NONE") return SSL_VERIFY_NONE;
  if (mode == "WANT") return SSL_VERIFY_PEER;
  if (mode == "NEED") return SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
  return absl::InvalidArgumentError(
      absl::StrCat("hbase.server.netty.tls.client.auth.mode takes NEED, WANT or NONE, not ", options.tls_client_auth));
}

absl::StatusOr<std::shared_ptr<SSL_CTX>> MakeContext(const Options& options, const TlsKeys& keys, bool server) {
  const std::shared_ptr<SSL_CTX> context(SSL_CTX_new(server ? TLS_server_method() : TLS_client_method()), SSL_CTX_free);
  int check = SSL_VERIFY_PEER;
  if (server) {
    VAQUITA_ASSIGN_OR_RETURN(check, ServersCheck(options));
    if (keys.key.empty()) {
      return absl::InvalidArgumentError(
          "TLS needs a key: set hbase.rpc.tls.keystore.location; `vaquita certs --out DIR` makes one for tests");
    }
  }
  if (check != SSL_VERIFY_NONE && keys.trust.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("TLS needs the certificates to trust: set hbase.rpc.tls.truststore.location",
                     server ? ", or hbase.server.netty.tls.client.auth.mode to NONE" : ""));
  }
  VAQUITA_RETURN_IF_ERROR(SetVersionsAndCiphers(options, context.get()));
  VAQUITA_RETURN_IF_ERROR(SetKeys(keys, options.tls_key_store, context.get()));
  SSL_CTX_set_verify(context.get(), check, nullptr);
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_options(context.get(),
                      SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_read_ahead(context.get(), 1);
  SSL_CTX_set_default_read_buffer_len(context.get(), kReadBufferBytes);
  constexpr unsigned char kSessions[] = "vaquita";
  SSL_CTX_set_session_id_context(context.get(), kSessions, sizeof kSessions);
  return context;
}

}  // namespace

absl::StatusOr<std::shared_ptr<TlsContext>> TlsContext::Create(const Options& options, Side side,
                                                               std::chrono::milliseconds try_again) {
  std::shared_ptr<TlsContext> context(new TlsContext(options, side, try_again));
  VAQUITA_RETURN_IF_ERROR(context->Load());
  return context;
}

absl::Status TlsContext::Load() {
  VAQUITA_ASSIGN_OR_RETURN(TlsKeys keys, ReadTlsKeys(options_));
  VAQUITA_ASSIGN_OR_RETURN(context_, MakeContext(options_, keys, side_ == Side::kServer));
  keys_ = std::move(keys);
  ++version_;
  return absl::OkStatus();
}

void TlsContext::RenewLocked() {
  ReloadLocked();
  if (side_ == Side::kServer) WarnOfExpiryLocked();
}

void TlsContext::WarnOfExpiryLocked() {
  const absl::Time now = absl::Now();
  if (now < next_expiry_warning_) return;
  const std::string warning = ExpiryWarning(keys_, now);
  if (warning.empty()) return;
  spdlog::warn("TLS: {}: {}", options_.tls_key_store, warning);
  next_expiry_warning_ = now + absl::Hours(24);
}

void TlsContext::ReloadLocked() {
  if (!options_.tls_reload) return;
  const bool changed = files_.HaveChanged();
  const auto now = std::chrono::steady_clock::now();
  if (!changed && (files_are_used_ || now < next_try_)) return;
  const absl::Status status = Load();
  files_are_used_ = status.ok();
  next_try_ = now + try_again_;
  if (status.ok()) {
    spdlog::info("TLS: keys and certificates were read again");
  } else if (changed) {  // once
    spdlog::warn("TLS: changed keys cannot be used, the old ones stay: {}", std::string(status.message()));
  }
}

std::unique_ptr<TlsSession> TlsContext::NewSession(int socket, const std::string& host) {
  std::shared_ptr<SSL_CTX> context;
  {
    std::lock_guard lock(mutex_);
    RenewLocked();
    context = context_;
  }
  const bool client = side_ == Side::kClient;
  return std::make_unique<TlsSession>(context.get(), socket, client,
                                      client && !options_.tls_verify_server_host ? "" : host);
}

TlsKeys TlsContext::keys(int* version) {
  std::lock_guard lock(mutex_);
  RenewLocked();
  *version = version_;
  return keys_;
}

absl::StatusOr<std::shared_ptr<TlsContext>> ServerTls(const Options& options, bool rpc) {
  if (!options.tls && !(rpc && options.tls_rpc)) return nullptr;
  return TlsContext::Create(options, TlsContext::Side::kServer);
}

}  // namespace vaquita
