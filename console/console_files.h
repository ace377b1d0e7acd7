// console/console_files.h: the files of console/web, which are part of the program.
#pragma once

#include <span>
#include <string_view>

namespace vaquita {

struct ConsoleFile {
  std::string_view name;  // "heat.js"
  std::string_view content;
};

std::span<const ConsoleFile> ConsoleFiles();

}  // namespace vaquita
