#include "server/frontend/http/user_check.h"

#include <string>
#include <utility>

namespace vaquita::http {
namespace {

Handler CheckedForUser(Handler handler, const UserCheck& check) {
  if (!handler) return nullptr;
  return [handler = std::move(handler), check](const Request& request, Reply reply) {
    const absl::Status allowed = check(request);
    if (allowed.ok()) return handler(request, std::move(reply));
    reply(Unauthorized(allowed));
  };
}

}  // namespace

Response Unauthorized(const absl::Status& why) {
  Response response{.status = 401, .body = "401 Unauthorized: " + std::string(why.message()) + "\n"};
  response.authenticate = "Basic realm=\"vaquita\"";
  return response;
}

Page OnlyForUsers(Page page, const UserCheck& check) {
  for (Handler* handler : {&page.get, &page.post, &page.remove}) {
    *handler = CheckedForUser(std::move(*handler), check);
  }
  return page;
}

}  // namespace vaquita::http
