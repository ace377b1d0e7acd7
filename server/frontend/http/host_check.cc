#include "server/frontend/http/host_check.h"

#include <asio/ip/address.hpp>
#include <utility>

#include "absl/strings/ascii.h"
#include "base/host_port.h"

namespace vaquita::http {
namespace {

// "[::1]:80" -> "::1", "Host.example.:80" -> "host.example".
std::string NameOf(std::string_view host_field) {
  std::string name = absl::AsciiStrToLower(HostIn(host_field));
  if (name.ends_with('.')) name.pop_back();
  return name;
}

bool IsAddress(const std::string& name) {
  asio::error_code error;
  asio::ip::make_address(name, error);
  return !error;
}

Handler Checked(Handler handler, const HostNames& names) {
  if (!handler) return nullptr;
  return [handler = std::move(handler), names](const Request& request, Reply reply) {
    if (IsOwnHost(request.host, names)) return handler(request, std::move(reply));
    reply({.status = 403,
           .body = "403 Forbidden: this machine is not known as \"" + NameOf(request.host) +
                   "\". The setting vaquita.http.hosts can name it.\n"});
  };
}

}  // namespace

bool IsOwnHost(std::string_view host_field, const HostNames& names) {
  const std::string name = NameOf(host_field);
  return name.find('.') == std::string::npos || IsAddress(name) || name.ends_with(".localhost") || names.contains(name);
}

Page OnlyForHosts(Page page, const HostNames& names) {
  for (Handler* handler : {&page.get, &page.post, &page.remove}) *handler = Checked(std::move(*handler), names);
  return page;
}

}  // namespace vaquita::http
