// console/console_pages.h: the web console at a process's info port, below /console.
//
// GET /console/ is the first page; docs/console.md has the JSON that the pages show. Everything can only be read.
// Pages and the heat are answered at once; the rest runs on a thread of the console's own, since it may wait for a
// disk. Threads: AddTo before the HTTP server listens. The console outlives the HTTP server, and goes before what its
// source names.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/task_pool.h"
#include "console/cluster_reader.h"
#include "console/console_source.h"
#include "console/event_log.h"
#include "console/event_watch.h"
#include "server/frontend/http/http_server.h"

namespace vaquita {

class ConsolePages {
 public:
  explicit ConsolePages(ConsoleSource source);

  void AddTo(http::Pages* pages);

 private:
  static constexpr int kThreads = 1;

  using Answer = std::function<absl::StatusOr<std::string>(std::string_view query)>;  // JSON

  void AddHeat(http::Pages* pages);
  http::Page OnWorker(Answer answer);
  absl::StatusOr<std::string> Rows(std::string_view query) const;
  absl::StatusOr<std::string> Plan() const;

  const ConsoleSource source_;
  ClusterReader cluster_{&source_};
  EventLog events_;
  EventWatch watch_{&source_, &events_};
  TaskPool workers_{kThreads};
};

}  // namespace vaquita
