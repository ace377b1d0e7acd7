#include "tools/console/command_check.h"

#include <algorithm>
#include <string>

namespace vaquita {
namespace {

bool NamesFile(const shell::Value& value) {
  if (const shell::Array* items = value.AsArray()) return std::any_of(items->begin(), items->end(), NamesFile);
  const shell::Hash* hash = value.AsHash();
  return hash != nullptr && std::any_of(hash->begin(), hash->end(), [](const shell::HashEntry& entry) {
           return entry.key == shell::Value("SPLITS_FILE") || NamesFile(entry.value);
         });
}

}  // namespace

absl::Status CheckCommand(const shell::Command& command, const shell::Arguments& arguments, bool may_write) {
  if (!may_write && !shell::IsReadingCommand(command.name)) {
    return shell::ShellError(std::string(command.name) +
                             " changes something, and this console only reads: start the server with --console-write");
  }
  if (std::any_of(arguments.begin(), arguments.end(), NamesFile)) {
    return shell::ShellError("the console reads no files of the server's machine: give SPLITS in place of SPLITS_FILE");
  }
  return absl::OkStatus();
}

}  // namespace vaquita
