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
  std::fprintf(status.ok() ? stdout : stderr, "%s\n", workshop::ResultText(arguments.exercise, status).c_str());
  return status.ok() ? 0 : kFailure;
}

}  // namespace vaquita
