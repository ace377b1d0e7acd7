#include "server/process/service_addresses.h"

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/host_port.h"
#include "base/site_file.h"
#include "base/status.h"

namespace vaquita {

const std::vector<ServiceAddressRow>& ServiceAddressRows() {
  using A = ServiceAddresses;
  using O = Options;
  static const auto* const kRows = new std::vector<ServiceAddressRow>{
      {"zookeeper", &A::zookeeper, "vaquita.advertised.zookeeper", &O::advertised_zookeeper},
      {"master", &A::master, "vaquita.advertised.master", &O::advertised_master},
      {"regionServer", &A::region_server, "vaquita.advertised.regionserver", &O::advertised_region_server},
      {"grpc", &A::grpc, "vaquita.advertised.grpc", &O::advertised_grpc},
      {"masterInfo", &A::master_info, "vaquita.advertised.master.info", &O::advertised_master_info},
      {"regionServerInfo", &A::region_server_info, "vaquita.advertised.regionserver.info",
       &O::advertised_region_server_info},
  };
  return *kRows;
}

absl::Status CheckAdvertised(std::string_view property, std::string_view address) {
  const absl::Status checked = CheckHostPort(address);
  if (checked.ok()) return checked;
  return absl::InvalidArgumentError(absl::StrCat(AbslText(property), " = ", checked.message()));
}

absl::Status CheckAdvertised(const Options& options) {
  for (const ServiceAddressRow& row : ServiceAddressRows()) {
    const std::string& address = options.*row.advertised;
    if (!address.empty()) VAQUITA_RETURN_IF_ERROR(CheckAdvertised(row.property, address));
  }
  return absl::OkStatus();
}

ServiceAddresses AdvertisedBy(const Options& options) {
  ServiceAddresses advertised;
  for (const ServiceAddressRow& row : ServiceAddressRows()) advertised.*row.address = options.*row.advertised;
  return advertised;
}

ServiceAddresses WithAdvertised(ServiceAddresses bound, const ServiceAddresses& advertised) {
  for (const ServiceAddressRow& row : ServiceAddressRows()) {
    std::string& address = bound.*row.address;
    if (!address.empty() && !(advertised.*row.address).empty()) address = advertised.*row.address;
  }
  return bound;
}

std::string QuorumOf(std::string_view address) {
  const std::string host = HostIn(address);
  return host.find(':') == std::string::npos ? host : std::string(address);
}

std::string ClientSiteFile(const ServiceAddresses& addresses) {
  std::vector<SiteProperty> properties = {
      {"hbase.cluster.distributed", "true"},
      {"hbase.zookeeper.quorum", QuorumOf(addresses.zookeeper)},
      {"hbase.zookeeper.property.clientPort", std::to_string(PortIn(addresses.zookeeper))},
      {"hbase.masters", addresses.master},
      {"hbase.client.bootstrap.servers", addresses.region_server}};
  if (!addresses.query_server.empty()) {
    properties.push_back({"phoenix.queryserver.http.port", std::to_string(PortIn(addresses.query_server))});
  }
  return WriteSiteFile(properties);
}

}  // namespace vaquita
