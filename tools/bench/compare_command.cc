#include <cstdio>

#include "base/status.h"
#include "tools/bench/bench_command.h"
#include "tools/bench/comparison.h"
#include "tools/bench/comparison_page.h"
#include "tools/bench/output_file.h"

namespace vaquita::bench {

absl::Status CompareRuns(const std::vector<std::string>& files, const std::string& output) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RunGroup> groups, ReadGroups(files));
  std::fputs(ComparisonText(groups).c_str(), stdout);
  return output.empty() ? absl::OkStatus() : WriteFile(output, ComparisonPage(groups));
}

}  // namespace vaquita::bench
