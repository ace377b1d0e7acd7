#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/exit_code.h"
#include "base/site_file.h"
#include "base/status.h"
#include "base/tls/certificates.h"
#include "tools/commands.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

// The authority of an earlier call stays, so that certificates of both calls trust each other.
absl::StatusOr<Certified> AuthorityIn(const std::string& folder) {
  const std::string key = folder + "/ca.key", certificate = folder + "/ca.pem";
  if (PathExists(key) != PathExists(certificate)) {
    const bool has_key = PathExists(key);
    return absl::InvalidArgumentError(
        absl::StrCat("--out ", folder, ": it has ca.", has_key ? "key" : "pem", " and no ca.", has_key ? "pem" : "key",
                     ". Without both, certificates that its others trust cannot be made: put the missing one back, "
                     "or take another folder"));
  }
  if (PathExists(key)) {
    Certified authority;
    VAQUITA_ASSIGN_OR_RETURN(authority.key, ReadFile(key));
    VAQUITA_ASSIGN_OR_RETURN(authority.certificate, ReadFile(certificate));
    return authority;
  }
  VAQUITA_ASSIGN_OR_RETURN(Certified authority, MakeAuthority({.name = "Vaquita test authority"}));
  VAQUITA_RETURN_IF_ERROR(ReplaceFile(key, authority.key));
  VAQUITA_RETURN_IF_ERROR(ReplaceFile(certificate, authority.certificate));
  return authority;
}

// A call for a further user leaves the server's certificate with the hosts that an earlier call gave it.
std::vector<std::string> HostsFor(const CertsArguments& arguments, const std::string& folder) {
  if (!arguments.hosts.empty()) return arguments.hosts;
  const absl::StatusOr<std::string> server = ReadFile(folder + "/server.pem");
  std::vector<std::string> hosts = server.ok() ? HostsOf(*server) : std::vector<std::string>();
  return hosts.empty() ? std::vector<std::string>{"localhost", "127.0.0.1", "::1"} : hosts;
}

// One file does for the server, for our tools and for HBase's Java client.
std::string SiteFile(const std::string& folder, const std::string& who, const std::string& password) {
  std::vector<SiteProperty> properties = {
      {"vaquita.tls.enabled", "true"},
      {"hbase.client.netty.tls.enabled", "true"},
      {"hbase.rpc.tls.keystore.location", folder + "/" + who + ".p12"},
      {"hbase.rpc.tls.keystore.password", password},
      {"hbase.rpc.tls.truststore.location", folder + "/truststore.p12"},
      {"hbase.rpc.tls.truststore.password", password},
  };
  if (who == "server") {
    properties.push_back({"hbase.server.netty.tls.enabled", "true"});
    properties.push_back({"hbase.server.netty.tls.supportplaintext", "false"});
    properties.push_back({"hbase.server.netty.tls.client.auth.mode", "NEED"});
    properties.push_back({"hbase.rpc.tls.certReload", "true"});
  }
  return WriteSiteFile(properties);
}

// A user's files bear the user's name, and must not replace those that are made for all.
absl::Status CheckUser(const std::string& user) {
  if (user.empty() || user.find('/') != std::string::npos) {
    return absl::InvalidArgumentError("certs: \"" + user + "\" names no user");
  }
  for (const char* const taken : {"ca", "server", "client", "hbase", "truststore"}) {
    if (user != taken) continue;
    return absl::InvalidArgumentError("certs: --user " + user +
                                      ": certs makes a file of that name itself; give another");
  }
  return absl::OkStatus();
}

absl::Status MakeCerts(const CertsArguments& arguments) {
  for (const std::string& user : arguments.users) VAQUITA_RETURN_IF_ERROR(CheckUser(user));
  KeepFilesToUser();
  std::error_code error;
  const std::string folder = AbsolutePath(arguments.folder);
  fs::create_directories(folder, error);
  if (error) return absl::InvalidArgumentError(absl::StrCat("--out ", folder, ": ", error.message()));
  VAQUITA_ASSIGN_OR_RETURN(const Certified authority, AuthorityIn(folder));
  const std::vector<std::string> hosts = HostsFor(arguments, folder);
  std::vector<std::string> names = {"server", "client"};
  names.insert(names.end(), arguments.users.begin(), arguments.users.end());
  for (const std::string& who : names) {
    VAQUITA_ASSIGN_OR_RETURN(const Certified own, MakeCertificate({.name = who, .hosts = hosts}, authority));
    VAQUITA_RETURN_IF_ERROR(ReplaceFile(folder + "/" + who + ".pem", own.key + own.certificate));
    VAQUITA_RETURN_IF_ERROR(ReplaceFile(folder + "/" + who + ".p12", MakePkcs12(own, authority, arguments.password)));
    VAQUITA_RETURN_IF_ERROR(ReplaceFile(folder + "/" + who + "-site.xml", SiteFile(folder, who, arguments.password)));
  }
  fs::copy_file(folder + "/client-site.xml", folder + "/hbase-site.xml", fs::copy_options::overwrite_existing, error);
  if (error) return absl::InvalidArgumentError(absl::StrCat("certs: ", folder, "/hbase-site.xml: ", error.message()));
  VAQUITA_RETURN_IF_ERROR(ReplaceFile(folder + "/truststore.p12", MakePkcs12({}, authority, arguments.password)));
  std::printf(
      "Keys and certificates for tests are in %s.\n"
      "  server   vaquita standalone --data data --config %s/server-site.xml\n"
      "  tools    vaquita shell --tls %s/client-site.xml\n"
      "  Java     put %s on the class path: its hbase-site.xml is the client's\n",
      folder.c_str(), folder.c_str(), folder.c_str(), folder.c_str());
  return absl::OkStatus();
}

}  // namespace

int RunCerts(const CertsArguments& arguments) { return EndCommand("vaquita", MakeCerts(arguments)); }

}  // namespace vaquita
