// server/master/assignment/state_machine/messages.h: the inputs and outputs of the assignment of regions,
// as plain values.
//
// Ownership: a region's info is shared, because many messages name it. Names: a server's is "host,port,startcode"; a
// region's is its encoded name.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "model/cluster_status.h"
#include "model/region_info.h"
#include "server/control/command.h"
#include "server/control/membership.h"

namespace vaquita::assignment {

using RegionName = std::string;

// ---- in ----

// A region as meta has it when a master starts; split parents are not among them.
struct LoadedRegion {
  RegionInfo info;
  RegionState state = RegionState::kOffline;
  std::string home;             // info:server, info:serverstartcode; empty: it was never open
  std::string target;           // info:sn of one that is OPENING
  bool table_enabled = true;    // or being enabled
  bool table_changing = false;  // being enabled or disabled, with all its regions
  // Expect: the region's table, which the table of that name may not be yet. Else null.
  std::shared_ptr<const TableDescriptor> table = nullptr;
};

struct LoadedMeta {
  std::vector<LoadedRegion> regions;
  std::vector<std::string> dead_servers;  // whose recovery was decided
  std::vector<std::string> draining_servers;
  std::vector<std::string> closed_servers;  // Draining::kNoNewRegions
  std::vector<std::string> folders;         // the servers that have one in root/server
};

struct Registration {
  std::string server;
  bool new_life = true;  // it has no folder yet
  bool leased = true;    // false: it is in the master's process, and lives as long as the master does
};

struct RegistrationDecision {
  Membership membership = Membership::kMember;  // kDead: it must end
  // kDead, and it may come again with a later start code than this one's, the latest dead life of its address: it is a
  // new life, and no other life of its address is live. Else empty.
  std::string later_life;
  // True: a new life opens the folder of its name, with `regions`, and drops all other stores in it. False: it begins
  // with an empty folder.
  bool adopt = false;
  struct Adopted {
    std::shared_ptr<const RegionInfo> info;
    bool open = true;
    std::shared_ptr<const TableDescriptor> table;  // as in RegionOrder
  };
  std::vector<Adopted> regions;
};

// A server's report on itself, when it gets its lease and whenever it renews it.
struct ServerState {
  std::string server;
  bool ready = false;  // it has opened its folder, and carries out commands
  // The lists count in its first report to a master: commands of older masters have ended then.
  std::vector<PendingTransition> transitions;
  std::vector<RegionName> open_regions;  // served or not
};

// Says where a draining server's regions go.
enum class Draining {
  kNo,
  kNoNewRegions,  // it keeps those that it has
  kAllLeave,      // while there is another server
};

// A region and the server that opens it; empty: the placement chooses.
struct Destination {
  RegionName region;
  std::string server;
};

// ---- out ----

// Commands to a server, and their answers. The state machine's commands have only the tables of announced regions.
using vaquita::Command;
using vaquita::CommandKind;
using vaquita::CommandName;
using vaquita::CommandResult;
using vaquita::RegionOrder;

// A region's new row in meta. Without a home it has no columns of a server.
struct RegionChange {
  std::shared_ptr<const RegionInfo> info;
  RegionState state = RegionState::kOffline;
  std::string home;
  std::string target;  // the server of an OPENING region
};

// A decided split or merge: the new regions' rows, OPEN on `server`, replace the parents'.
struct TransitionChange {
  bool split = true;
  std::vector<std::shared_ptr<const RegionInfo>> parents;
  std::vector<std::shared_ptr<const RegionInfo>> new_regions;
  std::string server;
};

// An earlier life's folder in root/server takes the name of a later one, if it has not already.
struct Adoption {
  std::string earlier;
  std::string later;
};

// A request that has ended.
struct Finished {
  int64_t request = 0;
  absl::Status status;
};

// The consequences of an input, to be carried out in the order of the fields. Everything before `commands` must be
// durable before the first command is sent; the changes of meta are one atomic write.
struct Outputs {
  std::vector<std::string> now_dead;  // stored for the next master
  std::vector<TransitionChange> transitions;
  std::vector<RegionChange> changes;
  std::vector<Adoption> adoptions;
  std::vector<std::string> no_longer_dead;  // the journal forgets them
  // Handoffs of removed regions, which the recovery of their home has made. They only take space.
  std::vector<RegionName> unwanted_handoffs;
  std::vector<std::string> heard_late;  // they get another lease, because this master did not run
  std::vector<Command> commands;
  std::vector<Finished> finished;
};

// ---- the choice of servers ----

// Returns one of `servers`, which has at least one, for each region, in the regions' order. `last_servers` has the
// server where each region was open last; empty if it is new.
using Placement = std::function<std::vector<std::string>(const std::vector<std::string>& last_servers,
                                                         const std::vector<std::string>& servers)>;

}  // namespace vaquita::assignment
