// client/action_view.h: what the library has to know of an action, whatever it is.
//
// Threads: functions only.
#pragma once

#include <cstddef>
#include <string_view>

#include "model/operations.h"

namespace vaquita::client {

// The row that `action` is about. The view lives as long as the action.
std::string_view RowOf(const Action& action);

// About the bytes that it takes, in memory and on the way.
size_t SizeOf(const Mutation& mutation);
size_t SizeOf(const Action& action);

}  // namespace vaquita::client
