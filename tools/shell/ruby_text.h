// tools/shell/ruby_text.h: the methods of Ruby's String. For ruby_methods.cc alone.
//
// Threads: any. Source: Ruby 2.6's String.
#pragma once

#include <string_view>

#include "tools/shell/ruby_arguments.h"

namespace vaquita::shell {

// Returns receiver.method(arguments), and changes the text where Ruby does. REQUIRES: `receiver` is a text.
Answer CallOnText(Value* receiver, std::string_view method, const Arguments& arguments);

}  // namespace vaquita::shell
