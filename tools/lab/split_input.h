// tools/lab/split_input.h: the options by which the laboratory's verbs are told a table's splits.
#pragma once

#include <cstdint>
#include <string>

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
  std::string table;  // whose regions' start keys, of `live`
  LiveCluster live;
  std::string keys_file;          // keys, one a line: the sample
  std::string method = "sample";  // else: how they are made
  int regions = 0;                // 0: what the method takes by itself
  uint64_t sample = 1'000'000;    // keys
  bool sample_first = false;      // the run's first ones, not some of the whole run
  int digits = 0;
  std::string prefix;
  int64_t values = 0;
};

// --splits, --split-by, --regions and what belongs to them; `with_live`: --table, --address and --quorum, too.
void AddSplitOptions(CLI::App* command, SplitInput* input, bool with_live);

// `records` and `design` may be null where the method needs none; an error says if it does.
absl::StatusOr<lab::SplitKeys> MakeSplits(const SplitInput& input, const RecordInput* records,
                                          const lab::KeyDesign* design);

}  // namespace vaquita
