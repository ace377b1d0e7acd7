#include "tests/fuzz/fuzz_server.h"

#include <cstdlib>
#include <utility>

#include "model/operations.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"

// LeakSanitizer calls this at its start. A thread of gRPC, its worker and its list of destructors belong to the thread
// itself, which the sanitizer may not know yet while it starts.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer calls it that.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:grpc::ThreadManager::MainWorkLoop\n"
         "leak:grpc::ThreadManager::Initialize\n"
         "leak:grpc_core::Thread::Thread\n"
         "leak:__cxa_thread_atexit_impl";
}

namespace vaquita::fuzz {

Server::Server(StandaloneOptions options) : start_(std::move(options)) {
  SilenceLogs();
  UseFreePorts(&options_);
  options_.block_cache_bytes = 8 * kMiB;
  options_.global_memstore_bytes = 32 * kMiB;
  options_.memstore_flush_bytes = 4 * kMiB;
  options_.max_request_bytes = 4 * kMiB;
  options_.scanner_max_result_bytes = kMiB;
  options_.row_lock_wait_ms = 100;
  options_.max_table_families = 8;
  options_.max_table_regions = 20;
  options_.quotas = true;
  start_.options = &options_;
}

bool Server::Begin() {
  if (server_ != nullptr && ++inputs_ % kInputsOfALife != 0 && HasTable()) return false;
  server_.reset();
  auto started = Standalone::Start(start_);
  Check(started.ok(), "the server starts");
  server_ = *std::move(started);
  MakeTable();
  StopAtExit(this);
  return true;
}

std::string Server::Region() { return HasTable() ? master().LocateRow({"default", "t"}, "")->info.Name() : ""; }

void Server::StopAtExit(Server* server) {
  static Server* const first = server;
  static const int registered = std::atexit([] { first->server_.reset(); });
  static_cast<void>(registered);
}

bool Server::HasTable() {
  const auto region = master().LocateRow({"default", "t"}, "");
  return region.ok() && region_server().FindRegion(region->info.Name()).ok();
}

void Server::MakeTable() {
  TableDescriptor table;
  table.name = {"default", "t"};
  for (const char* family : {"f", "g"}) table.families[family].name = family;
  const auto id = master().CreateTableAsync(table, {});
  Check(id.ok() && master().Wait(*id).ok(), "the table is made");
  for (const char* row : {"a", "b", "row1", "row2"}) {
    Mutation put;
    put.row = row;
    for (const char* qualifier : {"q", "q1"}) {
      Cell& cell = put.cells.emplace_back();
      cell.row = row;
      cell.family = "f";
      cell.qualifier = qualifier;
      cell.value = "value";
    }
    Check(region_server().Mutate(Region(), put).ok(), "a row is put");
  }
}

}  // namespace vaquita::fuzz
