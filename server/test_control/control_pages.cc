#include "server/test_control/control_pages.h"

#include <string>
#include <utility>

#include "server/test_control/control_requests.h"

namespace vaquita {
namespace {

http::Response ToResponse(ControlAnswer answer) {
  return {.status = answer.status,
          .content_type = "application/json",
          .body = std::move(answer.body),
          .allow = std::move(answer.allow)};
}

}  // namespace

void ControlPages::AddTo(http::Pages* pages) {
  for (const std::string& name : ControlNames()) {
    const auto handler = [this, name](const std::string& method) {
      return [this, name, method](const http::Request& request, http::Reply reply) {
        Answer(method, name, request, std::move(reply));
      };
    };
    http::Page page;
    page.get = handler("GET");
    page.post = handler("POST");
    page.remove = handler("DELETE");
    (*pages)[std::string(kPath) + "/" + name] = std::move(page);
  }
}

const char* ControlPages::RefusalOf(const http::Request& request) const {
  if (!request.origin.empty()) return "pages in browsers may not control the server";
  return control_.MayControl(request.client) ? nullptr : kNotFromElsewhere;
}

void ControlPages::Answer(const std::string& method, const std::string& name, const http::Request& request,
                          http::Reply reply) {
  if (const char* refusal = RefusalOf(request)) return reply(ToResponse(ControlError(403, refusal)));
  workers_.Post([this, method, name, query = request.query, body = request.body, reply = std::move(reply)] {
    reply(ToResponse(RunControlRequest(&control_, {.method = method, .name = name, .query = query, .body = body})));
  });
}

}  // namespace vaquita
