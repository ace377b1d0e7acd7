#include "tools/workshop/workshop_command.h"

#include <cstdio>

#include "base/exit_code.h"
#include "client/connection.h"
#include "tools/connection/open_for_tool.h"
#include "tools/workshop/checks.h"

namespace vaquita {

int CheckExercise(const WorkshopArguments& arguments) {
  const auto connection = OpenForTool(arguments.address);
  const absl::Status status = connection.ok() ? workshop::Check(arguments.exercise, connection->get(),
                                                                [](const auto& line) {
                                                                  std::printf("%s\n", line.c_str());
                                                                  std::fflush(stdout);
                                                                })
                                              : connection.status();
  if (status.ok()) {
    std::printf("Right: exercise %d is done.\n", arguments.exercise);
    return 0;
  }
  std::fprintf(stderr, "Not yet: %s\n", std::string(status.message()).c_str());
  return kFailure;
}

}  // namespace vaquita
