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

  // `fill` puts the state into a folder that is not there yet. The state replaces one of its name when it is whole.
  // InvalidArgument: its name is none.
  absl::Status Save(const v1::SavedState& state, const std::function<absl::Status(const std::string&)>& fill) const;
  // NotFound, with the names that there are.
  absl::StatusOr<v1::SavedState> Find(const std::string& name) const;
  absl::StatusOr<std::vector<v1::SavedState>> List() const;  // by name
  absl::Status Delete(const std::string& name) const;
  std::string FolderOf(const std::string& name) const { return folder_ + "/" + name; }

 private:
  const std::string folder_;
};

}  // namespace vaquita
