// server/data_root/master_address.h: the address of a cluster's active master, in a file of the data root, for region
// servers.
//
// The master that has the root's lock writes root/master/address after it listens, and the file stays when it ends. So
// the address may be outdated; a caller that gets no answer there reads it again. Disk: lines "key value".
// Threads: any. Source: HBase keeps this in ZooKeeper (ActiveMasterManager).
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita {

struct MasterAddress {
  std::string grpc_address;  // host:port
  std::string server_name;   // "host,port,startcode", with the port of HBase's RPC
  int64_t epoch = 0;
  std::string cluster_id;

  friend bool operator==(const MasterAddress&, const MasterAddress&) = default;
};

// Replaces the file atomically: a reader sees the old address or the new one.
absl::Status WriteMasterAddress(const std::string& root, const MasterAddress& address);

// Returns NotFound if no master has written the file yet; DataLoss if it is malformed.
absl::StatusOr<MasterAddress> ReadMasterAddress(const std::string& root);

}  // namespace vaquita
