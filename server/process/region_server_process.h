// server/process/region_server_process.h: a region server of a cluster as a process of its own, behind HBase's RPC and
// gRPC.
//
// It finds the master through the data root (server/data_root/master_address.h), registers, takes over or makes its
// folder, and serves what the master tells it to. It reports three times per lease, and looks for the master anew
// whenever that one does not answer: so a master may come and go. It answers clients only under its lease. Threads: one
// of its own for the membership; the methods here are called by one thread. Source: HRegionServer (2.6).
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"

namespace vaquita {

class RegionServer;

struct RegionServerProcessOptions {
  std::string data_path;             // the data root
  const Options* options = nullptr;  // outlives the process
  Clock* clock = nullptr;            // null: the system's
};

class RegionServerProcess {
 public:
  // Listens, and begins to look for a master.
  static absl::StatusOr<std::unique_ptr<RegionServerProcess>> Start(const RegionServerProcessOptions& options);
  virtual ~RegionServerProcess() = default;  // stops, as StopNow

  // Whether it is a member and has opened its folder: from then on it stays so until it ends.
  virtual bool serving() const = 0;
  // Whether it can go on no more: it was taken for dead, or cannot open its folder; `*why` says so in one line. The
  // process is to end then, and to be started anew.
  virtual bool ended(absl::Status* why) const = 0;

  // host:port that was bound.
  virtual std::string region_server_address() const = 0;
  virtual std::string grpc_address() const = 0;
  virtual std::string info_address() const = 0;     // HTTP; empty: there is none
  virtual std::string server_name() const = 0;      // "host,RPC port,startcode"
  virtual std::string data_path() const = 0;        // absolute
  virtual RegionServer* region_server() const = 0;  // null before it serves

  // Has the master move its regions away first. Gives up, and keeps what it has for its next life, when there is no
  // master, or nothing moves any more: nobody else may be there. Then as StopNow.
  virtual void Stop() = 0;
  // No new requests, running ones end, regions close where they are. For when the whole cluster stops.
  virtual void StopNow() = 0;
};

}  // namespace vaquita
