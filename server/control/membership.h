// server/control/membership.h: how a region server and the master agree that it is one of the cluster's, as plain data.
//
// A server registers, and from then on reports, at once and then three times per lease. Its lease runs from the moment
// it SENT the last report that was answered kMember (server/control/server_lease.h); the master takes it for dead a
// lease and a margin after it RECEIVED the last. So a server has stopped answering clients before its regions open
// elsewhere, as far as clocks run at the same pace. Source: RegionServerStatusService, ServerManager (2.6).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/cluster_status.h"
#include "model/region_info.h"
#include "model/region_of_table.h"

namespace vaquita {

// A split or merge between its two halves: the parents are closed, the new regions are not served.
struct PendingTransition {
  std::string id;  // the encoded name of the first new region
  std::vector<RegionInfo> parents;
  std::vector<RegionInfo> new_regions;

  friend bool operator==(const PendingTransition&, const PendingTransition&) = default;
};

// A server's regions and their states. The regions of a pending transition are in no other list.
struct ServerReport {
  ServerMetrics metrics;                       // with its name, and a RegionMetrics of each region that is served
  std::vector<RegionInfo> not_served;          // open, waiting for ServeRegions
  std::vector<PendingTransition> transitions;  // waiting for EndTransition
  // It does as this master tells it. Not yet while it opens the folder that it took over, or while what an older master
  // told it has not ended: then only its lease is renewed, and the lists say nothing.
  bool ready = true;
};

struct ServerRegistration {
  std::string server_name;   // "host,port,startcode"
  std::string grpc_address;  // host:port: its data for clients, and RegionServerControl for the master
  // A new life, which has no folder yet. One that goes on, because it found another master or was forgotten, is none;
  // its first report says what it has.
  bool new_life = true;
  // False: it is in the master's process and lives as long as the master, so it need not report.
  bool leased = true;
  std::string info_address = {};  // host:port of its pages; empty: it has none
};

struct RegistrationAnswer {
  int64_t master_epoch = 0;
  int64_t lease_ms = 0;  // it begins with the registration
  // For a new life: the name of an earlier one on the same address that nobody recovers. Its folder is to be taken over
  // with `regions`, which are all whose home it is: they are opened, and served when the master says so; what else is
  // in the folder goes, to the sideline if it is data. Empty: the server begins with an empty folder.
  std::string adopt;
  std::vector<RegionOfTable> regions;
};

enum class Membership {
  kMember,   // the lease is renewed
  kUnknown,  // this master does not know the server: it is to register
  kDead,     // it was taken for dead, and its folder may be gone: it must end at once
};

struct ReportAnswer {
  Membership membership = Membership::kMember;
  int64_t master_epoch = 0;
};

}  // namespace vaquita
