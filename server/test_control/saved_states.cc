#include "server/test_control/saved_states.h"

#include <algorithm>
#include <cctype>

#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/json_value.h"
#include "base/status.h"
#include "server/test_control/control_json.h"

namespace vaquita {
namespace {

// A state that is being saved, and its description, have these names until they are whole; no state can have them.
constexpr char kBeingSaved[] = ".saving";
constexpr char kBeingDescribed[] = ".describing";
constexpr char kDescription[] = ".json";

absl::Status CheckName(const std::string& name) {
  const bool legal = !name.empty() && name[0] != '.' && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  });
  if (legal && !name.ends_with(kDescription)) return absl::OkStatus();
  return absl::InvalidArgumentError("name: \"" + name +
                                    "\" must be of letters, digits, '_', '-' and '.', without one at the beginning");
}

}  // namespace

absl::Status SavedStates::Save(const v1::SavedState& state,
                               const std::function<absl::Status(const std::string&)>& fill) const {
  VAQUITA_RETURN_IF_ERROR(CheckName(state.name()));
  const std::string being_saved = FolderOf(kBeingSaved);
  VAQUITA_RETURN_IF_ERROR(CreateFolder(folder_));
  VAQUITA_RETURN_IF_ERROR(RemoveAll(being_saved));
  VAQUITA_RETURN_IF_ERROR(fill(being_saved));
  VAQUITA_RETURN_IF_ERROR(Remove(state.name()));
  VAQUITA_RETURN_IF_ERROR(RenamePath(being_saved, FolderOf(state.name())));
  VAQUITA_RETURN_IF_ERROR(WriteFile(FolderOf(kBeingDescribed), JsonText(MessageToJson(state))));
  return RenamePath(FolderOf(kBeingDescribed), FolderOf(state.name()) + kDescription);
}

absl::StatusOr<std::vector<v1::SavedState>> SavedStates::List() const {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> names, ListFolder(folder_));
  std::vector<v1::SavedState> states;
  for (const std::string& name : names) {
    if (!name.ends_with(kDescription)) continue;
    VAQUITA_ASSIGN_OR_RETURN(const std::string text, ReadFile(folder_ + "/" + name));
    VAQUITA_RETURN_IF_ERROR(Annotate(MessageFromJson(text, &states.emplace_back()), folder_ + "/" + name));
  }
  return states;
}

absl::StatusOr<v1::SavedState> SavedStates::Find(const std::string& name) const {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<v1::SavedState> states, List());
  std::string names;
  for (const v1::SavedState& state : states) {
    if (state.name() == name) return state;
    absl::StrAppend(&names, names.empty() ? "" : ", ", state.name());
  }
  return absl::NotFoundError(
      absl::StrCat("there is no saved state \"", name, "\"; there are: ", names.empty() ? "none" : names));
}

absl::Status SavedStates::Delete(const std::string& name) const {
  VAQUITA_RETURN_IF_ERROR(Find(name).status());
  return Remove(name);
}

// The description first: without a folder it would promise a state that nobody can restore.
absl::Status SavedStates::Remove(const std::string& name) const {
  VAQUITA_RETURN_IF_ERROR(RemoveAll(FolderOf(name) + kDescription));
  return RemoveAll(FolderOf(name));
}

}  // namespace vaquita
