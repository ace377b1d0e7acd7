// server/test_control/tested_process.h: the interface by which the test control uses its process.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/test_disk.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {

class Master;
class RegionServer;

// Threads: any. SaveState, RestoreState, Advertise, SetDisk and CutPower close the servers and make them again: the
// control calls them one at a time, and nothing else meanwhile.
class TestedProcess {
 public:
  virtual ~TestedProcess() = default;

  virtual Master* master() = 0;                 // null: it is in another process
  virtual RegionServer* region_server() = 0;    // null: there is none
  virtual std::string server_name() const = 0;  // "host,port,startcode", the region server's if there is one
  // Links the whole state into `folder`, which is not there yet.
  virtual absl::Status SaveState(const std::string& folder) = 0;
  // Replaces the state by that of `folder`, and serves it.
  virtual absl::Status RestoreState(const std::string& folder) = 0;
  // Where saved states are kept: on the file system of the data.
  virtual absl::StatusOr<std::string> SavedStatesFolder() const = 0;
  // Puts a test disk below the data if there is none, and gives it these faults.
  virtual absl::Status SetDisk(const DiskFaults& faults) = 0;
  // Replaces the state by what a power cut leaves of it, and serves it. FailedPrecondition: there is no test disk.
  virtual absl::Status CutPower() = 0;
  virtual absl::Status Advertise(const v1::Addresses& addresses) = 0;
  virtual absl::StatusOr<v1::Addresses> Advertised() const = 0;
  // Drops what sessions of SQL know of tables, and their uncommitted changes.
  virtual void ForgetSessions() {}
  // host:port of the gRPC of the cluster's master; empty: it is here, or not known.
  virtual std::string MasterElsewhere() const { return ""; }
};

// A process of a cluster has only a part of the state, and its addresses are settings: these calls are Unimplemented.
class TestedClusterProcess : public TestedProcess {
 public:
  absl::Status SaveState(const std::string&) override { return NoSavedStates(); }
  absl::Status RestoreState(const std::string&) override { return NoSavedStates(); }
  absl::StatusOr<std::string> SavedStatesFolder() const override { return NoSavedStates(); }
  absl::Status SetDisk(const DiskFaults&) override { return NoDisk(); }
  absl::Status CutPower() override { return NoDisk(); }
  absl::Status Advertise(const v1::Addresses&) override { return FixedAddresses(); }
  absl::StatusOr<v1::Addresses> Advertised() const override { return FixedAddresses(); }

 private:
  static absl::Status NoSavedStates() {
    return absl::UnimplementedError("a cluster's state cannot be saved or restored; that of `vaquita standalone` can");
  }
  static absl::Status NoDisk() {
    return absl::UnimplementedError("a cluster's servers have no test disk; that of `vaquita standalone` can have one");
  }
  static absl::Status FixedAddresses() {
    return absl::UnimplementedError("a cluster's servers have the addresses that they were started with");
  }
};

}  // namespace vaquita
