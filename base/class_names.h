// base/class_names.h: HBase's classes that settings of servers and tables choose from.
//
// Threads: functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vaquita {

struct ClassNames {
  // Returns whether `name`, with the package or without, is one of them.
  bool Has(std::string_view name) const;

  std::string_view package;
  std::vector<std::string> names;  // without the package
};

const ClassNames& SplitPolicyNames();
const ClassNames& BalancerNames();

}  // namespace vaquita
