// cluster_checker: runs a cluster of real processes, kills, stops, suspends and starts them again, moves, splits and
// merges regions, and checks what clients are told meanwhile: docs/cluster.md, "How a cluster is tested".
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <sstream>
#include <thread>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tests/cluster_checker/cluster_processes.h"
#include "tests/cluster_checker/faults.h"
#include "tests/cluster_checker/history.h"
#include "tests/cluster_checker/outside_clients.h"
#include "tests/cluster_checker/region_cover.h"
#include "tests/cluster_checker/register_workload.h"
#include "tests/cluster_checker/row_workload.h"
#include "tests/cluster_checker/run.h"

namespace vaquita::checker {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct Arguments {
  int seconds = 60;
  int servers = 3;
  uint64_t seed = 0;  // 0: any
  int lease_ms = 1000;
  size_t rows = 4'000;
  bool faults = true;
  std::string folder;  // empty: a temporary one, which stays if something is wrong
  std::string program = VAQUITA_PROGRAM;
  std::vector<std::string> properties;
  std::vector<std::string> clients;
};

// An operation of a client that may be repeated has this long to be done, whatever happens.
constexpr milliseconds kPatience{60'000};
constexpr milliseconds kRegionLook{100};
constexpr int kRegisterClients = 4;  // two of each protocol
constexpr const char* kRows = "rows";
constexpr const char* kRegisters = "registers";

TableName Name(const std::string& text) { return *TableName::Parse(text); }

std::shared_ptr<client::Connection> Connect(const std::string& address) {
  auto connection = client::Connection::Open({.address = address,
                                              .retries = 10'000,
                                              .pause_ms = 20,
                                              .operation_timeout_ms = kPatience.count(),
                                              .rpc_timeout_ms = kPatience.count()});
  return connection.ok() ? *std::move(connection) : nullptr;
}

TableDescriptor Describe(const char* name, const std::vector<std::string>& families) {
  TableDescriptor table;
  table.name = Name(name);
  for (const std::string& family : families) table.families[family].name = family;
  return table;
}

absl::Status CreateTables(client::Connection& connection) {
  const auto admin = connection.GetAdmin();
  const std::vector<std::string> splits = {"40000000", "80000000", "c0000000"};
  const absl::Status created =
      admin->CreateTable(Describe(kRows, {RowWorkload::kFamilies[0], RowWorkload::kFamilies[1]}), splits);
  return created.ok() ? admin->CreateTable(Describe(kRegisters, {"f"}), splits) : created;
}

// Every table is covered by its regions, without holes and overlaps, at any time; and in the end all of them are open.
void CheckRegions(Run* run, client::Connection& connection) {
  const int64_t deadline_ns = MonotonicNs() + kPatience / std::chrono::nanoseconds(1);
  for (const char* name : {kRows, kRegisters}) {
    for (;;) {
      const auto regions = connection.GetAdmin()->GetRegions(Name(name));
      const absl::Status status = regions.ok() ? CheckCover(*regions) : regions.status();
      if (status.ok()) break;
      if (absl::IsUnavailable(status) && MonotonicNs() < deadline_ns && !run->failed()) {
        std::this_thread::sleep_for(kRegionLook);
        continue;
      }
      return run->Fail(absl::StrCat("regions of ", name, ": ", status.ToString()));
    }
  }
}

// Clients of both protocols, each kind of work by both. The first connection is by gRPC.
class Clients {
 public:
  Clients(Run* run, size_t rows, std::vector<std::shared_ptr<client::Connection>> connections)
      : rows_(run, rows), registers_(run), connections_(std::move(connections)) {
    int registers = 0;
    for (const auto& connection : connections_) {
      Add(*connection, kRows, [this](client::Table& table, int client) { rows_.RunWriter(table, client); });
      Add(*connection, kRows, [this](client::Table& table, int client) { rows_.RunReader(table, client); });
      for (int i = 0; i < kRegisterClients / 2; ++i) {
        const auto lost_checks = connection == connections_.front() ? RegisterWorkload::LostChecks::kRepeated
                                                                    : RegisterWorkload::LostChecks::kNotRepeated;
        Add(*connection, kRegisters, [this, lost_checks, client = registers++](client::Table& table, int) {
          registers_.RunClient(table, client, lost_checks);
        });
      }
    }
    Add(*connections_.back(), kRows, [this](client::Table& table, int client) { rows_.RunFullScans(table, client); });
  }

  void Join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  // Checks all data by each protocol. REQUIRES: called after Join.
  void CheckAll() {
    for (const auto& connection : connections_) {
      rows_.ScanAll(*connection->GetTable(Name(kRows)));
      rows_.ScanAll(*connection->GetTable(Name(kRows)), /*reversed=*/true);
      registers_.CheckAll(*connection->GetTable(Name(kRegisters)));
    }
  }

 private:
  void Add(client::Connection& connection, const char* table, std::function<void(client::Table&, int)> work) {
    const int number = static_cast<int>(threads_.size());
    threads_.emplace_back([work = std::move(work), number, table = std::shared_ptr(connection.GetTable(Name(table)))] {
      work(*table, number);
    });
  }

  RowWorkload rows_;
  RegisterWorkload registers_;
  const std::vector<std::shared_ptr<client::Connection>> connections_;
  std::vector<std::thread> threads_;
};

// Runs the clients until the faults are over and all processes serve again.
void RunWithFaults(Run* run, const Arguments& arguments, ClusterProcesses* processes, client::Connection& connection) {
  StopFlag over;
  ProcessFaults process_faults(run, processes, milliseconds(arguments.lease_ms));
  AdministrativeFaults administrative_faults(run, connection);
  std::thread administration([&] {
    if (arguments.faults) administrative_faults.RunUntil(&over);
  });
  std::thread kills([&] {
    if (arguments.faults && !process_faults.RunUntil(&over)) run->Fail("not all processes came back");
  });
  run->stop.Pause(seconds(arguments.seconds));  // or until something is wrong
  over.Set();
  kills.join();
  administration.join();
}

// Checks with `vaquita fsck` that the servers left a whole data root.
void CheckFolder(Run* run, const std::string& program, const std::string& folder) {
  const std::string found = folder + "/fsck.txt";
  const std::string command = absl::StrCat(program, " fsck --data ", folder, "/data > ", found, " 2>&1");
  if (std::system(command.c_str()) == 0) return;
  std::stringstream text;
  text << std::ifstream(found).rdbuf();
  run->Fail(absl::StrCat(command, "\n", text.str()));
}

void RunAll(Run* run, const Arguments& arguments, const std::string& folder) {
  std::vector<std::string> more = {"-D", absl::StrCat("vaquita.regionserver.lease=", arguments.lease_ms)};
  for (const std::string& property : arguments.properties) more.insert(more.end(), {"-D", property});
  ClusterProcesses processes(
      run, {.program = arguments.program, .folder = folder, .region_servers = arguments.servers, .arguments = more});
  if (!processes.Start()) return run->Fail("the cluster did not start");
  const auto by_grpc = Connect(processes.grpc_address());
  const auto by_hbase = Connect("hbase://" + processes.zookeeper_address());
  const auto for_faults = Connect(processes.grpc_address());
  if (!by_grpc || !by_hbase || !for_faults) return run->Fail("cannot connect");
  if (const absl::Status created = CreateTables(*by_grpc); !created.ok()) return run->Fail(created.ToString());

  Clients clients(run, arguments.rows, {by_grpc, by_hbase});
  OutsideClients outside(run, arguments.clients, processes.zookeeper_address(), seconds(arguments.seconds));
  RunWithFaults(run, arguments, &processes, *for_faults);
  {
    const ProcessKeeper keeper(&processes);
    if (!run->failed()) outside.AwaitEnd();
    run->stop.Set();
    clients.Join();
    if (run->failed()) return;
    CheckRegions(run, *by_grpc);
    clients.CheckAll();
  }
  // Acknowledged writes are on the disk.
  processes.KillAll();
  CheckFolder(run, arguments.program, folder);
  if (!processes.AwaitAll()) return run->Fail("the cluster did not start again");
  const ProcessKeeper keeper(&processes);
  CheckRegions(run, *by_hbase);
  clients.CheckAll();
}

// SIGTERM and SIGINT end the run as a failure does, so that no process is left behind. Call it before any other thread
// starts, because threads inherit the blocked signals.
std::thread EndAtSignals(Run* run) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return std::thread([run, signals] {
    int signal = 0;
    sigwait(&signals, &signal);
    run->Fail(absl::StrCat("ended by signal ", signal));
  });
}

// A run of a minute without one of them has not checked what it was to check.
std::vector<std::string> RequiredCounts() {
  std::vector<std::string> required = {"put: acknowledged",
                                       "put in a batch: acknowledged",
                                       "put of a register: acknowledged",
                                       "increment: acknowledged",
                                       "check-and-mutate: acknowledged",
                                       "scan: acknowledged",
                                       "full scans",
                                       "fault: move",
                                       "fault: split",
                                       "fault: region server killed"};
  for (int client = 0; client < kRegisterClients; ++client) required.push_back(RegisterWorkload::PutsOf(client));
  return required;
}

int Check(Arguments arguments) {
  if (arguments.seed == 0) arguments.seed = std::random_device{}() % 1'000'000;
  std::string folder = arguments.folder;
  if (folder.empty()) {
    folder = (std::filesystem::temp_directory_path() / "cluster_checker_XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return 1;
  }
  std::printf("cluster_checker --seconds %d --servers %d --seed %lu: logs in %s\n", arguments.seconds,
              arguments.servers, arguments.seed, folder.c_str());
  std::fflush(stdout);
  Run run(arguments.seed);
  EndAtSignals(&run).detach();
  RunAll(&run, arguments, folder);
  if (arguments.faults && arguments.seconds >= 60 && !run.failed()) run.Require(RequiredCounts());
  std::printf("%s", run.Figures().c_str());
  if (run.failed()) {
    std::printf("FAILED with seed %lu: the servers' logs and data are in %s\n", arguments.seed, folder.c_str());
    return 1;
  }
  std::printf("all checks passed with seed %lu\n", arguments.seed);
  if (arguments.folder.empty()) std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace vaquita::checker

int main(int argc, char** argv) {
  vaquita::checker::Arguments arguments;
  CLI::App app("Checks a cluster of real processes while they are killed and its regions move");
  app.add_option("--seconds", arguments.seconds, "The duration of the faults")->capture_default_str();
  app.add_option("--servers", arguments.servers, "Region servers")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seed", arguments.seed, "The seed of all random numbers; 0: any");
  app.add_option("--lease-ms", arguments.lease_ms, "The region servers' lease")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--rows", arguments.rows, "The number of rows that each writer keeps")->capture_default_str();
  app.add_flag("!--no-faults", arguments.faults, "Run the clients without faults");
  app.add_option("--folder", arguments.folder,
                 "A folder for data and logs (a temporary one, which stays after a failure)");
  app.add_option("--program", arguments.program, "The vaquita to check")->capture_default_str();
  app.add_option("-D", arguments.properties, "Set a property of the servers: -D name=value")->allow_extra_args(false);
  app.add_option("--client", arguments.clients, "A command to run as well, with --address, --seconds and --seed")
      ->allow_extra_args(false);
  CLI11_PARSE(app, argc, argv);
  return vaquita::checker::Check(arguments);
}
