#include "server/info/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>

#include "base/memory.h"
#include "base/version.h"
#include "server/frontend/net/descriptors.h"
#include "server/info/prometheus_text.h"

namespace vaquita {
namespace {

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

int64_t MostOpenFiles() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<int64_t>(limit.rlim_cur);
}

int64_t OpenFiles() {
  std::error_code error;
  const auto files = std::filesystem::directory_iterator("/proc/self/fd", error);
  // To look takes one, and fails when all are in use.
  return error ? MostOpenFiles() : static_cast<int64_t>(std::distance(begin(files), end(files)));
}

// Reads numbers 3 to 23 of proc(5)'s stat, behind the program's name, which may hold any character.
struct Stat {
  double threads = 0;
  double start_ticks = 0;  // since the machine's start
  double virtual_bytes = 0;
};

Stat ReadStat() {
  Stat stat;
  std::ifstream file("/proc/self/stat");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return stat;
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  for (int number = 3; number <= 23 && fields >> field; ++number) {
    const double value = std::strtod(field.c_str(), nullptr);
    if (number == 20) stat.threads = value;
    if (number == 22) stat.start_ticks = value;
    if (number == 23) stat.virtual_bytes = value;
  }
  return stat;
}

// When the machine started, since the epoch.
double BootSeconds() {
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("btime ")) return std::strtod(line.c_str() + 6, nullptr);
  }
  return 0;
}

}  // namespace

ProcessFigures ReadProcessFigures() {
  const Stat stat = ReadStat();
  return {.cpu_s = CpuSeconds(),
          .start_s = BootSeconds() + stat.start_ticks / static_cast<double>(sysconf(_SC_CLK_TCK)),
          .resident_bytes = ResidentMemoryBytes(),
          .virtual_bytes = static_cast<int64_t>(stat.virtual_bytes),
          .threads = static_cast<int64_t>(stat.threads),
          .open_files = OpenFiles(),
          .most_open_files = MostOpenFiles()};
}

void AppendProcessMetrics(PrometheusText* text) {
  text->Gauge("vaquita_build_info", "The program's version; always 1.");
  text->Sample({{"version", kVersion}}, 1);
  const ProcessFigures process = ReadProcessFigures();
  text->Counter("process_cpu_seconds_total", "User and system CPU time.", process.cpu_s);
  text->Gauge("process_resident_memory_bytes", "Resident memory.", static_cast<double>(process.resident_bytes));
  text->Gauge("process_virtual_memory_bytes", "Virtual memory.", static_cast<double>(process.virtual_bytes));
  text->Gauge("process_threads", "Threads.", static_cast<double>(process.threads));
  text->Gauge("process_open_fds", "Open file descriptors.", static_cast<double>(process.open_files));
  text->Gauge("process_max_fds", "The most file descriptors that the process may have.",
              static_cast<double>(process.most_open_files));
  text->Gauge("vaquita_connection_descriptor_limit",
              "With so many open file descriptors, further connections of clients are refused.",
              static_cast<double>(net::DescriptorBound(net::Protocol::kHBaseRpc)));
  text->Counter("vaquita_connections_refused_total", "Connections refused for want of file descriptors.");
  for (const net::Protocol protocol : net::kProtocols) {
    text->Sample({{"protocol", net::ProtocolName(protocol)}}, static_cast<double>(net::RefusedConnections(protocol)));
  }
  text->Gauge("process_start_time_seconds", "When the process started, since the epoch.", process.start_s);
}

}  // namespace vaquita
