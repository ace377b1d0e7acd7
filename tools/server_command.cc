#include "tools/server_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/log.h"
#include "base/status.h"
#include "base/version.h"
#include "nlohmann/json.hpp"
#include "server/frontend/net/descriptors.h"
#include "server/process/configuration.h"
#include "spdlog/sinks/stdout_sinks.h"

namespace vaquita {
absl::StatusOr<Options> ReadOptions(const ServerArguments& arguments) {
  Options options;
  std::vector<std::string> warnings;
  if (!arguments.config_file.empty()) {
    VAQUITA_RETURN_IF_ERROR(ApplyConfigFile(arguments.config_file, &options, &warnings));
  }
  VAQUITA_RETURN_IF_ERROR(ApplyEnvironment(environ, &options, &warnings));
  VAQUITA_RETURN_IF_ERROR(ApplyAssignments(arguments.assignments, &options, &warnings));
  for (const std::string& warning : warnings) std::fprintf(stderr, "vaquita: warning: %s\n", warning.c_str());
  return options;
}

StopSignals::StopSignals(std::initializer_list<int> more) {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, SIGINT);
  for (const int signal : more) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

int StopSignals::Wait() {
  int received = 0;
  while (sigwait(&signals_, &received) != 0) {
  }
  return Took(received);
}

int StopSignals::WaitFor(std::chrono::milliseconds time) {
  const timespec patience{.tv_sec = time.count() / 1000, .tv_nsec = time.count() % 1000 * 1'000'000};
  const int received = sigtimedwait(&signals_, nullptr, &patience);
  return received < 0 ? 0 : Took(received);
}

int StopSignals::Took(int received) {
  if (received == SIGTERM || received == SIGINT) pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  return received;
}

ReadyFile::ReadyFile(std::string path) : path_(std::move(path)) { Remove(); }

void ReadyFile::Remove() const {
  std::error_code ignored;  // it need not be there
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

absl::Status ReadyFile::Write(const nlohmann::ordered_json& fields) const {
  if (path_.empty()) return absl::OkStatus();
  nlohmann::ordered_json ready = {{"pid", getpid()}, {"version", std::string(kVersion)}};
  ready.update(fields);
  const std::string temporary = path_ + "." + std::to_string(getpid());
  {
    std::ofstream file(temporary);
    file << ready.dump(2) << "\n";
    if (!file.flush()) return absl::UnavailableError("write " + temporary + ": " + std::strerror(errno));
  }
  std::error_code error;
  std::filesystem::rename(temporary, path_, error);
  if (error) return absl::UnavailableError("rename " + temporary + " to " + path_ + ": " + error.message());
  return absl::OkStatus();
}

std::string OrNone(const std::string& address) { return address.empty() ? "none" : address; }

int RunServer(const std::string& log_level, const std::function<absl::Status()>& serve) {
  spdlog::set_default_logger(spdlog::stderr_logger_mt("vaquita"));
  spdlog::set_level(spdlog::level::from_str(log_level));
  net::RaiseDescriptorLimit();
  const absl::Status status = serve();
  if (status.ok()) return 0;
  std::fprintf(stderr, "vaquita: %s\n", std::string(status.message()).c_str());
  return 1;
}

}  // namespace vaquita
