#include "server/frontend/hbase/authentication.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/host_name.h"
#include "base/sasl/digest_md5_server.h"
#include "base/status.h"

namespace vaquita::hbase {
namespace {

// SaslUtil.SASL_DEFAULT_REALM
constexpr char kTokenRealm[] = "default";

absl::StatusOr<uint8_t> ReadProtections(const std::string& list) {
  uint8_t protections = 0;
  for (const absl::string_view part : absl::StrSplit(list, ',')) {
    const std::string name = absl::AsciiStrToLower(absl::StripAsciiWhitespace(part));
    if (name == "authentication" || name == "auth" || name.empty()) {
      protections |= kSaslAuthentication;
    } else if (name == "integrity" || name == "auth-int") {
      protections |= kSaslIntegrity;
    } else if (name == "privacy" || name == "auth-conf") {
      protections |= kSaslPrivacy;
    } else {
      return absl::InvalidArgumentError(absl::StrCat("hbase.rpc.protection is ", list, ", and ", name,
                                                     " is none of authentication, integrity and privacy"));
    }
  }
  return protections;
}

struct Identity {
  std::string keytab;
  std::string principal;
};

// The process has one keytab, from which it serves clients of the master and of the region server.
absl::StatusOr<Identity> ReadIdentity(const Options& options, bool of_master, bool of_region_server) {
  Identity identity{options.region_server_keytab, options.region_server_principal};
  std::string prefix = "hbase.regionserver.";
  if (!of_region_server || (identity.keytab.empty() && !options.master_keytab.empty())) {
    identity = {options.master_keytab, options.master_principal};
    prefix = "hbase.master.";
  }
  if (identity.keytab.empty() || identity.principal.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("hbase.security.authentication is kerberos, which needs ", prefix,
                                                   "keytab.file and ", prefix, "kerberos.principal"));
  }
  if (of_master && of_region_server && !options.master_keytab.empty() && options.master_keytab != identity.keytab) {
    return absl::InvalidArgumentError(
        absl::StrCat("hbase.regionserver.keytab.file is ", identity.keytab, " and hbase.master.keytab.file is ",
                     options.master_keytab, ": a process that is both has one file, with the keys of both principals"));
  }
  return identity;
}

}  // namespace

Authentication::Authentication(std::string principal, uint8_t protections, std::unique_ptr<KerberosAcceptor> kerberos,
                               const AccessControl* access, Clock* clock)
    : principal_(std::move(principal)),
      protections_(protections),
      kerberos_(std::move(kerberos)),
      access_(access),
      clock_(clock) {}

absl::StatusOr<std::unique_ptr<Authentication>> Authentication::Open(const Options& options, bool of_master,
                                                                     bool of_region_server, const AccessControl* access,
                                                                     Clock* clock) {
  if (options.authentication == "simple") return nullptr;
  VAQUITA_ASSIGN_OR_RETURN(const uint8_t protections, ReadProtections(options.rpc_protection));
  VAQUITA_ASSIGN_OR_RETURN(Identity identity, ReadIdentity(options, of_master, of_region_server));
  VAQUITA_ASSIGN_OR_RETURN(auto kerberos, KerberosAcceptor::Open(identity.keytab, protections));
  return std::unique_ptr<Authentication>(
      new Authentication(absl::StrReplaceAll(identity.principal, {{"_HOST", MachineName()}}), protections,
                         std::move(kerberos), access, clock));
}

std::unique_ptr<SaslServer> Authentication::NewServer(SaslMethod method) const {
  if (method == SaslMethod::kKerberos) return kerberos_->NewServer();
  return NewDigestMd5Server(
      {.realm = kTokenRealm,
       .protections = protections_,
       .password_of =
           [this](const std::string& name) { return access_->delegation_tokens()->PasswordOf(name, clock_->NowMs()); },
       .nonce = ""});
}

}  // namespace vaquita::hbase
