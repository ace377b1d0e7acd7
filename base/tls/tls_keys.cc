#include "base/tls/tls_keys.h"

#include <openssl/pem.h>

#include <cctype>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/absl_text.h"
#include "base/durable_files.h"
#include "base/site_file.h"
#include "base/status.h"
#include "base/tls/openssl.h"

namespace vaquita {
namespace {

// One of the two stores: its file, and the name of its property without the last part.
struct Store {
  std::string property;
  std::string path;
  std::string password;
  std::string type;

  absl::Status Bad(const std::string& why) const {
    return absl::InvalidArgumentError(absl::StrCat(property, ".location ", path, ": ", why));
  }
};

struct Content {
  openssl::Key key;
  openssl::Certificates certificates{sk_X509_new_null()};
};

int GivePassword(char* buffer, int size, int /*writing*/, void* password) {
  const auto& text = *static_cast<const std::string*>(password);
  if (text.size() > static_cast<size_t>(size)) return -1;
  std::memcpy(buffer, text.data(), text.size());
  return static_cast<int>(text.size());
}

// Returns "PEM", "PKCS12", or another type in capitals; "" if neither the type nor the file's name tells it.
std::string TypeOf(const Store& store) {
  if (!store.type.empty()) {
    std::string type;
    for (const char c : store.type) type += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return type;
  }
  const auto ends = [&store](std::string_view end) { return absl::EndsWithIgnoreCase(store.path, AbslText(end)); };
  if (ends(".pem")) return "PEM";
  if (ends(".p12") || ends(".pfx")) return "PKCS12";
  if (ends(".jks")) return "JKS";
  return ends(".bcfks") ? "BCFKS" : "";
}

absl::Status ReadPem(const Store& store, const std::string& bytes, Content* content) {
  const bool has_key = absl::StrContains(bytes, "PRIVATE KEY-----");
  if (has_key) {
    std::string password = store.password;
    content->key.reset(
        PEM_read_bio_PrivateKey(openssl::ReadBio(bytes).get(), nullptr, &GivePassword, static_cast<void*>(&password)));
    if (content->key == nullptr) {
      return store.Bad(absl::StrCat("its private key cannot be read; is ", store.property, ".password right? (",
                                    openssl::TakeError(), ")"));
    }
  }
  const openssl::Bio bio = openssl::ReadBio(bytes);
  while (X509* certificate = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    sk_X509_push(content->certificates.get(), certificate);
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string error = openssl::TakeError();
  return at_end ? absl::OkStatus() : store.Bad("a certificate in it is malformed: " + error);
}

absl::Status ReadPkcs12(const Store& store, const std::string& bytes, Content* content) {
  const openssl::Bio bio = openssl::ReadBio(bytes);
  const openssl::Pkcs12 pkcs12(d2i_PKCS12_bio(bio.get(), nullptr));
  ERR_clear_error();
  if (pkcs12 == nullptr) return store.Bad("it is not a PKCS12 file");
  EVP_PKEY* key = nullptr;
  X509* certificate = nullptr;
  STACK_OF(X509)* others = nullptr;
  if (PKCS12_parse(pkcs12.get(), store.password.c_str(), &key, &certificate, &others) != 1) {
    const unsigned long error = ERR_peek_error();
    const bool wrong = ERR_GET_LIB(error) == ERR_LIB_PKCS12 && ERR_GET_REASON(error) == PKCS12_R_MAC_VERIFY_FAILURE;
    const std::string reason = openssl::TakeError();
    if (wrong) return store.Bad(absl::StrCat("its password is another; set ", store.property, ".password"));
    return store.Bad(absl::StrCat("cannot be read: ", reason,
                                  "; one that was made by an old program: convert it by `openssl pkcs12 -legacy`"));
  }
  content->key.reset(key);
  if (certificate != nullptr) sk_X509_push(content->certificates.get(), certificate);
  const openssl::Certificates rest(others);
  while (X509* other = others == nullptr ? nullptr : sk_X509_shift(others)) {
    sk_X509_push(content->certificates.get(), other);
  }
  return absl::OkStatus();
}

absl::StatusOr<Content> ReadStore(const Store& store) {
  const absl::StatusOr<std::string> read = ReadFile(store.path);
  if (!read.ok())
    return absl::InvalidArgumentError(absl::StrCat(store.property, ".location: ", read.status().message()));
  const std::string& bytes = *read;
  const std::string type = TypeOf(store);
  Content content;
  if (type == "PEM") {
    VAQUITA_RETURN_IF_ERROR(ReadPem(store, bytes, &content));
  } else if (type == "PKCS12") {
    VAQUITA_RETURN_IF_ERROR(ReadPkcs12(store, bytes, &content));
  } else if (type == "JKS" || type == "BCFKS") {
    return store.Bad(
        absl::StrCat(type, " is a format that only Java reads; convert it: keytool -importkeystore -srckeystore ",
                     store.path, " -srcstoretype ", type, " -destkeystore NEW.p12 -deststoretype PKCS12"));
  } else {
    return store.Bad(
        absl::StrCat("set ", store.property, ".type to PEM or PKCS12, or let the file's name end in ", ".pem or .p12"));
  }
  if (sk_X509_num(content.certificates.get()) == 0) return store.Bad("it has no certificate");
  return content;
}

absl::Time TimeOf(const ASN1_TIME* time) {
  std::tm parts{};
  ASN1_TIME_to_tm(time, &parts);
  return absl::FromTM(parts, absl::UTCTimeZone());
}

std::string TimeText(absl::Time time) {
  return absl::FormatTime("%Y-%m-%d at %H:%M:%S UTC", time, absl::UTCTimeZone());
}

// A key, and the first certificate, which is the key's and valid now.
absl::Status CheckKey(const Store& store, const Content& content) {
  if (content.key == nullptr) return store.Bad("it has no private key");
  const X509* certificate = sk_X509_value(content.certificates.get(), 0);
  const bool match = X509_check_private_key(certificate, content.key.get()) == 1;
  ERR_clear_error();
  if (!match) return store.Bad("its private key is not that of its first certificate");
  const ASN1_TIME* const begin = X509_get0_notBefore(certificate);
  const ASN1_TIME* const end = X509_get0_notAfter(certificate);
  if (X509_cmp_current_time(end) < 0) return store.Bad("its certificate has expired on " + TimeText(TimeOf(end)));
  if (X509_cmp_current_time(begin) > 0) {
    return store.Bad("its certificate is not valid before " + TimeText(TimeOf(begin)));
  }
  return absl::OkStatus();
}

std::string CertificatesText(const Content& content) {
  const openssl::Bio bio(BIO_new(BIO_s_mem()));
  for (int i = 0; i < sk_X509_num(content.certificates.get()); ++i) {
    PEM_write_bio_X509(bio.get(), sk_X509_value(content.certificates.get(), i));
  }
  return openssl::TextOf(bio);
}

std::string KeyText(const Content& content) {
  const openssl::Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PKCS8PrivateKey(bio.get(), content.key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return openssl::TextOf(bio);
}

}  // namespace

absl::StatusOr<TlsKeys> ReadTlsKeys(const Options& options) {
  TlsKeys keys;
  const Store own{"hbase.rpc.tls.keystore", options.tls_key_store, options.tls_key_store_password,
                  options.tls_key_store_type};
  if (!own.path.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(const Content content, ReadStore(own));
    VAQUITA_RETURN_IF_ERROR(CheckKey(own, content));
    keys.key = KeyText(content);
    keys.chain = CertificatesText(content);
    keys.expires = TimeOf(X509_get0_notAfter(sk_X509_value(content.certificates.get(), 0)));
  }
  const Store trusted{"hbase.rpc.tls.truststore", options.tls_trust_store, options.tls_trust_store_password,
                      options.tls_trust_store_type};
  if (!trusted.path.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(const Content content, ReadStore(trusted));
    keys.trust = CertificatesText(content);
  }
  return keys;
}

std::string ExpiryWarning(const TlsKeys& keys, absl::Time now) {
  constexpr absl::Duration kNotice = absl::Hours(7 * 24);
  if (keys.expires > now + kNotice) return "";
  return absl::StrCat("the own certificate ", keys.expires > now ? "expires" : "has expired", " on ",
                      TimeText(keys.expires), ": the other side refuses it from then on");
}

absl::StatusOr<Options> ReadClientOptions(const std::string& site_file) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<SiteProperty> properties, ReadSiteFile(site_file));
  Options options;
  for (const SiteProperty& property : properties) {
    const absl::Status status = SetOption(property.name, property.value, &options);
    if (!status.ok() && !absl::IsNotFound(status)) return Annotate(status, site_file);
  }
  return options;
}

TlsKeyFiles::TlsKeyFiles(const Options& options)
    : key_store_(options.tls_key_store), trust_store_(options.tls_trust_store), marks_(Marks()) {}

bool TlsKeyFiles::HaveChanged() {
  const std::array<FileMark, 2> now = Marks();
  return std::exchange(marks_, now) != now;
}

}  // namespace vaquita
