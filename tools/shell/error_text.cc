#include "tools/shell/error_text.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita::shell {
namespace {

// The name the message consists of, or else the command's first argument.
std::string NameIn(std::string_view message, const Arguments& arguments) {
  const bool one_word = !message.empty() && message.find(' ') == std::string_view::npos;
  if (one_word || arguments.empty()) return std::string(message);
  if (const auto* reference = std::get_if<TableReference>(&arguments[0].kind)) return reference->table;
  return arguments[0].ToText();
}

std::string NamespaceIn(std::string_view message, const Arguments& arguments) {
  const std::string name = NameIn(message, arguments);
  return name.substr(0, name.find(':'));
}

}  // namespace

std::string ErrorText(const absl::Status& status, const Arguments& arguments) {
  const std::string_view message = StdText(status.message());
  ErrorKind kind;
  if (!GetErrorKind(status, &kind)) return std::string(message);
  switch (kind) {
    case ErrorKind::kTableNotFound:
      return absl::StrCat("Unknown table ", NameIn(message, arguments), "!");
    case ErrorKind::kTableNotEnabled:
      return absl::StrCat("Table ", NameIn("", arguments), " is disabled!");
    case ErrorKind::kTableNotDisabled:
      return absl::StrCat("Table ", AbslText(message), " should be disabled!");
    case ErrorKind::kTableExists:
      return absl::StrCat("Table already exists: ", NameIn(message, arguments), "!");
    case ErrorKind::kNamespaceNotFound:
      return absl::StrCat("Unknown namespace ", NamespaceIn(message, arguments), "!");
    case ErrorKind::kSnapshotDoesNotExist:
      return absl::StrCat("Unknown snapshot ", NameIn("", arguments), "!");
    case ErrorKind::kUnknownRegion:
      if (message.find(' ') == std::string_view::npos) return absl::StrCat("Unknown region ", AbslText(message), "!");
      return std::string(message);
    case ErrorKind::kMergeRegion:
    case ErrorKind::kIllegalArgument:  // the client's own refusals are printed without a class
    case ErrorKind::kRestoreSnapshot:
      return std::string(message);
    default:
      return absl::StrCat(AbslText(ExceptionClass(status)), ": ", AbslText(message));
  }
}

}  // namespace vaquita::shell
