// Commands over procedures and locks. Source: hbase-shell's commands of the group procedures (2.6).
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "tools/shell/cell_text.h"
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

std::string_view StateText(Procedure::State state) {
  switch (state) {
    case Procedure::State::kRunning:
      return "RUNNABLE";
    case Procedure::State::kDone:
      return "SUCCESS";
    case Procedure::State::kFailed:
      return "ROLLEDBACK";
  }
  return "";
}

// A description is the name of HBase's class and what it works on.
absl::StatusOr<Value> ListProcedures(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<Procedure> procedures, context.admin.ListProcedures());
  context.formatter.Header({"PID", "Name", "State", "Submitted", "Last_Update", "Parameters"});
  for (const Procedure& procedure : procedures) {
    const size_t blank = procedure.description.find(' ');
    const std::string parameters = blank == std::string::npos ? "" : procedure.description.substr(blank + 1);
    context.formatter.Row(
        {absl::StrCat(procedure.id),
         absl::StrCat("org.apache.hadoop.hbase.master.procedure.", procedure.description.substr(0, blank)),
         std::string(StateText(procedure.state)), TimeText(procedure.submitted_ms), TimeText(procedure.updated_ms),
         parameters});
  }
  context.formatter.Footer(static_cast<int64_t>(procedures.size()));
  return Value();
}

absl::StatusOr<Value> ListLocks(Context& context, Arguments&) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<LockedResource> locks, context.admin.ListLocks());
  for (const LockedResource& lock : locks) {
    context.out << LockTypeName(lock.type) << "(" << lock.name << ")\n";
    if (lock.exclusive) {
      context.out << "Lock type: EXCLUSIVE, procedure: " << lock.owner << "\n";
    } else {
      context.out << "Lock type: SHARED, count: " << lock.shared_count << "\n";
    }
    if (!lock.waiting.empty()) context.out << "Waiting procedures:\n";
    for (const int64_t id : lock.waiting) context.out << id << "\n";
    context.out << "\n";
  }
  return Value();
}

constexpr Command kProcedureCommands[] = {
    {"list_procedures", 0, 0, ListProcedures,
     "Lists the master's procedures that run, and those that ended a short time ago.\n\n  hbase> list_procedures\n"},
    {"list_locks", 0, 0, ListLocks,
     "Lists what procedures have for themselves now, and who waits for it.\n\n  hbase> list_locks\n"},
};

}  // namespace

std::span<const Command> ProcedureCommands() { return kProcedureCommands; }

}  // namespace vaquita::shell
