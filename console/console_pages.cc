#include "console/console_pages.h"

#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/json_value.h"
#include "base/status.h"
#include "console/cluster_json.h"
#include "console/console_files.h"
#include "console/heat_json.h"
#include "console/rows_json.h"
#include "model/balance_request.h"
#include "server/heat/heat_recorder.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"

namespace vaquita {
namespace {

constexpr std::string_view kIndex = "index.html";

std::string_view ContentType(std::string_view file) {
  if (file.ends_with(".html")) return "text/html; charset=utf-8";
  if (file.ends_with(".css")) return "text/css; charset=utf-8";
  if (file.ends_with(".js")) return "text/javascript; charset=utf-8";
  return "image/svg+xml";
}

http::Response JsonResponse(int status, std::string body) {
  return {.status = status, .content_type = "application/json", .body = std::move(body)};
}

http::Response ErrorResponse(const absl::Status& error) {
  int status = 500;
  if (absl::IsInvalidArgument(error)) status = 400;
  const bool no_table = IsError(error, ErrorKind::kTableNotFound);  // its message is the table's name alone
  if (absl::IsNotFound(error) || no_table) status = 404;
  if (absl::IsPermissionDenied(error)) status = 403;
  if (absl::IsUnavailable(error)) status = 503;
  const std::string message(error.message());
  return JsonResponse(status, JsonText({{"error", no_table ? "there is no table " + message : message}}));
}

absl::StatusOr<std::string> TablesJson(const HeatRecorder& heat) {
  Json tables = Json::array();
  for (const TableName& table : heat.Tables()) tables.push_back(table.ToString());
  return JsonText({{"version", 1}, {"tables", std::move(tables)}});
}

absl::StatusOr<std::string> PictureJson(const HeatRecorder& heat, std::string_view query, int64_t now_ms) {
  VAQUITA_ASSIGN_OR_RETURN(const HeatRequest request, ParseHeatRequest(query, now_ms));
  VAQUITA_ASSIGN_OR_RETURN(const HeatPicture picture, heat.Picture(request.table, request.query));
  return HeatJson(request, picture, now_ms);
}

http::Response Busy() { return ErrorResponse(absl::UnavailableError("the console is busy: try again in a moment")); }

http::Response Answered(absl::StatusOr<std::string> body) {
  return body.ok() ? JsonResponse(200, *std::move(body)) : ErrorResponse(body.status());
}

// Runs what an answer is made by. Nothing should throw there, but what did would end the whole process, not the answer.
http::Response AnswerOf(const std::function<absl::StatusOr<std::string>(std::string_view)>& make,
                        std::string_view request) {
  try {
    return Answered(make(request));
  } catch (const std::exception& error) {
    return ErrorResponse(absl::InternalError(std::string("a fault of the server: ") + error.what()));
  }
}

}  // namespace

ConsolePages::ConsolePages(ConsoleSource source) : source_(std::move(source)) { watch_.Start(); }

void ConsolePages::AddTo(http::Pages* pages) {
  for (const ConsoleFile& file : ConsoleFiles()) {
    const auto page = [&file](const http::Request&) -> http::Response {
      return {.status = 200, .content_type = std::string(ContentType(file.name)), .body = std::string(file.content)};
    };
    (*pages)["/console/" + std::string(file.name)] = page;
    if (file.name == kIndex) (*pages)["/console/"] = page;
  }
  if (source_.heat == nullptr && gatherer_.can_ask()) {
    AddGatheredHeat(pages);
  } else {
    AddHeat(pages);
  }
  AddEvents(pages);
  const auto now = [this] { return source_.clock->NowMs(); };
  (*pages)["/console/v1/cluster"] =
      OnWorker([this, now](std::string_view query) { return ClusterJson(&cluster_, query, now()); });
  (*pages)["/console/v1/table"] =
      OnWorker([this, now](std::string_view query) { return TableJson(&cluster_, query, now()); });
  (*pages)["/console/v1/servers"] =
      OnWorker([this, now](std::string_view query) { return ServersJson(&cluster_, query, now()); });
  (*pages)["/console/v1/region"] = OnWorker(
      [this, now](std::string_view query) { return RegionJson(&cluster_, source_, &gatherer_, query, now()); });
  (*pages)["/console/v1/rows"] = OnWorker([this](std::string_view query) { return Rows(query); });
  (*pages)["/console/v1/plan"] = OnWorker([this](std::string_view) { return Plan(); });
  AddWorks(pages);
}

void ConsolePages::AddWorks(http::Pages* pages) {
  (*pages)["/console/v1/session"] = [this](const http::Request&) { return Session(); };
  for (const ConsoleWork& work : source_.works) {
    http::Page page;
    page.post = [this, &work](const http::Request& request, const http::Reply& reply) {
      StartWork(work, request, reply);
    };
    (*pages)["/console/v1/" + work.name] = page;
  }
}

// The token is no secret between this console and its pages: no other site's page can read an answer.
http::Response ConsolePages::Session() const {
  Json works = Json::array();
  for (const ConsoleWork& work : source_.works) works.push_back(work.name);
  return JsonResponse(200, JsonText({{"version", 1},
                                     {"may_write", source_.may_write && !source_.works.empty()},
                                     {"token", guard_.token()},
                                     {"works", std::move(works)}}));
}

void ConsolePages::StartWork(const ConsoleWork& work, const http::Request& request, const http::Reply& reply) {
  if (const absl::Status status = guard_.Check(request); !status.ok()) return reply(ErrorResponse(status));
  if (work.writes && !source_.may_write) {
    return reply(ErrorResponse(absl::PermissionDeniedError(
        "this console only reads: start the server with --console-write to change things")));
  }
  if (works_ >= kMostWork) return reply(Busy());
  ++works_;
  work_threads_.Post([this, &work, body = request.body, reply] {
    reply(AnswerOf(work.run, body));
    --works_;
  });
}

void ConsolePages::AddHeat(http::Pages* pages) {
  using HeatAnswer = std::function<absl::StatusOr<std::string>(const HeatRecorder&, const http::Request&)>;
  const auto json = [this](HeatAnswer answer) {
    return [this, answer = std::move(answer)](const http::Request& request) {
      if (source_.heat == nullptr) {
        return ErrorResponse(absl::UnavailableError("region servers count requests: open the console of one of them"));
      }
      const std::shared_ptr<const HeatRecorder> recorder = source_.heat();
      if (recorder == nullptr) return ErrorResponse(absl::UnavailableError("the server is starting"));
      return Answered(answer(*recorder, request));
    };
  };
  (*pages)["/console/v1/tables"] =
      json([](const HeatRecorder& recorder, const http::Request&) { return TablesJson(recorder); });
  (*pages)["/console/v1/heat"] = json([this](const HeatRecorder& recorder, const http::Request& request) {
    return PictureJson(recorder, request.query, source_.clock->NowMs());
  });
}

void ConsolePages::AddGatheredHeat(http::Pages* pages) {
  (*pages)["/console/v1/tables"] = OnWorker([this](std::string_view) { return gatherer_.TablesJson(); });
  (*pages)["/console/v1/heat"] =
      OnWorker([this](std::string_view query) { return gatherer_.HeatJson(query, source_.clock->NowMs()); });
}

void ConsolePages::AddEvents(http::Pages* pages) {
  if (gatherer_.can_ask()) {
    const auto others = [this](const std::string& table, int64_t from_ms) { return gatherer_.Events(table, from_ms); };
    (*pages)["/console/v1/events"] = OnWorker(
        [this, others](std::string_view query) { return EventsJson(events_, others, query, source_.clock->NowMs()); });
    return;
  }
  (*pages)["/console/v1/events"] = [this](const http::Request& request) {
    return Answered(EventsJson(events_, nullptr, request.query, source_.clock->NowMs()));
  };
}

http::Page ConsolePages::OnWorker(Answer answer) {
  http::Page page;
  page.get = [this, answer = std::move(answer)](const http::Request& request, const http::Reply& reply) {
    // A client that goes leaves its request behind.
    if (answers_ >= kMostAnswers) return reply(Busy());
    ++answers_;
    workers_.Post([this, answer, query = request.query, reply] {
      reply(AnswerOf(answer, query));
      --answers_;
    });
  };
  return page;
}

absl::StatusOr<std::string> ConsolePages::Rows(std::string_view query) const {
  if (source_.with_region_server == nullptr && gatherer_.can_ask()) return gatherer_.RowsJson(query);
  if (source_.with_region_server == nullptr) {
    return absl::UnavailableError("rows are at the region servers: open the console of the region's server");
  }
  return ReadFrom(source_.with_region_server,
                  [&](RegionServer* server) { return RowsJson(server, query, source_.clock); });
}

absl::StatusOr<std::string> ConsolePages::Plan() const {
  if (source_.with_master == nullptr) {
    return absl::UnavailableError("the master plans moves: open the console of the master");
  }
  VAQUITA_ASSIGN_OR_RETURN(const BalanceAnswer answer, ReadFrom(source_.with_master, [](Master* master) {
                             return master->Balance({.dry_run = true});
                           }));
  return JsonText({{"version", 1}, {"ran", answer.ran}, {"moves", answer.moves_calculated}, {"text", answer.text}});
}

}  // namespace vaquita
