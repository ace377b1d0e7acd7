// server/test_control/saved_states.h: the states that a test has saved, by name: a folder each, and a file that
// describes it.
//
// Threads: any; one change at a time.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {

class SavedStates {
 public:
  explicit SavedStates(std::string folder) : folder_(std::move(folder)) {}

  // `fill` makes a folder with the state. When it is complete, the state replaces an older one of its name.
  // InvalidArgument if the name is malformed.
  absl::Status Save(const v1::SavedState& state, const std::function<absl::Status(const std::string&)>& fill) const;
  // NotFound names the saved states.
  absl::StatusOr<v1::SavedState> Find(const std::string& name) const;
  absl::StatusOr<std::vector<v1::SavedState>> List() const;  // by name
  absl::Status Delete(const std::string& name) const;
  std::string FolderOf(const std::string& name) const { return folder_ + "/" + name; }

 private:
  absl::Status Remove(const std::string& name) const;

  const std::string folder_;
};

}  // namespace vaquita
