// server/data_root/master_address.h: where a cluster's active master is, for its region servers: a file in the data
// root.
//
// root/master/address is written by the master that has the root's lock, after it listens, and stays when that one
// ends. So what it says may be over; whoever asks there and gets no answer reads it again. Disk: lines "key value".
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

// In one step: a reader sees the old one or the new one.
absl::Status WriteMasterAddress(const std::string& root, const MasterAddress& address);

// NotFound: there has been no master yet. DataLoss: the file is none of these.
absl::StatusOr<MasterAddress> ReadMasterAddress(const std::string& root);

}  // namespace vaquita
