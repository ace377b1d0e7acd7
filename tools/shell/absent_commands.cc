// The commands of HBase 2.6's shell that have nothing to work on here. Each is refused with a sentence that says why.
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/status.h"
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

// Ends of sentences that begin with "NAME is not there: ".
constexpr char kUseSignal[] = "clients cannot stop a server; send its process SIGTERM (docs/operations.md)";
constexpr char kReadAtStart[] = "settings are read when a server starts, so restart it (docs/configuration.md)";

constexpr Command Missing(const char* name, const char* why) {
  return {name, 0, Command::kAnyNumber, nullptr, why, Command::Absence::kMissing};
}

// A server of Vaquita has no tasks but its calls, which HBase's shell counts as tasks of handlers.
absl::StatusOr<Value> ProcessList(Context& context, Arguments& arguments) {
  const std::string filter = arguments.empty() ? "general" : arguments[0].ToText();
  for (const char* of_calls : {"all", "handler", "rpc", "operation"}) {
    if (filter != of_calls) continue;
    return ShellError("a server's info port lists the calls that run: /rs-status (docs/operations.md)");
  }
  VAQUITA_RETURN_IF_ERROR(context.admin.GetClusterStatus().status());
  context.out << "0 tasks as of: " << absl::FormatTime("%Y-%m-%d %H:%M:%S", absl::Now(), absl::LocalTimeZone())
              << "\nNo general tasks currently running.\n";
  return Value();
}

// HBase's command starts a span in the shell alone, which goes nowhere unless an exporter is configured.
absl::StatusOr<Value> Trace(Context&, Arguments& arguments) {
  if (TextArgument(arguments, 0) == "start") return ShellError("calls are not traced (docs/compatibility.md)");
  return Value(false);
}

absl::StatusOr<Value> CloseRegion(Context& context, Arguments&) {
  context.out << "DEPRECATED!!! Use 'unassign' command instead.\n";
  return Value();
}

constexpr Command kGeneral[] = {
    {"processlist", 0, Command::kAnyNumber, ProcessList,
     "Lists what the region servers do besides answering calls. The info port lists the calls.\n\n  hbase> "
     "processlist\n"},
};

constexpr Command kTools[] = {
    {"close_region", 1, 2, CloseRegion, "Says that unassign closes a region.\n\n  hbase> close_region 'REGION_NAME'\n"},
    {"trace", 0, 2, Trace, "Tells whether calls are traced, which they are not.\n\n  hbase> trace 'status'\n"},
    Missing("stop_master", kUseSignal),
    Missing("stop_regionserver", kUseSignal),
};

constexpr Command kConfiguration[] = {
    Missing("update_config", kReadAtStart),
    Missing("update_all_config", kReadAtStart),
};

}  // namespace

std::span<const Command> AbsentGeneralCommands() { return kGeneral; }
std::span<const Command> AbsentToolsCommands() { return kTools; }
std::span<const Command> AbsentConfigurationCommands() { return kConfiguration; }

}  // namespace vaquita::shell
