#include "server/master/procedure/descriptor_check.h"

#include "base/log.h"
#include "base/status.h"
#include "model/coprocessors.h"

namespace vaquita {

absl::Status CheckDescriptor(const Options& options, const TableDescriptor& table) {
  if (static_cast<int64_t>(table.families.size()) > options.max_table_families) {
    return Error(ErrorKind::kDoNotRetryIO,
                 "table " + table.name.ToString() + " would have " + std::to_string(table.families.size()) +
                     " families; vaquita.table.max.families is " + std::to_string(options.max_table_families));
  }
  VAQUITA_RETURN_IF_ERROR(table.Validate(options.table_sanity_checks));
  if (!options.ignore_unknown_coprocessors && table.HasSanityChecks(options.table_sanity_checks)) {
    return CheckCoprocessors(table);
  }
  for (const std::string& name : CoprocessorClasses(table)) {
    if (RunsCoprocessor(name)) continue;
    spdlog::warn("table {}: its coprocessor {} does not run here, so the table may behave in another way than in HBase",
                 table.name.ToString(), name);
  }
  return absl::OkStatus();
}

}  // namespace vaquita
