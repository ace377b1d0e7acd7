// tests/fuzz/fuzz_server.h: a standalone server in this process, with a table of a few rows, for inputs that go through
// to the answer.
//
// Inputs may change anything. So the server begins anew after some of them, and when the table is gone. It lives as
// long as the process: make it with new. Threads: one.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/options.h"
#include "model/operations.h"
#include "server/master/master.h"
#include "server/process/standalone.h"
#include "server/regionserver/region_server.h"
#include "tests/fuzz/fuzz_input.h"

namespace vaquita::fuzz {

class Server {
 public:
  static constexpr int kInputsOfALife = 2000;

  // `options` has its data path ignored. What it points to outlives the server.
  explicit Server(StandaloneOptions options) : start_(std::move(options)) {
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

  // Call it before each input. Returns true if the server is a new one.
  bool Begin() {
    if (server_ != nullptr && ++inputs_ % kInputsOfALife != 0 && HasTable()) return false;
    server_.reset();
    auto started = Standalone::Start(start_);
    Check(started.ok(), "the server starts");
    server_ = *std::move(started);
    MakeTable();
    StopAtExit(this);
    return true;
  }

  Standalone& process() { return *server_; }
  Master& master() { return *server_->master(); }
  RegionServer& region_server() { return *server_->region_server(); }
  // Returns the full name of the table's region.
  std::string Region() { return HasTable() ? master().LocateRow({"default", "t"}, "")->info.Name() : ""; }

 private:
  // Destructors of static objects would run when OpenSSL, which the server uses, is gone.
  static void StopAtExit(Server* server) {
    static Server* const first = server;
    static const int registered = std::atexit([] { first->server_.reset(); });
    static_cast<void>(registered);
  }
  bool HasTable() {
    const auto region = master().LocateRow({"default", "t"}, "");
    return region.ok() && region_server().FindRegion(region->info.Name()).ok();
  }
  void MakeTable() {
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

  Options options_;
  StandaloneOptions start_;
  std::unique_ptr<Standalone> server_;
  int inputs_ = 0;
};

}  // namespace vaquita::fuzz
