// client/action_view.h: properties that every kind of action has.
//
// Threads: any.
#pragma once

#include <cstddef>
#include <string_view>

#include "model/operations.h"

namespace vaquita::client {

// Returns the row of `action`. The view lives as long as the action.
std::string_view RowOf(const Action& action);

// Returns about the bytes that it takes in memory and in a request.
size_t SizeOf(const Mutation& mutation);
size_t SizeOf(const Action& action);

}  // namespace vaquita::client
