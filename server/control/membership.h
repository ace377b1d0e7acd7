// server/control/membership.h: the messages by which a region server registers with the master and reports to it, as
// plain data.
//
// A server registers, reports at once, and then reports three times per lease. Its lease begins when it SENT the last
// report that was answered kMember (server/control/server_lease.h). The master considers the server dead a lease and a
// margin after it RECEIVED the last report. So a server has stopped answering clients before its regions open elsewhere
// if clocks run at the same rate. Source: RegionServerStatusService, ServerManager (2.6).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/cluster_status.h"
#include "model/region_info.h"
#include "model/region_of_table.h"
#include "server/access/permissions.h"

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
  // True: it carries out this master's commands. False while it opens the folder that it took over, or still runs an
  // older master's command: then only its lease is renewed, and the lists are not complete.
  bool ready = true;
  int64_t permissions_version = 0;  // the version of the users' rights that it knows
};

struct ServerRegistration {
  std::string server_name;   // "host,port,startcode"
  std::string grpc_address;  // host:port: its data for clients, and RegionServerControl for the master
  // True: a new life, which has no folder yet. False: a server that goes on, because it found another master or was
  // forgotten; its first report has its regions.
  bool new_life = true;
  // False: it is in the master's process and lives as long as the master, so it need not report.
  bool leased = true;
  std::string info_address = {};  // host:port of its pages; empty: it has none
  int64_t now_ms = 0;             // by its clock; 0: it does not say
};

struct RegistrationAnswer {
  int64_t master_epoch = 0;
  int64_t lease_ms = 0;  // it begins with the registration
  // For a new life: the name of an earlier one on the same address that nobody recovers. The server takes over its
  // folder and `regions`, all regions whose home it is. It opens these, and serves them when the master says so. It
  // removes all else from the folder; data go to the sideline. Empty: the server begins with an empty folder.
  std::string adopt;
  std::vector<RegionOfTable> regions;
  std::shared_ptr<const Permissions> permissions;  // users' rights; null: they have none
};

enum class Membership {
  kMember,   // the lease is renewed
  kUnknown,  // this master does not know the server, which has to register
  kDead,     // the master considers it dead, and its folder may be gone: it must end at once
};

struct ReportAnswer {
  Membership membership = Membership::kMember;
  int64_t master_epoch = 0;
  // Users' rights, for a server whose report shows older ones; else null. The server takes them over before its lease
  // goes on, and reports again at once.
  std::shared_ptr<const Permissions> permissions = {};
};

}  // namespace vaquita
