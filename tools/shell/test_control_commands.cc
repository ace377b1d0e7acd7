// The test control of a server that was started with --test-control (docs/test-control.md). HBase's shell has no such
// command.
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/json_value.h"
#include "base/status.h"
#include "tools/control/ask_control.h"
#include "tools/shell/command.h"

namespace vaquita::shell {
namespace {

absl::StatusOr<Json> JsonOf(const Value& value) {
  if (const bool* truth = value.AsBool()) return Json(*truth);
  if (const int64_t* number = value.AsInteger()) return Json(*number);
  if (const std::string* text = value.AsString()) return Json(*text);
  if (const Array* array = value.AsArray()) {
    Json items = Json::array();
    for (const Value& item : *array) {
      VAQUITA_ASSIGN_OR_RETURN(Json json, JsonOf(item));
      items.push_back(std::move(json));
    }
    return items;
  }
  if (const Hash* hash = value.AsHash()) {
    Json object = Json::object();
    for (const HashEntry& entry : *hash) {
      VAQUITA_ASSIGN_OR_RETURN(object[entry.key.ToText()], JsonOf(entry.value));
    }
    return object;
  }
  return ShellError(absl::StrCat(value.Inspect(), ": must be text, a number, true, false, an array or a hash"));
}

absl::StatusOr<Value> Control(Context& context, Arguments& arguments) {
  std::vector<std::string> words;
  for (const Value& argument : arguments) {
    if (argument.AsHash() == nullptr) {
      words.push_back(argument.ToText());
      continue;
    }
    VAQUITA_ASSIGN_OR_RETURN(const Json fields, JsonOf(argument));
    words.push_back(JsonText(fields));
  }
  const auto answer = AskControl(context.address, words);
  if (!answer.ok()) return ShellError(StdText(answer.status().message()));
  context.out << *answer << "\n";
  return Value();
}

constexpr Command kTestControlCommands[] = {
    {"control", 1, Command::kAnyNumber, Control,
     "Controls a server that was started with --test-control: resets and seeds it, saves and restores its\n"
     "state, moves its clock, orders faults, lists its calls. docs/test-control.md has the operations and\n"
     "their fields. The words are those of `vaquita control`; a hash gives all fields at once.\n\n"
     "  hbase> control 'reset'\n"
     "  hbase> control 'seed', 'snapshot=s', 'table=t'\n"
     "  hbase> control 'clock', 'advance=1d'\n"
     "  hbase> control 'faults', {'match' => {'methods' => ['Mutate'], 'table' => 't'}, 'times' => 2,\n"
     "           'exception' => {'class' => 'RegionTooBusyException'}}\n"
     "  hbase> control 'delete', 'faults'\n"
     "  hbase> control 'calls', 'table=t'\n"},
};

}  // namespace

std::span<const Command> TestControlCommands() { return kTestControlCommands; }

}  // namespace vaquita::shell
