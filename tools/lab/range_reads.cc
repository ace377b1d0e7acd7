#include "tools/lab/range_reads.h"

#include <utility>

#include "base/status.h"
#include "client/distribution/distributed_scanner.h"
#include "client/distribution/parallel_reader.h"

namespace vaquita {
namespace {

Scan ScanOf(const RowRange& range) {
  Scan scan;
  scan.rows = range;
  return scan;
}

}  // namespace

absl::StatusOr<uint64_t> CountRowsInTurn(client::Table* table, const std::vector<RowRange>& ranges) {
  uint64_t rows = 0;
  for (const RowRange& range : ranges) {
    VAQUITA_ASSIGN_OR_RETURN(const auto scanner, table->GetScanner(ScanOf(range)));
    for (;;) {
      VAQUITA_ASSIGN_OR_RETURN(const auto row, scanner->Next());
      if (!row) break;
      ++rows;
    }
  }
  return rows;
}

absl::StatusOr<uint64_t> CountRowsAtOnce(client::Table* table, const std::vector<RowRange>& ranges) {
  if (ranges.size() == 1) return CountRowsInTurn(table, ranges);
  std::vector<client::ParallelReader::Source> sources(ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(sources[i].scanner, table->GetScanner(ScanOf(ranges[i])));
  }
  client::ParallelReader reader(std::move(sources), client::BatchLimits(), client::DistributedScanOptions().threads);
  uint64_t rows = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    for (;;) {
      VAQUITA_ASSIGN_OR_RETURN(const auto batch, reader.NextBatch(i));
      if (batch.empty()) break;
      rows += batch.size();
    }
  }
  return rows;
}

}  // namespace vaquita
