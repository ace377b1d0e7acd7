// tools/console/shell_sessions.h: the HBase shell for pages: sessions with variables, which run one text at a time.
//
// Without the right to write, only commands that read run. A session reads at most 4 MB, and its values have at most
// 100,000 parts and 4 MB of text; if there are too many sessions, the least recently used one is dropped. A command
// prints at most a megabyte, and one that goes over many rows ends after a minute. Threads: any; a session runs one
// text at a time.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "tools/console/cluster_link.h"

namespace vaquita {

class ShellSessions {
 public:
  ShellSessions(std::shared_ptr<ClusterLink> link, bool may_write);
  ~ShellSessions();

  // Takes {"session": a name of the page's choice, "text": lines}. Runs the text if it is complete. Returns
  // {"output": ..., "incomplete": whether it needs another line, "prompt": for the next line, "ended": whether the
  // session is over}.
  absl::StatusOr<std::string> Run(std::string_view body);
  // Takes {"text": the line before the cursor}. Returns {"insert": ..., "choices": [...]}.
  absl::StatusOr<std::string> Complete(std::string_view body);

 private:
  class Session;
  static constexpr size_t kMostSessions = 16;

  absl::StatusOr<std::shared_ptr<Session>> Find(const std::string& name);
  void Remove(const std::string& name);

  const std::shared_ptr<ClusterLink> link_;
  const bool may_write_;
  std::mutex mutex_;
  std::list<std::pair<std::string, std::shared_ptr<Session>>> sessions_;  // the most recently used first
};

}  // namespace vaquita
