// server/process/service_addresses.h: where clients find a process's services.
//
// That is where they listen, unless clients reach them by another way, such as a container's port mapping: then the
// address is advertised (vaquita.advertised.*). Threads: none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/options.h"

namespace vaquita {

// host:port of each service; empty: the process does not have it.
struct ServiceAddresses {
  std::string zookeeper;
  std::string master;
  std::string region_server;
  std::string grpc;
  std::string master_info;
  std::string region_server_info;
  std::string query_server;  // Phoenix's; nobody is told another address of it
};

// One of them by its name in JSON and on the command line ("regionServer"), and the property that advertises it.
struct ServiceAddressRow {
  std::string_view name;
  std::string ServiceAddresses::*address;
  std::string_view property;
  std::string Options::*advertised;
};
const std::vector<ServiceAddressRow>& ServiceAddressRows();

// InvalidArgument, naming `property` and the address, unless it is host:port with a port in 1..65535.
absl::Status CheckAdvertised(std::string_view property, std::string_view address);
absl::Status CheckAdvertised(const Options& options);

// Returns what the options advertise; empty: nothing.
ServiceAddresses AdvertisedBy(const Options& options);
// `bound` with what is advertised instead. What does not listen is not advertised.
ServiceAddresses WithAdvertised(ServiceAddresses bound, const ServiceAddresses& advertised);

// Returns the value of hbase.zookeeper.quorum for ZooKeeper at `address`: the host, to which clients add the port of
// hbase.zookeeper.property.clientPort. They take an IPv6 address for one with a port, so it has its own.
std::string QuorumOf(std::string_view address);

// Returns the hbase-site.xml by which HBase's clients find the server, and Phoenix's thin tools the query server's
// port. `region_server` may be several, with commas between them.
std::string ClientSiteFile(const ServiceAddresses& addresses);

}  // namespace vaquita
