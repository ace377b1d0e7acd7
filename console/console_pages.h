// console/console_pages.h: the web console at a process's info port, below /console.
//
// GET /console/ is the first page; docs/console.md describes the JSON that the pages show. Only the source's works
// change anything, by POST, if the source may write. Pages and the heat are answered at once; the rest runs on the
// console's own threads, since it may wait for a disk or the cluster. Threads: AddTo before the HTTP server listens.
// Lifetime: the console outlives the HTTP server; the objects that its source names outlive the console.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/task_pool.h"
#include "console/cluster_gatherer.h"
#include "console/cluster_reader.h"
#include "console/console_source.h"
#include "console/event_log.h"
#include "console/event_watch.h"
#include "console/post_guard.h"
#include "server/frontend/http/http_server.h"

namespace vaquita {

class ConsolePages {
 public:
  explicit ConsolePages(ConsoleSource source);

  void AddTo(http::Pages* pages);

 private:
  static constexpr int kThreads = 2;
  static constexpr int kWorkThreads = 4;
  static constexpr int kMostWork = 16;     // running and waiting; more is refused
  static constexpr int kMostAnswers = 64;  // likewise; more than the server has connections

  using Answer = std::function<absl::StatusOr<std::string>(std::string_view query)>;  // JSON

  void AddHeat(http::Pages* pages);
  void AddGatheredHeat(http::Pages* pages);
  void AddEvents(http::Pages* pages);
  void AddWorks(http::Pages* pages);
  http::Response Session() const;
  void StartWork(const ConsoleWork& work, const http::Request& request, const http::Reply& reply);
  http::Page OnWorker(Answer answer);
  absl::StatusOr<std::string> Rows(std::string_view query) const;
  absl::StatusOr<std::string> Plan() const;

  const ConsoleSource source_;
  ClusterReader cluster_{&source_};
  const ClusterGatherer gatherer_{&source_, &cluster_};
  EventLog events_;
  EventWatch watch_{&source_, &events_};
  const PostGuard guard_;
  std::atomic<int> works_ = 0;    // running and waiting
  std::atomic<int> answers_ = 0;  // likewise
  TaskPool workers_{kThreads};
  TaskPool work_threads_{kWorkThreads};
};

}  // namespace vaquita
