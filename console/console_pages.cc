#include "console/console_pages.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
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

using Json = nlohmann::ordered_json;

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
  if (absl::IsNotFound(error) || IsError(error, ErrorKind::kTableNotFound)) status = 404;
  if (absl::IsUnavailable(error)) status = 503;
  return JsonResponse(
      status, Json({{"error", std::string(error.message())}}).dump(-1, ' ', false, Json::error_handler_t::replace));
}

absl::StatusOr<std::string> TablesJson(const HeatRecorder& heat) {
  Json tables = Json::array();
  for (const TableName& table : heat.Tables()) tables.push_back(table.ToString());
  return Json({{"version", 1}, {"tables", std::move(tables)}}).dump();
}

absl::StatusOr<std::string> PictureJson(const HeatRecorder& heat, std::string_view query, int64_t now_ms) {
  VAQUITA_ASSIGN_OR_RETURN(const HeatRequest request, ParseHeatRequest(query, now_ms));
  VAQUITA_ASSIGN_OR_RETURN(const HeatPicture picture, heat.Picture(request.table, request.query));
  return HeatJson(request, picture, now_ms);
}

http::Response Answered(absl::StatusOr<std::string> body) {
  return body.ok() ? JsonResponse(200, *std::move(body)) : ErrorResponse(body.status());
}

}  // namespace

ConsolePages::ConsolePages(ConsoleSource source) : source_(std::move(source)) { watch_.Start(); }

void ConsolePages::AddTo(http::Pages* pages) {
  for (const ConsoleFile& file : ConsoleFiles()) {
    const http::Response response = {
        .status = 200, .content_type = std::string(ContentType(file.name)), .body = std::string(file.content)};
    const auto page = [response](const http::Request&) { return response; };
    (*pages)["/console/" + std::string(file.name)] = page;
    if (file.name == kIndex) (*pages)["/console/"] = page;
  }
  AddHeat(pages);
  const auto now = [this] { return source_.clock->NowMs(); };
  (*pages)["/console/v1/cluster"] =
      OnWorker([this, now](std::string_view query) { return ClusterJson(&cluster_, query, now()); });
  (*pages)["/console/v1/table"] =
      OnWorker([this, now](std::string_view query) { return TableJson(&cluster_, query, now()); });
  (*pages)["/console/v1/servers"] =
      OnWorker([this, now](std::string_view query) { return ServersJson(&cluster_, query, now()); });
  (*pages)["/console/v1/region"] =
      OnWorker([this, now](std::string_view query) { return RegionJson(&cluster_, source_, query, now()); });
  (*pages)["/console/v1/rows"] = OnWorker([this](std::string_view query) { return Rows(query); });
  (*pages)["/console/v1/events"] = [this](const http::Request& request) {
    return Answered(EventsJson(events_, request.query, source_.clock->NowMs()));
  };
  (*pages)["/console/v1/plan"] = OnWorker([this](std::string_view) { return Plan(); });
}

void ConsolePages::AddHeat(http::Pages* pages) {
  using HeatAnswer = std::function<absl::StatusOr<std::string>(const HeatRecorder&, const http::Request&)>;
  const auto json = [this](HeatAnswer answer) {
    return [this, answer = std::move(answer)](const http::Request& request) {
      if (source_.heat == nullptr) {
        return ErrorResponse(absl::UnavailableError("region servers count requests: open the console of one of them"));
      }
      const std::shared_ptr<const HeatRecorder> recorder = source_.heat();
      if (recorder == nullptr) return ErrorResponse(absl::UnavailableError("starting"));
      return Answered(answer(*recorder, request));
    };
  };
  (*pages)["/console/v1/tables"] =
      json([](const HeatRecorder& recorder, const http::Request&) { return TablesJson(recorder); });
  (*pages)["/console/v1/heat"] = json([this](const HeatRecorder& recorder, const http::Request& request) {
    return PictureJson(recorder, request.query, source_.clock->NowMs());
  });
}

http::Page ConsolePages::OnWorker(Answer answer) {
  http::Page page;
  page.get = [this, answer = std::move(answer)](const http::Request& request, http::Reply reply) {
    workers_.Post([answer, query = request.query, reply = std::move(reply)] { reply(Answered(answer(query))); });
  };
  return page;
}

absl::StatusOr<std::string> ConsolePages::Rows(std::string_view query) const {
  if (source_.with_region_server == nullptr) {
    return absl::UnavailableError("rows are at the region servers: open the console of the region's server");
  }
  std::string json;
  VAQUITA_RETURN_IF_ERROR(source_.with_region_server([&](RegionServer* server) {
    VAQUITA_ASSIGN_OR_RETURN(json, RowsJson(server, query, source_.clock));
    return absl::OkStatus();
  }));
  return json;
}

absl::StatusOr<std::string> ConsolePages::Plan() const {
  if (source_.with_master == nullptr) {
    return absl::UnavailableError("the master plans moves: open the console of the master");
  }
  BalanceAnswer answer;
  VAQUITA_RETURN_IF_ERROR(source_.with_master([&](Master* master) {
    VAQUITA_ASSIGN_OR_RETURN(answer, master->Balance({.dry_run = true}));
    return absl::OkStatus();
  }));
  return Json({{"version", 1}, {"ran", answer.ran}, {"moves", answer.moves_calculated}, {"text", answer.text}})
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vaquita
