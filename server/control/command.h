// server/control/command.h: the commands of the master's assignment to a region server: the one vocabulary of the
// state machine that decides it, the wire, and the server that does it.
//
// The master decides; a region server only does as it is told. An opening: meta OPENING(server); kOpen; meta OPEN;
// kServe. So nothing is acknowledged that meta does not know where to find. Before it, if the region is elsewhere: meta
// CLOSING; kClose; kRelease there. Every command may be repeated after an error, a lost answer or a crash of either
// side: nothing is done twice. So whoever finds a region in the middle of this, by meta and the reports, repeats the
// step.
//
// Where a region's data is ("home"): in its handoff (server/data_root/handoff.h: ListHandoffs), if there is one; else
// in the folder of the server where it was open last, which meta says also of a closed one. A handoff is there whole or
// not at all, and it is removed before the region is served: so nothing was written since, wherever else a crash left
// files.
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
  // Opens regions; they are not served, unless they were before. One with a handoff is made of that, in place of what a
  // crash left of it here. One that was never open, and of which there is nothing, is created. NotFound: there is
  // nothing of it here, and no handoff. DataLoss or kCorruptHFile: its data here are damaged or missing, or `refusal`
  // says so, which clients who ask for it are told from then on.
  kOpen,
  // Removes the regions' handoffs; from then on clients are answered. kNotServingRegion: the region is not open here.
  kServe,
  // Closes regions, after they wrote their memstores to files, most of it while they still serve; the stores stay.
  // `other`: the name of the server where they will open, which clients are told; empty: unknown. kNotServingRegion: it
  // is not open here, so closed already.
  kClose,
  // Hands closed regions over: links their files into handoffs, then drops their stores. FailedPrecondition: it is
  // open. NotFound: there is nothing of it here, and no handoff.
  kRelease,
  // Closes regions that meta does not have here. The stores stay: what meta says of them may be wrong. The server's
  // next start looks at them again.
  kDrop,
  // Recovers a server, `other`, that is dead, or only seems so: takes its folder away by renaming it, replays its log
  // and makes a handoff of every region, which are all whose home it is; then the folder goes, and what else it has
  // goes to the sideline if it is data. A status each: OK, its handoff is there; NotFound, there is no data of it;
  // DataLoss, they are damaged, and the folder stays; other errors leave the folder for another try.
  kRecover,
  // A split or merge as region/split.h cuts it: Begin closes the parents and makes the new regions; the master switches
  // meta in one edit, or does not, and says which by kEndTransition; then the new regions are served, or the parents
  // again. Begin repeated answers as before. `split_row` empty: the region's own split point.
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
