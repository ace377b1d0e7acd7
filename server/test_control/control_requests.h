// server/test_control/control_requests.h: the control's operations as requests: a method, a path below /control/v1/,
// parameters or a JSON object, and a JSON object as answer.
//
// Threads: any; an operation may take long.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/test_control/test_control.h"

namespace vaquita {

struct ControlRequest {
  std::string_view method;  // "POST"
  std::string_view name;    // "reset"
  std::string_view query;   // "since=1&table=t"
  std::string_view body;    // JSON, or nothing
};

struct ControlAnswer {
  int status = 200;   // HTTP's
  std::string body;   // a JSON object
  std::string allow;  // for 405: the methods that would be right
};

ControlAnswer RunControlRequest(TestControl* control, const ControlRequest& request);

// With a JSON object for the parameters of every method. An empty method is GET if there is something to get, and no
// body or nothing to post.
ControlAnswer RunControlCommand(TestControl* control, std::string_view method, std::string_view name,
                                std::string_view body);

// Returns an answer with an error alone.
ControlAnswer ControlError(int status, std::string_view message);

// Returns the names of all operations.
std::vector<std::string> ControlNames();

}  // namespace vaquita
