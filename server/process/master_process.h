// server/process/master_process.h: the master of a cluster as a process of its own, behind HBase's RPC, ZooKeeper's
// protocol and gRPC.
//
// One data root may have several; the one that has the root's lock leads, the others wait, and are known as backup
// masters. Who leads listens; so a waiting master on the same machine may have the same ports. For HTTP those who wait
// listen, too, if they can. Threads: one thread calls all methods. Source: HMaster, ActiveMasterManager (2.6).
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "server/master/master.h"

namespace vaquita {

struct MasterProcessOptions {
  std::string data_path;             // the data root
  const Options* options = nullptr;  // outlives the process
  Clock* clock = nullptr;            // null: the system's
};

class MasterProcess {
 public:
  // One that waits: it is known as a backup master, and does nothing else yet.
  static absl::StatusOr<std::unique_ptr<MasterProcess>> Create(const MasterProcessOptions& options);
  virtual ~MasterProcess() = default;  // stops

  // Leads from now on, if nobody else does: whether it does. After an error it is of no more use.
  virtual absl::StatusOr<bool> TryToLead() = 0;
  // Whether it can lead no more, and must end at once; `*why` says so in one line. Any thread.
  virtual bool ended(absl::Status* why) const = 0;

  // Of one that leads.
  virtual Master* master() = 0;
  // host:port that was bound.
  virtual std::string zookeeper_address() const = 0;
  virtual std::string master_address() const = 0;
  virtual std::string grpc_address() const = 0;
  virtual std::string info_address() const = 0;  // HTTP; empty: there is none

  virtual std::string server_name() const = 0;  // "host,RPC port,startcode"
  virtual std::string data_path() const = 0;    // absolute
  virtual void Stop() = 0;                      // no new requests, running ones end; another master may lead
};

}  // namespace vaquita
