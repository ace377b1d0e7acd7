// tools/lab/emulation_input.h: the emulator's options for the cluster, the table and the load.
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
  // The load: as many of records (--rows), rate, volume and duration as determine it.
  std::optional<double> rate;  // records a second
  double volume_bytes = 0;     // size of the store files before compression
  double duration_ms = 0;
  std::string reads = "uniform";
  uint64_t points = 1'000'000;  // size of the sample
};

void AddEmulationOptions(CLI::App* command, EmulationInput* input);

// `rows` is the number of records if rate and volume do not determine it. `example` (may be null) has the cells of a
// record's row if no families are given. Prints on stderr the number of the site's properties that the emulator uses.
absl::StatusOr<lab::EmulatedCluster> MakeCluster(const EmulationInput& input);
absl::StatusOr<lab::EmulatedLoad> MakeLoad(const EmulationInput& input, const lab::EmulatedCluster& cluster,
                                           uint64_t rows, double mean_key_bytes, const lab::ExampleDesign* example);

// The keys of a load's records, by design: of the first `run` generated records, or of a file's, which represent a load
// of any size.
class LoadKeys {
 public:
  // Reads a file's records, and keeps a sample of at most kMostFileRecords. `input` outlives the LoadKeys.
  static absl::StatusOr<LoadKeys> Open(const RecordInput& input, const lab::KeyDesign& design);

  absl::StatusOr<double> MeanKeyBytes(double run);
  // Returns at most `most_points` points, evenly over the load. Records without a key are left out, and named on
  // stderr; with `stop_at_bad_record` they are errors.
  absl::StatusOr<lab::KeySample> Sample(uint64_t most_points, double run, bool stop_at_bad_record);
  // Returns the share of the last sample's points that have a key.
  double share_with_key() const { return share_with_key_; }

 private:
  static constexpr uint64_t kMostFileRecords = 1'000'000;

  LoadKeys(const RecordInput& input, lab::KeyDesign design, std::unique_ptr<lab::RecordSet> file_records);

  uint64_t Distinct(double run) const;
  // Appends the key of the n-th of `points` points.
  absl::Status AppendKey(uint64_t n, uint64_t points, double run, std::string* key);

  const lab::RecordGenerator* generator_;  // null: the file's
  lab::KeyDesign design_;
  std::unique_ptr<lab::RecordSet> file_records_;
  lab::RecordBuffer buffer_;
  double share_with_key_ = 1;
};

}  // namespace vaquita
