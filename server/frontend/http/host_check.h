// server/frontend/http/host_check.h: refuses requests for pages that do not name this machine in their Host field.
//
// Another site can make its own name resolve to this machine; then a browser lets that site's pages read our answers
// (DNS rebinding). Such a request has the other site's name in its Host field. Threads: any.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "server/frontend/http/http_server.h"

namespace vaquita::http {

using HostNames = std::set<std::string, std::less<>>;  // in lower case

// Returns whether a Host field names this machine: by an IP address, as localhost, by one of `names`, or by a name
// without a dot, which only a local network can know (a container's, for example). An empty field does: a browser
// always sends one.
bool IsOwnHost(std::string_view host_field, const HostNames& names);

// Makes all methods of `page` refuse other hosts with 403.
Page OnlyForHosts(Page page, const HostNames& names);

}  // namespace vaquita::http
