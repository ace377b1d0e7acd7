#include "model/permission.h"

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita {
namespace {

constexpr std::string_view kLetters = "RWXCA";

}  // namespace

const char* ActionName(UserAction action) {
  static constexpr const char* kNames[] = {"READ", "WRITE", "EXEC", "CREATE", "ADMIN"};
  return kNames[static_cast<int>(action)];
}

absl::StatusOr<UserActions> UserActions::FromLetters(std::string_view letters) {
  UserActions actions;
  for (const char letter : letters) {
    const size_t at = kLetters.find(letter);
    if (at == std::string_view::npos) {
      return IllegalArgument(absl::StrCat("'", std::string(1, letter), "' in \"", AbslText(letters),
                                          "\" is no right; rights are letters of RWXCA"));
    }
    actions.Add(kUserActions[at]);
  }
  return actions;
}

std::string UserActions::Letters() const {
  std::string letters;
  for (const UserAction action : kUserActions) {
    if (Has(action)) letters += kLetters[static_cast<size_t>(action)];
  }
  return letters;
}

std::string UserActions::Names() const {
  std::string names;
  for (const UserAction action : kUserActions) {
    if (Has(action)) absl::StrAppend(&names, names.empty() ? "" : ",", ActionName(action));
  }
  return names;
}

}  // namespace vaquita
