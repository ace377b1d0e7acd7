// tools/shell/error_text.h: writes an error as the HBase shell does.
//
// Source: translate_hbase_exceptions of hbase-shell's shell/commands.rb (2.6).
#pragma once

#include <string>

#include "absl/status/status.h"
#include "tools/shell/command.h"

namespace vaquita::shell {

// Returns the text behind "ERROR: ". `arguments` are the command's: some errors name the first one.
std::string ErrorText(const absl::Status& status, const Arguments& arguments);

}  // namespace vaquita::shell
