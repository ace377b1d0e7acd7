#include "base/version.h"

namespace vaquita {

constinit const std::string_view kVersion = VAQUITA_VERSION;

}  // namespace vaquita
