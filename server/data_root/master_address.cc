#include "server/data_root/master_address.h"

#include <map>
#include <string_view>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/durable_files.h"
#include "base/status.h"
#include "server/data_root/checked_bytes.h"

namespace vaquita {
namespace {

std::string PathIn(const std::string& root) { return root + "/master/address"; }

// Begins the last line, with the checksum of all lines before.
constexpr const char* kCheck = "check ";

absl::Status Damaged(const std::string& root) {
  return absl::DataLossError(PathIn(root) + " is not a master's address: the next master that leads writes it anew");
}

}  // namespace

absl::Status WriteMasterAddress(const std::string& root, const MasterAddress& address) {
  const std::string text = absl::StrCat("grpc ", address.grpc_address, "\nname ", address.server_name, "\nepoch ",
                                        address.epoch, "\ncluster ", address.cluster_id, "\n");
  return ReplaceFile(PathIn(root), absl::StrCat(text, kCheck, Crc32(text), "\n"));
}

absl::StatusOr<MasterAddress> ReadMasterAddress(const std::string& root) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string whole, ReadFile(PathIn(root)));
  const size_t check = whole.rfind(kCheck);
  const std::string text = whole.substr(0, check);
  const bool is_whole = check == std::string::npos ? whole.ends_with('\n')  // an older release's
                                                   : whole == absl::StrCat(text, kCheck, Crc32(text), "\n");
  if (!is_whole) return Damaged(root);
  std::map<std::string, std::string> values;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    values.insert(std::pair<std::string, std::string>(absl::StrSplit(line, absl::MaxSplits(' ', 1))));
  }
  MasterAddress address{.grpc_address = values["grpc"], .server_name = values["name"], .cluster_id = values["cluster"]};
  if (address.grpc_address.empty() || address.server_name.empty() || address.cluster_id.empty() ||
      !absl::SimpleAtoi(values["epoch"], &address.epoch)) {
    return Damaged(root);
  }
  return address;
}

}  // namespace vaquita
