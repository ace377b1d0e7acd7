#include "server/info/info_pages.h"

#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "base/clock.h"
#include "base/host_name.h"
#include "base/host_port.h"
#include "base/options.h"
#include "base/status.h"
#include "base/version.h"
#include "server/frontend/http/host_check.h"
#include "server/frontend/http/http_server.h"
#include "server/info/html_text.h"
#include "server/info/jmx_beans.h"
#include "server/info/jmx_metrics.h"
#include "server/info/process_metrics.h"
#include "server/info/prometheus_text.h"
#include "server/info/tasks_page.h"

namespace vaquita {
namespace {

http::Response Health(const InfoSource& source) {
  const absl::StatusOr<std::string> health = source.health();
  if (health.ok()) return {.status = 200, .body = *health + "\n"};
  return {.status = 503, .body = std::string(health.status().message()) + "\n"};
}

http::Response Metrics(PrometheusText text) {
  return {.status = 200, .content_type = PrometheusText::kContentType, .body = text.Take()};
}

// Returns the path of HBase's status page. This server's page has only the tasks.
std::string_view TasksPath(InfoPort which) { return which == InfoPort::kMaster ? "/master-status" : "/rs-status"; }

http::Response Index(InfoPort which, const InfoSource& source, bool has_console) {
  const absl::StatusOr<std::string> health = source.health();
  const std::string title = EscapedHtml(source.title());
  std::string html = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>" + title + "</title>\n<h1>" +
                     title + "</h1>\n<p>Vaquita " + std::string(kVersion) + ". " +
                     EscapedHtml(health.ok() ? *health : std::string(health.status().message())) +
                     "</p>\n<ul>\n<li><a href=\"/health\">/health</a>: whether it serves</li>\n"
                     "<li><a href=\"/metrics\">/metrics</a>: its metrics, for Prometheus</li>\n"
                     "<li><a href=\"/jmx\">/jmx</a>: its metrics, as HBase's servers have them</li>\n";
  if (!source.notice.empty()) html.insert(html.find("<ul>"), "<p><b>" + EscapedHtml(source.notice) + "</b></p>\n");
  if (has_console) {
    html += "<li><a href=\"/console/\">/console/</a>: tables, regions, servers and rows while they change</li>\n";
  }
  if (source.region_metrics) {
    html += "<li><a href=\"/metrics/regions\">/metrics/regions</a>: those of each of its regions</li>\n";
  }
  if (source.calls) {
    html += "<li><a href=\"" + std::string(TasksPath(which)) +
            "\">what it does</a>: flushes and compactions, and the calls that hold its handlers</li>\n";
  }
  return {.status = 200, .content_type = "text/html; charset=utf-8", .body = html + "</ul>\n</html>\n"};
}

// The names by which a browser may ask for the pages.
http::HostNames OwnNames(const Options& options) {
  http::HostNames names;
  const auto add = [&names](absl::string_view name) {
    names.insert(absl::AsciiStrToLower(absl::StripAsciiWhitespace(name)));
  };
  for (const absl::string_view name : absl::StrSplit(options.http_hosts, ',', absl::SkipWhitespace())) add(name);
  for (const std::string* name :
       {&options.host_name, &options.bind_address, &options.master_info_address, &options.region_server_info_address}) {
    add(*name);
  }
  for (const std::string* address : {&options.advertised_master_info, &options.advertised_region_server_info}) {
    add(HostIn(*address));
  }
  add(MachineName());
  return names;
}

// Programs use any name of this machine for these pages, which have few facts.
bool IsForAnyHost(std::string_view path) {
  return path == "/health" || path == "/metrics" || path == "/metrics/regions" || path == "/jmx";
}

http::Pages OnlyForOwnNames(http::Pages pages, const http::HostNames& names) {
  for (auto& [path, page] : pages) {
    if (!IsForAnyHost(path)) page = http::OnlyForHosts(std::move(page), names);
  }
  return pages;
}

// These show what clients ask for, and the data.
http::Pages OnlyForSuperusers(http::Pages pages, const http::UserCheck& check) {
  for (auto& [path, page] : pages) {
    const bool open = IsForAnyHost(path) || path == "/" || path == "/hbase-site.xml";
    if (check && !open) page = http::OnlyForUsers(std::move(page), check);
  }
  return pages;
}

http::Pages PagesOf(InfoPort which, InfoSource source) {
  const http::UserCheck check = source.check_user;
  http::Pages pages;
  if (source.add_pages) source.add_pages(&pages);
  if (source.calls) {
    pages[std::string(TasksPath(which))] = [source](const http::Request& request) {
      return TasksPage(source.tasks(), source.calls(), request.query, source.clock->NowMs());
    };
  }
  if (source.region_metrics) {
    pages["/metrics/regions"] = [append = source.region_metrics](const http::Request&) {
      PrometheusText text;
      append(&text);
      return Metrics(std::move(text));
    };
  }
  pages["/metrics"] = [append = source.metrics](const http::Request&) {
    PrometheusText text;
    AppendProcessMetrics(&text);
    append(&text);
    return Metrics(std::move(text));
  };
  pages["/jmx"] = [which, append = source.beans](const http::Request& request) {
    JmxBeans beans;
    append(&beans);
    AppendProcessBeans(which == InfoPort::kMaster ? "Master" : "RegionServer", &beans);
    return JmxPage(beans, request.query);
  };
  pages["/health"] = [source](const http::Request&) { return Health(source); };
  const bool has_console = pages.contains("/console/");
  pages["/"] = [which, has_console, source = std::move(source)](const http::Request&) {
    return Index(which, source, has_console);
  };
  return OnlyForSuperusers(std::move(pages), check);
}

// Says what a server that other machines reach does without.
std::string MissingProtection(const Options& options) {
  if (options.authorization) return options.names_suffice() ? "without proof of who its users are" : "without TLS";
  return options.tls ? "without users" : "without TLS and users";
}

}  // namespace

absl::StatusOr<std::string> ListenForInfo(http::Server* server, const Options& options, InfoPort which,
                                          InfoSource source) {
  const bool master = which == InfoPort::kMaster;
  const std::string& address = master ? options.master_info_address : options.region_server_info_address;
  const int64_t port = master ? options.master_info_port : options.region_server_info_port;
  if (port < 0) return std::string();
  if (const std::string exposed = ExposedAddresses(options); !exposed.empty()) {
    const std::string warning = "\nwarning: " + exposed + ", " + MissingProtection(options);
    source.health = [health = std::move(source.health), warning]() -> absl::StatusOr<std::string> {
      VAQUITA_ASSIGN_OR_RETURN(const std::string text, health());
      return text + warning;
    };
  }
  const auto bound = server->Listen(address.empty() ? options.bind_address : address, static_cast<int>(port),
                                    OnlyForOwnNames(PagesOf(which, std::move(source)), OwnNames(options)));
  if (!bound.ok()) return Annotate(bound.status(), master ? "hbase.master.info.port" : "hbase.regionserver.info.port");
  return JoinHostPort(HostOf(options, address), *bound);
}

}  // namespace vaquita
