// tests/package/empty_root.h: a folder that holds the static program and nothing else, and processes that have it for
// their root file system.
//
// The program is the one of this build, or what VAQUITA_TEST_PROGRAM names; VAQUITA_TEST_EMULATOR names a static
// emulator that runs it, if it is one of another processor.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/testing/temporary_folder.h"
#include "tests/process/server_process.h"

namespace vaquita {

class EmptyRoot {
 public:
  EmptyRoot() {
    const char* program = std::getenv("VAQUITA_TEST_PROGRAM");
    Take(program == nullptr ? VAQUITA_STATIC_PROGRAM : program, "/vaquita");
    if (emulator() != nullptr) Take(emulator(), "/emulator");
  }

  // The root's place outside.
  const std::string& path() const { return folder_.path(); }

  void WriteFile(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path() + name).parent_path());
    std::ofstream(path() + name) << text;
  }

  // Starts `vaquita ARGUMENTS` there. Its output and its ready file, if that is /ready.json, are read from the root.
  std::unique_ptr<ServerProcess> Start(const std::vector<std::string>& arguments) const {
    return Start(path(), arguments);
  }

  // Throws if it does not serve.
  std::unique_ptr<ServerProcess> StartStandalone(const std::vector<std::string>& more_arguments = {}) const {
    std::vector<std::string> arguments = {"standalone",   "--data",       "/data",
                                          "--free-ports", "--ready-file", "/ready.json"};
    arguments.insert(arguments.end(), more_arguments.begin(), more_arguments.end());
    auto server = Start(arguments);
    if (!server->WaitUntilReady()) throw std::runtime_error(server->Errors());
    return server;
  }

  // Returns the program that runs another one with the root, and its arguments for `vaquita ARGUMENTS`. Who is not root
  // may still be it in a namespace of users.
  static std::string launcher() { return geteuid() == 0 ? "/usr/sbin/chroot" : "/usr/bin/unshare"; }
  std::vector<std::string> Command(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command = {path()};
    if (geteuid() != 0) command = {"--map-root-user", "--root", path()};
    if (emulator() != nullptr) command.emplace_back("/emulator");
    command.emplace_back("/vaquita");
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
  }

  struct Outcome {
    int code = -1;
    std::string output;
    std::string errors;
  };
  // Runs `vaquita ARGUMENTS` there until its end.
  Outcome Run(const std::vector<std::string>& arguments) const {
    const testing::TemporaryFolder outcome;
    const auto process = Start(outcome.path(), arguments);
    const int code = process->WaitForEnd();
    return {code, process->Output(), process->Errors()};
  }

 private:
  static const char* emulator() {
    const char* emulator = std::getenv("VAQUITA_TEST_EMULATOR");
    return emulator == nullptr || *emulator == 0 ? nullptr : emulator;
  }

  void Take(const std::string& file, const std::string& name) const {
    std::error_code error;
    std::filesystem::create_hard_link(file, path() + name, error);
    if (error) std::filesystem::copy_file(file, path() + name);  // on another file system
  }

  std::unique_ptr<ServerProcess> Start(const std::string& outputs, const std::vector<std::string>& arguments) const {
    const std::map<std::string, std::string> no_environment;
    return std::make_unique<ServerProcess>(outputs, Command(arguments), no_environment, launcher());
  }

  const testing::TemporaryFolder folder_;
};

}  // namespace vaquita
