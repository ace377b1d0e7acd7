// Start and memory of the standalone server, empty and with 800 regions.
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "bench/figures.h"
#include "bench/server_process.h"
#include "client/admin.h"
#include "client/connection.h"
#include "client/table.h"

namespace vaquita::bench {
namespace {

constexpr int kStarts = 20;
constexpr int kManyRegions = 800;

absl::StatusOr<std::shared_ptr<client::Connection>> Connect(const ServerProcess& server) {
  client::ConnectionOptions options;
  options.address = server.address();
  return client::Connection::Open(options);
}

absl::Status PutOne(client::Connection& connection, const std::string& table) {
  Mutation put;
  put.row = "row";
  Cell& cell = put.cells.emplace_back();
  cell.family = "f";
  cell.qualifier = "q";
  cell.value = "value";
  return connection.GetTable({"default", table})->Mutate(put).status();
}

// Seconds from exec to the first acknowledged put into a new table.
absl::StatusOr<double> StartAndPut(const BenchOptions& options, int number, double* memory_mb) {
  const std::string folder = absl::StrCat(options.folder, "/start", number);
  Stopwatch watch;
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<ServerProcess> server, ServerProcess::Start(options.server, folder));
  VAQUITA_ASSIGN_OR_RETURN(*memory_mb, server->ResidentMb());
  VAQUITA_ASSIGN_OR_RETURN(std::shared_ptr<client::Connection> connection, Connect(*server));
  VAQUITA_RETURN_IF_ERROR(connection->GetAdmin()->CreateTable(BenchTable("t")));
  VAQUITA_RETURN_IF_ERROR(PutOne(*connection, "t"));
  const double seconds = watch.Seconds();
  server.reset();
  std::filesystem::remove_all(folder);
  return seconds;
}

absl::Status BenchManyRegions(const BenchOptions& options, Figures* figures) {
  const std::string folder = options.folder + "/many";
  std::vector<std::string> splits;
  for (int i = 1; i < kManyRegions; ++i) splits.push_back(absl::StrFormat("%04d", i));
  {
    VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<ServerProcess> server, ServerProcess::Start(options.server, folder));
    VAQUITA_ASSIGN_OR_RETURN(std::shared_ptr<client::Connection> connection, Connect(*server));
    Stopwatch watch;
    VAQUITA_RETURN_IF_ERROR(connection->GetAdmin()->CreateTable(BenchTable("many"), splits));
    figures->push_back(CeilingFigure("800 regions: creation", watch.Seconds(), 2, "s"));
    VAQUITA_RETURN_IF_ERROR(PutOne(*connection, "many"));
  }
  Stopwatch watch;
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<ServerProcess> server, ServerProcess::Start(options.server, folder));
  VAQUITA_ASSIGN_OR_RETURN(std::shared_ptr<client::Connection> connection, Connect(*server));
  VAQUITA_RETURN_IF_ERROR(PutOne(*connection, "many"));
  figures->push_back(CeilingFigure("800 regions: restart to first put", watch.Seconds(), 3, "s"));
  VAQUITA_ASSIGN_OR_RETURN(const double memory_mb, server->ResidentMb());
  figures->push_back(CeilingFigure("800 regions: memory", memory_mb, 200, "MB"));
  return absl::OkStatus();
}

}  // namespace

absl::Status BenchStart(const BenchOptions& options, Figures* figures) {
  std::vector<double> starts, memory;
  for (int i = 0; i < kStarts; ++i) {
    double memory_mb = 0;
    VAQUITA_ASSIGN_OR_RETURN(const double seconds, StartAndPut(options, i, &memory_mb));
    starts.push_back(1000 * seconds);
    memory.push_back(memory_mb);
  }
  figures->push_back(CeilingFigure("exec to first acknowledged put, median of 20", Median(starts), 60, "ms"));
  figures->push_back(CeilingFigure("memory after start", Median(memory), 60, "MB"));
  return BenchManyRegions(options, figures);
}

}  // namespace vaquita::bench
