// tools/lab/split_input.h: the options of the laboratory's verbs for a table's splits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "lab/design/key_design.h"
#include "lab/splits/split_keys.h"
#include "tools/lab/design_input.h"
#include "tools/lab/live_cluster.h"

namespace CLI {
class App;
}

namespace vaquita {

struct SplitInput {
  std::string file;   // a SPLITS_FILE
  std::string table;  // a table of `live` whose splits are taken
  LiveCluster live;
  std::string keys_file;          // a sample of keys, one per line
  std::string method = "sample";  // the method of calculating splits
  int regions = 0;                // 0: the method's default
  uint64_t sample = 1'000'000;    // keys
  bool sample_first = false;      // samples the run's first records, not the whole run
  int digits = 0;
  std::string prefix;
  int64_t values = 0;
};

// Adds --splits, --split-by, --regions and their parameters, --keys, --table, --address and --quorum.
void AddSplitOptions(CLI::App* command, SplitInput* input);

// Parses the splits of a built-in example's table: "METHOD [regions] [digits=N] [prefix=TEXT]", with the methods of
// --split-by and with first-sample, which takes the design's first keys, as in a table that has grown. Empty means ten
// regions by a sample.
absl::StatusOr<SplitInput> ParseExampleSplits(std::string_view splits);

// `records` and `design` may be null if the method does not need them; otherwise an error says so.
absl::StatusOr<lab::SplitKeys> MakeSplits(const SplitInput& input, const RecordInput* records,
                                          const lab::KeyDesign* design);

}  // namespace vaquita
