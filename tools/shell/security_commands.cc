// Commands over users and permissions. Source: hbase-shell's commands of the group security (2.6).
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

// The client says who it is, and is believed (SecurityCapability.SIMPLE_AUTHENTICATION). It knows no other way.
absl::StatusOr<Value> ListSecurityCapabilities(Context& context, Arguments&) {
  static const char* const kSimple = "SIMPLE_AUTHENTICATION";
  context.out << kSimple << "\n";
  return Value(Array{Value(kSimple)});
}

constexpr Command kSecurityCommands[] = {
    {"list_security_capabilities", 0, 0, ListSecurityCapabilities,
     "Lists what the cluster has of HBase's security.\n\n  hbase> list_security_capabilities\n"},
};

}  // namespace

std::span<const Command> SecurityCommands() { return kSecurityCommands; }

}  // namespace vaquita::shell
