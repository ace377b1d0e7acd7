// base/named_exception.h: an error with any Java class, for tests that want an exception which Vaquita itself never
// throws.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace vaquita {

struct NamedException {
  std::string java_class;
  bool do_not_retry = false;
};

absl::Status ErrorOfClass(const NamedException& exception, std::string_view message);

// Returns whether `status` came from ErrorOfClass, with `*exception` set.
bool GetNamedException(const absl::Status& status, NamedException* exception);

}  // namespace vaquita
