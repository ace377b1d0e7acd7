// server/test_control/control_pages.h: the control over HTTP: /control/v1/<operation> at an info port.
//
// Operations may take long, so they run on threads of their own. Threads: Add before the HTTP server listens; the pages
// outlive the server.
#pragma once

#include "base/task_pool.h"
#include "server/frontend/http/http_server.h"
#include "server/test_control/test_control.h"

namespace vaquita {

class ControlPages {
 public:
  static constexpr char kPath[] = "/control/v1";

  explicit ControlPages(TestControl* control) : control_(*control) {}  // `control` outlives it

  void AddTo(http::Pages* pages);

 private:
  static constexpr int kThreads = 4;

  // Null: it may control.
  const char* RefusalOf(const http::Request& request) const;
  void Answer(const std::string& method, const std::string& name, const http::Request& request, http::Reply reply);

  TestControl& control_;
  TaskPool workers_{kThreads};
};

}  // namespace vaquita
