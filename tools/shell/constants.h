// tools/shell/constants.h: the constants of the HBase shell: VERSIONS is 'VERSIONS', and so on.
//
// Source: hbase-shell's hbase_constants.rb (2.6), with those it takes over from HColumnDescriptor and HTableDescriptor.
#pragma once

#include <span>
#include <string_view>

namespace vaquita::shell {

// Returns the text of the constant `name`; empty if it does not exist.
std::string_view ConstantValue(std::string_view name);
// Returns all names, for completion.
std::span<const std::string_view> ConstantNames();

}  // namespace vaquita::shell
