#include "tools/lab/example_input.h"

#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"

namespace vaquita {
namespace {

constexpr uint64_t kFirstKeys = 1000;

absl::Status SetWord(absl::string_view word, SplitInput* input) {
  const std::pair<absl::string_view, absl::string_view> sides = absl::StrSplit(word, absl::MaxSplits('=', 1));
  if (sides.first == "prefix") {
    input->prefix = std::string(sides.second);
  } else if (!absl::SimpleAtoi(sides.first == "digits" ? sides.second : word,
                               sides.first == "digits" ? &input->digits : &input->regions)) {
    return absl::InvalidArgumentError(absl::StrCat("splits: '", word, "' is not a number, digits= or prefix="));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<SplitInput> ParseExampleSplits(std::string_view splits) {
  SplitInput input;
  bool is_method = true;
  for (const absl::string_view word : absl::StrSplit(AbslText(splits), ' ', absl::SkipEmpty())) {
    if (is_method) {
      input.sample_first = word == "first-sample";
      if (input.sample_first) input.sample = kFirstKeys;
      input.method = input.sample_first ? "sample" : std::string(word);
      is_method = false;
    } else if (const absl::Status status = SetWord(word, &input); !status.ok()) {
      return status;
    }
  }
  return input;
}

}  // namespace vaquita
