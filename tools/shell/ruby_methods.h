// tools/shell/ruby_methods.h: the methods of Ruby's values that need no block, and its operators.
//
// Text is counted in characters. A value has no identity: what changes a value in place changes the variable that holds
// it. Threads: any. Source: Ruby 2.6's classes, which JRuby 9.3 has.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/shell/value.h"

namespace vaquita::shell {

using Arguments = Array;

// Returns the error "KIND (TEXT)", as Ruby prints it: kInvalidArgument.
absl::Status RubyError(std::string_view kind, std::string_view text);
// Returns the error of a text of more than kMostTextBytes.
absl::Status TextTooLong();

// Returns receiver.method(arguments), and changes the receiver where Ruby does; nullopt if it has no such method. An
// error is kInvalidArgument with Ruby's words: "TypeError (...)". Unless it is `wanted`, a changed receiver is not
// returned, but nil: a copy would take as long as the receiver is large.
absl::StatusOr<std::optional<Value>> CallMethod(Value* receiver, std::string_view method, const Arguments& arguments,
                                                bool wanted = true);

// Returns a == b: 1 and 1.0 are equal, also within arrays and hashes, and the order of a hash does not matter.
bool AreEqual(const Value& a, const Value& b);

// Returns below 0, 0 or above 0 as `<=>` does; nullopt if the values cannot be compared.
std::optional<int> Compare(const Value& a, const Value& b);

// Returns the text of sprintf.
absl::StatusOr<std::string> Format(std::string_view format, const Arguments& arguments);

}  // namespace vaquita::shell
