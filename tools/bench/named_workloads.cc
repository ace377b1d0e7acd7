// The workloads that have names, and those in files. Sources: YCSB's workloads/workloada to f; HBase 2.6's
// PerformanceEvaluation, whose table, keys, columns and values these are, and the default of rows for each client.
#include <algorithm>
#include <fstream>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/did_you_mean.h"
#include "base/status.h"
#include "tools/bench/workload.h"

namespace vaquita::bench {
namespace {

struct NamedRow {
  std::string_view name;
  std::string_view meaning;
  std::string_view properties;  // name=value, separated by blanks
};

constexpr NamedRow kYcsb[] = {
    {"a", "YCSB a, update heavy: 50% reads, 50% updates, zipfian",
     "readproportion=0.5 updateproportion=0.5 requestdistribution=zipfian"},
    {"b", "YCSB b, read mostly: 95% reads, 5% updates, zipfian",
     "readproportion=0.95 updateproportion=0.05 requestdistribution=zipfian"},
    {"c", "YCSB c, read only, zipfian", "readproportion=1 requestdistribution=zipfian"},
    {"d", "YCSB d, read latest: 95% reads of new rows, 5% inserts",
     "readproportion=0.95 insertproportion=0.05 requestdistribution=latest"},
    {"e", "YCSB e, short ranges: 95% scans of up to 100 rows, 5% inserts, zipfian",
     "scanproportion=0.95 insertproportion=0.05 requestdistribution=zipfian maxscanlength=100"},
    {"f", "YCSB f, 50% reads, 50% read-modify-writes, zipfian",
     "readproportion=0.5 readmodifywriteproportion=0.5 requestdistribution=zipfian"},
};

constexpr std::string_view kPerformanceEvaluation =
    "table=TestTable columnfamily=info0 keyprefix= zeropadding=26 insertorder=ordered fieldcount=1 fieldnameprefix= "
    "fieldlength=1000 writeallfields=true recordcount=1048576 operationcount=1048576";

// A BufferedMutator sends 2 MiB of these rows at once.
constexpr NamedRow kCommands[] = {
    {"append", "PE: appends the row's key to a column", "appendproportion=1 requestdistribution=sequential load=false"},
    {"checkAndDelete", "PE: puts, and deletes the column if it has that value",
     "checkanddeleteproportion=1 requestdistribution=sequential load=false"},
    {"checkAndMutate", "PE: puts, and runs a row mutation if the column has that value",
     "checkandmutateproportion=1 requestdistribution=sequential load=false"},
    {"checkAndPut", "PE: puts, and puts again if the column has that value",
     "checkandputproportion=1 requestdistribution=sequential load=false"},
    {"filterScan", "PE: scans the whole table for a value that no row has",
     "scanproportion=1 scanwholetable=true filterbyvalue=true operationcount=10"},
    {"increment", "PE: increments a counter of each row",
     "incrementproportion=1 requestdistribution=sequential load=false"},
    {"randomDelete", "PE: deletes random rows", "deleteproportion=1 batchsize=2000"},
    {"randomRead", "PE: gets of random rows", "readproportion=1"},
    {"randomSeekScan", "PE: scans of at most 120 rows from a random row",
     "scanproportion=1 minscanlength=120 maxscanlength=120 operationcount=10485"},
    {"randomWrite", "PE: puts of random rows, in batches of 2 MB", "updateproportion=1 batchsize=2000 load=false"},
    {"reverseScan", "PE: the next row of a backward scan of the table", "nextrowproportion=1 reversed=true"},
    {"scan", "PE: the next row of a scan of the table", "nextrowproportion=1"},
    {"scanRange10", "PE: scans of 10 rows, from a random row to a stop row",
     "scanproportion=1 scanbystoprow=true minscanlength=10 maxscanlength=10"},
    {"scanRange100", "PE: the same of 100 rows",
     "scanproportion=1 scanbystoprow=true minscanlength=100 maxscanlength=100 operationcount=104857"},
    {"scanRange1000", "PE: the same of 1,000 rows",
     "scanproportion=1 scanbystoprow=true minscanlength=1000 maxscanlength=1000 operationcount=10485"},
    {"scanRange10000", "PE: the same of 10,000 rows",
     "scanproportion=1 scanbystoprow=true minscanlength=10000 maxscanlength=10000 operationcount=1048"},
    {"sequentialDelete", "PE: deletes all rows in order",
     "deleteproportion=1 requestdistribution=sequential batchsize=2000"},
    {"sequentialRead", "PE: gets of all rows in order", "readproportion=1 requestdistribution=sequential"},
    {"sequentialWrite", "PE: puts of all rows in order, in batches of 2 MB",
     "updateproportion=1 requestdistribution=sequential batchsize=2000 load=false"},
};

// Commands of PerformanceEvaluation that this client cannot run.
constexpr std::pair<std::string_view, std::string_view> kAbsent[] = {
    {"asyncRandomRead", "randomRead with more --threads"},
    {"asyncRandomWrite", "randomWrite with more --threads"},
    {"asyncScan", "scan with more --threads"},
    {"asyncSequentialRead", "sequentialRead with more --threads"},
    {"asyncSequentialWrite", "sequentialWrite with more --threads"},
    {"cleanMeta", "no command: hbase:meta is not written to"},
    {"metaRandomRead", "no command: hbase:meta is not measured"},
    {"metaWrite", "no command: hbase:meta is not written to"},
};

absl::Status SetAll(std::string_view properties, Workload* workload) {
  while (!properties.empty()) {
    const std::string_view one = properties.substr(0, properties.find(' '));
    const size_t equals = one.find('=');
    VAQUITA_RETURN_IF_ERROR(workload->Set(one.substr(0, equals), one.substr(equals + 1)));
    properties.remove_prefix(std::min(properties.size(), one.size() + 1));
  }
  return absl::OkStatus();
}

absl::StatusOr<Workload> ReadWorkloadFile(const std::string& path, std::ifstream& file) {
  Workload workload;
  workload.name = path.substr(path.rfind('/') + 1);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string_view text = StdText(absl::StripAsciiWhitespace(line));
    if (text.empty() || text.starts_with('#') || text.starts_with('!')) continue;
    const size_t equals = text.find('=');
    const std::string place = absl::StrCat(path, ":", number, ": ");
    if (equals == std::string_view::npos) {
      return absl::InvalidArgumentError(absl::StrCat(place, "'", AbslText(text), "' is not a property: name=value"));
    }
    const auto stripped = [](std::string_view part) { return StdText(absl::StripAsciiWhitespace(AbslText(part))); };
    const absl::Status set = workload.Set(stripped(text.substr(0, equals)), stripped(text.substr(equals + 1)));
    if (!set.ok()) return absl::InvalidArgumentError(absl::StrCat(place, set.message()));
  }
  return workload;
}

}  // namespace

std::vector<NamedWorkload> NamedWorkloads() {
  std::vector<NamedWorkload> named;
  for (const NamedRow& row : kYcsb) named.push_back({std::string(row.name), std::string(row.meaning)});
  for (const NamedRow& row : kCommands) named.push_back({std::string(row.name), std::string(row.meaning)});
  return named;
}

absl::StatusOr<Workload> FindWorkload(const std::string& name) {
  Workload workload;
  workload.name = name;
  std::vector<std::string_view> names;
  for (const NamedRow& row : kYcsb) {
    names.push_back(row.name);
    if (row.name != name && "workload" + std::string(row.name) != name) continue;
    VAQUITA_RETURN_IF_ERROR(SetAll(row.properties, &workload));
    return workload;
  }
  for (const NamedRow& row : kCommands) {
    names.push_back(row.name);
    if (row.name != name) continue;
    VAQUITA_RETURN_IF_ERROR(SetAll(kPerformanceEvaluation, &workload));
    VAQUITA_RETURN_IF_ERROR(SetAll(row.properties, &workload));
    return workload;
  }
  for (const auto& [absent, instead] : kAbsent) {
    if (absent == name) return absl::InvalidArgumentError(absl::StrCat(name, " is not here; use ", AbslText(instead)));
  }
  if (std::ifstream file(name); file.good() && file.peek() != std::ifstream::traits_type::eof()) {
    return ReadWorkloadFile(name, file);
  }
  return absl::InvalidArgumentError(absl::StrCat("'", name, "' is neither a workload nor a file of properties",
                                                 DidYouMean(name, names), "; `vaquita bench list` has all"));
}

}  // namespace vaquita::bench
