#include "server/data_root/data_format.h"

#include "absl/strings/ascii.h"
#include "base/durable_files.h"
#include "base/status.h"

namespace vaquita {
namespace {

constexpr std::string_view kFormerFormat = "1";  // hbase:meta's rows were in the order of their bytes

}  // namespace

absl::Status CheckDataFormat(const std::string& folder) {
  const std::string path = folder + "/FORMAT";
  const std::string known = std::to_string(kDataFormat);
  // As one: an empty one, from a crash, would be taken for damage.
  if (!PathExists(path)) return ReplaceFile(path, known + "\n");
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  const std::string found(absl::StripAsciiWhitespace(text));
  if (found == known) return absl::OkStatus();
  if (found == kFormerFormat) return ReplaceFile(path, known + "\n");
  if (found.empty() || found.size() > 9 || found.find_first_not_of("0123456789") != std::string::npos) {
    return absl::FailedPreconditionError(path + " is damaged: it must hold the number of its format, " + known +
                                         " for what this version of Vaquita writes");
  }
  return absl::FailedPreconditionError("data folder " + folder + " is in format " + found +
                                       ", this version of Vaquita reads format " + known);
}

}  // namespace vaquita
