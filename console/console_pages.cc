#include "console/console_pages.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/status.h"
#include "console/console_files.h"
#include "console/heat_json.h"
#include "server/heat/heat_recorder.h"

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
  if (absl::IsNotFound(error)) status = 404;
  if (absl::IsUnavailable(error)) status = 503;
  return JsonResponse(status, Json({{"error", std::string(error.message())}}).dump());
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

}  // namespace

void AddConsolePages(CurrentHeat heat, const Clock* clock, http::Pages* pages) {
  for (const ConsoleFile& file : ConsoleFiles()) {
    const http::Response response = {
        .status = 200, .content_type = std::string(ContentType(file.name)), .body = std::string(file.content)};
    const auto page = [response](const http::Request&) { return response; };
    (*pages)["/console/" + std::string(file.name)] = page;
    if (file.name == kIndex) (*pages)["/console/"] = page;
  }
  using Answer = std::function<absl::StatusOr<std::string>(const HeatRecorder&, const http::Request&)>;
  const auto json = [heat = std::move(heat)](Answer answer) {
    return [heat, answer = std::move(answer)](const http::Request& request) {
      const std::shared_ptr<const HeatRecorder> recorder = heat();
      if (recorder == nullptr) return ErrorResponse(absl::UnavailableError("starting"));
      absl::StatusOr<std::string> body = answer(*recorder, request);
      return body.ok() ? JsonResponse(200, *std::move(body)) : ErrorResponse(body.status());
    };
  };
  (*pages)["/console/v1/tables"] =
      json([](const HeatRecorder& recorder, const http::Request&) { return TablesJson(recorder); });
  (*pages)["/console/v1/heat"] = json([clock](const HeatRecorder& recorder, const http::Request& request) {
    return PictureJson(recorder, request.query, clock->NowMs());
  });
}

}  // namespace vaquita
