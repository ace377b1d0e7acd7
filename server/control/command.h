// server/control/command.h: the commands of the master's assignment to a region server. The state machine, the wire and
// the server all use them.
//
// The master decides, and a region server only carries out commands. A region opens in these steps: meta
// OPENING(server); kOpen; meta OPEN; kServe. So meta knows where to find every acknowledged write. If the region is
// open elsewhere, these steps come first, there: meta CLOSING; kClose; kRelease. After an error, a lost answer or a
// crash of either side the master may repeat every command: nothing is done twice. So a master that finds a region
// between two steps, by meta and the reports, repeats the step.
//
// A region's data are in its handoff (server/data_root/handoff.h: ListHandoffs), if it has one; else at its home, the
// folder of the server where it was open last. Meta knows the home of a closed region, too. A handoff exists whole or
// not at all, and is removed before the region is served. So no other files that a crash left have later writes.
//
// Source: AdminService's executeProcedures, OpenRegionRequest, CloseRegionRequest, SplitWALCallable (2.6).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "model/region_info.h"
#include "server/control/membership.h"

namespace vaquita {

struct TableDescriptor;

// The wire has these values plus 1.
enum class CommandKind {
  // Opens regions, which are not served unless they were before. One that is open takes the order's table, if it has
  // another one. A region with a handoff is made from it, and replaces its leftovers of a crash here. A region without
  // data that was never open is created. NotFound: the server has no data of the region, and there is no handoff.
  // DataLoss or kCorruptHFile: its data here are damaged or missing, or `refusal` says so; from then on clients of the
  // region get this error.
  kOpen,
  // Removes the regions' handoffs, and serves the regions. kNotServingRegion: the region is not open here.
  kServe,
  // Closes regions, after most of their memstores was written to files while they still served; the stores stay.
  // `other`: the name of the server where they will open, which clients are told; empty: unknown. kNotServingRegion:
  // the region is not open here, so it is closed already.
  kClose,
  // Hands closed regions over: links their files into handoffs, then drops their stores. FailedPrecondition: the region
  // is open. NotFound: the server has no data of the region, and there is no handoff.
  kRelease,
  // Closes regions that meta does not have here. The stores stay, because meta may be wrong. The server's next start
  // examines them again.
  kDrop,
  // Recovers the server `other`, which is dead or seems so: fences it by renaming its folder, replays its log, and
  // makes
  // handoffs of `regions`, all regions whose home it is. Then it removes the folder; other data in it go to the
  // sideline. A status for each region: OK, its handoff exists; NotFound, the folder has no data of it; DataLoss, they
  // are damaged, and the folder stays; other errors keep the folder for another try.
  kRecover,
  // A split or merge in the steps of region/split.h: Begin closes the parents and makes the new regions. The master
  // edits meta, or does not, and says so by kEndTransition. Then the new regions are served, or the parents again. A
  // repeated Begin has the same answer. `split_row` empty: the region's own split point.
  kBeginSplit,
  kBeginMerge,  // `forcible`
  // By `transition`, a PendingTransition::id: `commit`, or roll back. One that is not pending has ended: OK.
  kEndTransition,
};
const char* CommandName(CommandKind kind);  // "open"

// Names a region of a command. Its info is shared, for a region is named in many commands.
struct RegionOrder {
  std::string region;  // encoded name
  std::shared_ptr<const RegionInfo> info;
  bool never_open = false;  // there may be no data of it anywhere
  // kOpen: not empty: its data are damaged or nowhere, and this says why. It is not opened; clients are told.
  std::string refusal;
  std::shared_ptr<const TableDescriptor> table;  // for kOpen, kRelease and kRecover, when they are sent
};

// A command is repeated, with the same id, until its result comes or the server is dead; so a server may get it more
// than once, and late.
struct Command {
  int64_t id = 0;
  CommandKind kind = CommandKind::kOpen;
  std::string server;
  std::vector<RegionOrder> regions;
  std::string other;
  std::string split_row;
  bool forcible = false;
  std::string transition;
  bool commit = false;
};

// A server's answer to a command.
struct CommandResult {
  int64_t id = 0;
  bool answered = true;               // else it is not known whether it did anything
  absl::Status status;                // the whole command's
  std::vector<absl::Status> regions;  // each region's, in the command's order; empty: as `status`
  PendingTransition transition;       // the begun one
};

// Returns whether a command of this kind needs its regions' tables.
bool NeedsTables(CommandKind kind);
// Returns whether a command of this kind has a result for each region.
bool AnswersForEachRegion(CommandKind kind);
// Returns the result of a command that failed as a whole: each region has `status`; of a recovery, a split or a merge
// the whole has it.
CommandResult FailedCommand(const Command& command, const absl::Status& status);

// Returns the error, Unavailable, of a command that a server did not answer: it may be done or not.
absl::Status Unanswered(std::string_view message);
// Returns whether `status` came from Unanswered, so is not the server's own.
bool IsUnanswered(const absl::Status& status);

}  // namespace vaquita
