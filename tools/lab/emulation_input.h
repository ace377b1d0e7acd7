// tools/lab/emulation_input.h: the options by which the emulator is told the cluster, the table and the load.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/emulator/emulation.h"
#include "tools/lab/design_input.h"

namespace CLI {
class App;
}

namespace vaquita {

struct EmulationInput {
  // The cluster
  std::string site;                      // an hbase-site.xml
  std::vector<std::string> assignments;  // NAME=VALUE, over the site
  std::string system = "hbase";
  int servers = 1;
  double heap_bytes = 30 * 1073741824.0;
  double disk_bytes_per_s = 200e6;
  // The table
  std::vector<std::string> families;  // NAME:COLUMNSxBYTES; none: the example's, or f:1x100
  double qualifier_bytes = 1;
  double compressed_share = 1;
  double ttl_ms = 0;
  double table_flush_bytes = 0;
  double table_max_file_bytes = 0;
  // The load: of records (--rows), rate, volume and duration, any that say all.
  std::optional<double> rate;  // records a second
  double volume_bytes = 0;     // of store files, before compression
  double duration_ms = 0;
  std::string reads = "uniform";
  uint64_t points = 1'000'000;  // of the sample
};

void AddEmulationOptions(CLI::App* command, EmulationInput* input);

// `rows`: how many records the run has if rate and volume do not say it; `example`, if not null, what a record puts
// into its row if no families are given. Prints on stderr how many properties of the site the emulator goes by.
absl::StatusOr<lab::EmulatedCluster> MakeCluster(const EmulationInput& input);
absl::StatusOr<lab::EmulatedLoad> MakeLoad(const EmulationInput& input, const lab::EmulatedCluster& cluster,
                                           uint64_t rows, double mean_key_bytes, const lab::ExampleDesign* example);

// The keys of a load's records, by design: of the first `run` records that are generated, or of a file's, which stand
// for a load of any size.
class LoadKeys {
 public:
  // A file's records are read here; of more than kMostFileRecords a sample is kept. `input` outlives the LoadKeys.
  static absl::StatusOr<LoadKeys> Open(const RecordInput& input, const lab::KeyDesign& design);

  absl::StatusOr<double> MeanKeyBytes(double run);
  // At most so many points, evenly over the load. Records without a key are left out, and named on stderr, or end it.
  absl::StatusOr<lab::KeySample> Sample(uint64_t most_points, double run, bool stop_at_bad_record);

 private:
  static constexpr uint64_t kMostFileRecords = 1'000'000;

  LoadKeys(const RecordInput& input, lab::KeyDesign design, std::unique_ptr<lab::RecordSet> file_records);

  uint64_t Distinct(double run) const;
  // The key of the n-th of `points` points.
  absl::Status AppendKey(uint64_t n, uint64_t points, double run, std::string* key);

  const lab::RecordGenerator* generator_;  // null: the file's
  lab::KeyDesign design_;
  std::unique_ptr<lab::RecordSet> file_records_;
  lab::RecordBuffer buffer_;
};

}  // namespace vaquita
