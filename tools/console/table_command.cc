#include "tools/console/table_command.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_join.h"
#include "base/json_value.h"
#include "base/status.h"
#include "model/region_info.h"
#include "tools/console/command_check.h"
#include "tools/console/request_json.h"
#include "tools/shell/bounded_output.h"
#include "tools/shell/command.h"
#include "tools/shell/error_text.h"
#include "tools/shell/formatter.h"

namespace vaquita {
namespace {

using shell::Arguments;
using shell::Value;

constexpr const char* kCommands[] = {"create", "alter",    "enable",        "disable", "drop",
                                     "flush",  "compact",  "major_compact", "split",   "merge_region",
                                     "move",   "balancer", "balance_switch"};
constexpr int kMostDepth = 8;
constexpr size_t kMostOutput = 64 << 10;
constexpr std::chrono::seconds kMostTime{60};

absl::StatusOr<Value> ValueOf(const Json& json, int depth) {
  if (depth > kMostDepth) return absl::InvalidArgumentError("field arguments: nested in at most 8 levels");
  if (json.is_null()) return Value();
  if (json.is_boolean()) return Value(json.get<bool>());
  if (const auto whole = TryIntegerOf(json)) return Value(*whole);
  if (json.is_number()) return Value(json.get<double>());
  if (json.is_string()) return Value(json.get<std::string>());
  if (json.is_array()) {
    shell::Array items;
    for (const Json& item : json) {
      VAQUITA_ASSIGN_OR_RETURN(Value value, ValueOf(item, depth + 1));
      items.push_back(std::move(value));
    }
    return Value(std::move(items));
  }
  shell::Hash hash;
  for (const auto& [key, item] : json.items()) {
    VAQUITA_ASSIGN_OR_RETURN(Value value, ValueOf(item, depth + 1));
    hash.Set(Value(key), std::move(value));
  }
  return Value(std::move(hash));
}

absl::StatusOr<Arguments> ArgumentsOf(const Json& request, std::string_view command) {
  const auto given = request.find("arguments");
  if (given == request.end() || !given->is_array()) {
    return absl::InvalidArgumentError("field arguments is missing: an array of what follows the command");
  }
  VAQUITA_ASSIGN_OR_RETURN(const Value values, ValueOf(*given, 0));
  Arguments arguments = *values.AsArray();
  // The shell takes this key as bytes that its strings can write; JSON's cannot.
  if (command == "split" && arguments.size() > 1 && arguments[1].AsString() != nullptr) {
    arguments[1] = Value(FromStringBinary(*arguments[1].AsString()));
  }
  return arguments;
}

// Checks what the shell leaves to the command's handler: the number of arguments.
absl::Status CheckNumber(const shell::Command& command, size_t given) {
  const bool few = given < static_cast<size_t>(command.least_arguments);
  const bool many =
      command.most_arguments != shell::Command::kAnyNumber && given > static_cast<size_t>(command.most_arguments);
  if (!few && !many) return absl::OkStatus();
  return absl::InvalidArgumentError(std::string(command.name) + " does not take " + std::to_string(given) +
                                    " arguments");
}

}  // namespace

absl::StatusOr<std::string> RunCommand(ClusterLink* link, std::string_view body) {
  VAQUITA_ASSIGN_OR_RETURN(const Json request, ParseRequestJson(body));
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, TextField(request, "command"));
  if (std::find(std::begin(kCommands), std::end(kCommands), name) == std::end(kCommands)) {
    return absl::InvalidArgumentError("unknown command \"" + name + "\"; the commands are " +
                                      absl::StrJoin(kCommands, ", "));
  }
  const shell::Command& command = *shell::FindCommand(name);
  VAQUITA_ASSIGN_OR_RETURN(Arguments arguments, ArgumentsOf(request, name));
  VAQUITA_RETURN_IF_ERROR(CheckNumber(command, arguments.size()));
  VAQUITA_RETURN_IF_ERROR(CheckCommand(command, arguments, /*may_write=*/true));
  VAQUITA_ASSIGN_OR_RETURN(const auto connection, link->Open());
  shell::BoundedOutput output(kMostOutput);
  output.Restart(kMostTime);
  shell::Formatter formatter(output.stream(), 0);
  const auto admin = connection->GetAdmin();
  const std::string address = link->address();
  shell::Context context{*connection, *admin, address, *output.stream(), formatter, [] { return std::nullopt; }};
  const Arguments given = arguments;  // a handler may take its hashes apart
  if (const auto value = command.handler(context, arguments); !value.ok()) {
    return absl::InvalidArgumentError(shell::ErrorText(value.status(), given));
  }
  return JsonText({{"version", 1}, {"output", output.text()}});
}

}  // namespace vaquita
