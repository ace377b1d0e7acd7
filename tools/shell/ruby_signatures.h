// tools/shell/ruby_signatures.h: the methods of Ruby's values that this shell knows, with the arguments that each
// takes. For ruby_methods.cc and ruby_blocks.cc alone.
//
// Threads: any. Source: Ruby 2.6's classes, which JRuby 9.3 has.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "tools/shell/ruby_methods.h"
#include "tools/shell/value.h"

namespace vaquita::shell {

// Returns whether the receiver has the method without a block, whatever its arguments.
bool HasMethod(const Value& receiver, std::string_view method);
// Returns whether the receiver has the method without a block; ArgumentError or TypeError if that does not take these
// arguments.
absl::StatusOr<bool> CheckMethod(const Value& receiver, std::string_view method, const Arguments& arguments);
// Answers likewise for the method with a block.
absl::StatusOr<bool> CheckBlockMethod(const Value& receiver, std::string_view method, const Arguments& arguments);
// Returns whether the method makes an array, a hash or a text larger in its place.
bool GrowsReceiver(std::string_view method);

}  // namespace vaquita::shell
