// tests/semantics/filter_form.h: parses the filters of a script: HBase's filter language, or a form in parentheses for
// filters that the language cannot express.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "model/filter_spec.h"

namespace vaquita::semantics {

// Returns the filter language's own errors, which belong to the rules. Throws ScriptError if the form is malformed.
absl::StatusOr<FilterSpec> ParseFilter(std::string_view text);

CompareOp ParseOp(std::string_view word);

}  // namespace vaquita::semantics
