// tests/semantics/filter_form.h: the filters of a script: HBase's filter language, or a form in parentheses for what
// that cannot say.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "model/filter_spec.h"

namespace vaquita::semantics {

// The error is the filter language's own, which belongs to the rules. Throws ScriptError for a form that is none.
absl::StatusOr<FilterSpec> ParseFilter(std::string_view text);

CompareOp ParseOp(std::string_view word);

}  // namespace vaquita::semantics
