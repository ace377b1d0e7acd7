// tools/workshop/workshop_command.h: `vaquita workshop check N`: looks at a running server whether it has what the
// question at the end of exercise N asks for (docs/workshop).
//
// Threads: one.
#pragma once

#include <string>

namespace vaquita {

struct WorkshopArguments {
  int exercise = 0;
  std::string address = "127.0.0.1:16040";  // the cluster's (client/connection.h)
};

// Prints what is there and what is missing. Returns 0 if nothing is missing, else 1.
int CheckExercise(const WorkshopArguments& arguments);

}  // namespace vaquita
