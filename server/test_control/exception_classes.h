// server/test_control/exception_classes.h: HBase's exceptions by their short names.
#pragma once

#include "absl/status/status.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {

// Gives a class without a package its package, if HBase has one exception of that name, and says whether clients may
// retry it, if the test did not. InvalidArgument if it has neither a package nor such a name.
absl::Status CompleteException(v1::FaultException* exception);

}  // namespace vaquita
