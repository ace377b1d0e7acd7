#include "base/tls/certificates.h"

#include <arpa/inet.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/big_endian.h"
#include "base/random_bytes.h"
#include "base/tls/openssl.h"

namespace vaquita {
namespace {

constexpr int64_t kDayS = 86'400;
constexpr long kVersion3 = 2;
// Java's mark of a certificate in a PKCS12 file that it may trust, with the identifier of any use as its value.
constexpr char kJavaTrusts[] = "2.16.840.1.113894.746875.1.1";
constexpr unsigned char kAnyUse[] = {0x06, 0x04, 0x55, 0x1d, 0x25, 0x00};

bool AddExtension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  const bool added = extension != nullptr && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

std::string HostsText(const std::vector<std::string>& hosts) {
  std::string text;
  for (const std::string& host : hosts) {
    ASN1_OCTET_STRING* const address = a2i_IPADDRESS(host.c_str());
    absl::StrAppend(&text, text.empty() ? "" : ",", address != nullptr ? "IP:" : "DNS:", host);
    ASN1_OCTET_STRING_free(address);
  }
  return text;
}

std::string KeyAsPem(EVP_PKEY* key) {
  const openssl::Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  return openssl::TextOf(bio);
}

std::string CertificateAsPem(X509* certificate) {
  const openssl::Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(bio.get(), certificate);
  return openssl::TextOf(bio);
}

openssl::Key KeyOf(const Certified& certified) {
  return openssl::Key(PEM_read_bio_PrivateKey(openssl::ReadBio(certified.key).get(), nullptr, nullptr, nullptr));
}

openssl::Certificate CertificateOf(const Certified& certified) {
  return openssl::Certificate(
      PEM_read_bio_X509(openssl::ReadBio(certified.certificate).get(), nullptr, nullptr, nullptr));
}

// An authority's certificate is its own signer. Returns whether OpenSSL takes them all.
bool AddExtensions(X509* own, X509* signer, const std::vector<std::string>& hosts) {
  if (!AddExtension(own, signer, NID_subject_key_identifier, "hash")) return false;
  const bool uses = own == signer ? AddExtension(own, signer, NID_basic_constraints, "critical,CA:TRUE") &&
                                        AddExtension(own, signer, NID_key_usage, "critical,keyCertSign,cRLSign")
                                  : AddExtension(own, signer, NID_authority_key_identifier, "keyid") &&
                                        AddExtension(own, signer, NID_basic_constraints, "critical,CA:FALSE") &&
                                        AddExtension(own, signer, NID_key_usage, "critical,digitalSignature") &&
                                        AddExtension(own, signer, NID_ext_key_usage, "serverAuth,clientAuth");
  return uses && (hosts.empty() || AddExtension(own, signer, NID_subject_alt_name, HostsText(hosts)));
}

// Null `authority`: it signs itself.
absl::StatusOr<Certified> Make(const CertificateRequest& request, const Certified* authority) {
  const openssl::Key key(EVP_EC_gen("P-256"));
  const openssl::Certificate certificate(X509_new());
  X509* const own = certificate.get();
  X509_set_version(own, kVersion3);
  const auto serial = GetBigEndian<uint64_t>(RandomBytes(sizeof(uint64_t)).data());
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(own), serial & INT64_MAX);
  X509_gmtime_adj(X509_getm_notBefore(own), request.first_day * kDayS);
  X509_gmtime_adj(X509_getm_notAfter(own), request.last_day * kDayS);
  X509_set_pubkey(own, key.get());
  if (X509_NAME_add_entry_by_txt(X509_get_subject_name(own), "CN", MBSTRING_UTF8,
                                 reinterpret_cast<const unsigned char*>(request.name.data()),
                                 static_cast<int>(request.name.size()), -1, 0) != 1) {
    return absl::InvalidArgumentError(absl::StrCat("a certificate's name has 1 to 64 characters in UTF-8, and \"",
                                                   request.name, "\" is refused: ", openssl::TakeError()));
  }
  const openssl::Certificate issuer = authority != nullptr ? CertificateOf(*authority) : nullptr;
  const openssl::Key issuers_key = authority != nullptr ? KeyOf(*authority) : nullptr;
  if (authority != nullptr && (issuer == nullptr || issuers_key == nullptr)) {
    return absl::InvalidArgumentError("the authority's key or certificate is no PEM: " + openssl::TakeError());
  }
  if (authority != nullptr && X509_check_private_key(issuer.get(), issuers_key.get()) != 1) {
    ERR_clear_error();
    return absl::InvalidArgumentError("the authority's key is not that of its certificate");
  }
  X509* const signer = issuer != nullptr ? issuer.get() : own;
  X509_set_issuer_name(own, X509_get_subject_name(signer));
  for (const std::string& host : request.hosts) {
    if (!host.empty() && host.find(',') == std::string::npos) continue;
    return absl::InvalidArgumentError("\"" + host + "\" is no host; name each host or address by itself");
  }
  const bool made = AddExtensions(own, signer, request.hosts);
  if (!made || X509_sign(own, issuers_key != nullptr ? issuers_key.get() : key.get(), EVP_sha256()) == 0) {
    return absl::InvalidArgumentError(absl::StrCat("OpenSSL does not make a certificate of ", request.name, " for [",
                                                   absl::StrJoin(request.hosts, ", "), "]: ", openssl::TakeError()));
  }
  return Certified{KeyAsPem(key.get()), CertificateAsPem(own)};
}

// PKCS12_create has no way to set Java's mark.
PKCS12* MakeTrustStore(X509* authority, const std::string& password) {
  STACK_OF(PKCS12_SAFEBAG)* bags = nullptr;
  STACK_OF(PKCS7)* safes = nullptr;
  PKCS12_SAFEBAG* const bag = PKCS12_add_cert(&bags, authority);
  PKCS12_add_friendlyname_utf8(bag, "authority", -1);
  PKCS12_add1_attr_by_txt(bag, kJavaTrusts, V_ASN1_SEQUENCE, kAnyUse, sizeof kAnyUse);
  PKCS12_add_safe(&safes, bags, -1, 0, nullptr);
  PKCS12* const store = PKCS12_add_safes(safes, 0);
  PKCS12_set_mac(store, password.c_str(), -1, nullptr, 0, 0, EVP_sha256());
  sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
  sk_PKCS7_pop_free(safes, PKCS7_free);
  return store;
}

}  // namespace

absl::StatusOr<Certified> MakeAuthority(const CertificateRequest& request) { return Make(request, nullptr); }

absl::StatusOr<Certified> MakeCertificate(const CertificateRequest& request, const Certified& authority) {
  return Make(request, &authority);
}

std::vector<std::string> HostsOf(const std::string& pem) {
  std::vector<std::string> hosts;
  const openssl::Certificate certificate = CertificateOf({.key = "", .certificate = pem});
  ERR_clear_error();
  if (certificate == nullptr) return hosts;
  auto* const names = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate.get(), NID_subject_alt_name, /*critical=*/nullptr, /*index=*/nullptr));
  for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i) {
    int kind = 0;
    const auto* const name =
        static_cast<const ASN1_STRING*>(GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, i), &kind));
    const unsigned char* const bytes = ASN1_STRING_get0_data(name);
    const int size = ASN1_STRING_length(name);
    char address[INET6_ADDRSTRLEN] = "";
    if (kind == GEN_DNS) {
      hosts.emplace_back(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
    } else if (kind == GEN_IPADD && (size == sizeof(in_addr) || size == sizeof(in6_addr))) {
      hosts.emplace_back(inet_ntop(size == sizeof(in_addr) ? AF_INET : AF_INET6, bytes, address, sizeof address));
    }
  }
  GENERAL_NAMES_free(names);
  return hosts;
}

std::string MakePkcs12(const Certified& own, const Certified& authority, const std::string& password) {
  const openssl::Certificate trusted = CertificateOf(authority);
  openssl::Pkcs12 store;
  if (own.key.empty()) {
    store.reset(MakeTrustStore(trusted.get(), password));
  } else {
    const openssl::Certificates others(sk_X509_new_null());
    X509_up_ref(trusted.get());
    sk_X509_push(others.get(), trusted.get());
    store.reset(PKCS12_create(password.c_str(), "vaquita", KeyOf(own).get(), CertificateOf(own).get(), others.get(), 0,
                              0, 0, 0, 0));
  }
  const openssl::Bio bio(BIO_new(BIO_s_mem()));
  i2d_PKCS12_bio(bio.get(), store.get());
  ERR_clear_error();
  return openssl::TextOf(bio);
}

}  // namespace vaquita
