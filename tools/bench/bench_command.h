// tools/bench/bench_command.h: `vaquita bench`: puts a workload on clusters, and compares the results.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace CLI {
class App;
}

namespace vaquita::bench {

struct BenchArguments {
  std::vector<std::string> addresses;  // [NAME=]ADDRESS
  std::vector<std::string> https;      // [NAME=]HOST:PORT
  std::string workload;
  std::vector<std::string> properties;  // NAME=VALUE
  std::string duration;
  std::string warmup;
  int threads = 0;
  int connections = 0;  // 0: as many as cost the client least
  double rate = 0;
  uint64_t rows = 0;
  uint64_t operations = 0;
  uint64_t seed = 42;
  int rounds = 1;
  bool verify = false;
  bool reuse = false;
  bool recreate = false;
  bool drop = false;
  std::string output;
};

// Puts the workload on each address, in turns, and prints and writes the results. Returns an error also if an operation
// failed or an answer was wrong; the results are written in that case, too.
absl::Status RunBench(const BenchArguments& arguments);

// Prints the table of these files' runs, and writes the page about them to `output`, unless that is empty.
absl::Status CompareRuns(const std::vector<std::string>& files, const std::string& output);

class BenchCommand {
 public:
  // Adds `bench` and its verbs to `app`.
  explicit BenchCommand(CLI::App* app);

  bool IsChosen() const;
  int Run() const;  // the process's exit code

 private:
  void AddRun();
  void AddCompare();
  void AddList();

  CLI::App* const bench_;
  std::shared_ptr<BenchArguments> arguments_;
  std::vector<std::pair<CLI::App*, std::function<absl::Status()>>> verbs_;
};

}  // namespace vaquita::bench
