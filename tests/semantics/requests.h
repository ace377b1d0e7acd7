// tests/semantics/requests.h: parses gets, scans, mutations and the other actions of a batch from a line's words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "model/operations.h"
#include "tests/semantics/script.h"

namespace vaquita::semantics {

// These return errors that the rules know (such as of a filter's text), and throw ScriptError if the line is not a
// request.
absl::StatusOr<Scan> ParseScan(const std::vector<std::string>& options);

// `verb` with `words` after the table, the row first, and the lines below it.
absl::StatusOr<Action> ParseAction(std::string_view verb, const std::vector<std::string>& words,
                                   const std::vector<Line>& children);
absl::StatusOr<std::vector<Action>> ParseActions(const std::vector<Line>& lines);

}  // namespace vaquita::semantics
