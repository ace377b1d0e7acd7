// region/filter/filter_language.h: parses HBase's filter language, which the shell's FILTER => "..." and Thrift take.
//
// Example: (PrefixFilter ('row2') AND QualifierFilter (>=, 'binary:xyz')) OR SKIP ValueFilter (!=, 'substring:x').
// Source: org.apache.hadoop.hbase.filter.ParseFilter (2.6), and the createFilterFromArguments of each filter class.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "model/filter_spec.h"

namespace vaquita {

// Returns kIllegalArgument, in HBase's words, if the text is not in the language.
absl::StatusOr<FilterSpec> ParseFilterLanguage(std::string_view text);

}  // namespace vaquita
