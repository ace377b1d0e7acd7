#include "console/console_pages.h"

#include <gmock/gmock.h>

#include <future>
#include <stdexcept>
#include <string>

#include "base/clock.h"
#include "base/json_value.h"

namespace vaquita {
namespace {

http::Response Ask(const http::Handler& page, const http::Request& request) {
  std::promise<http::Response> answer;
  page(request, [&](http::Response response) { answer.set_value(std::move(response)); });
  return answer.get_future().get();
}

std::string ErrorOf(const http::Response& response) { return ParseJson(response.body)->at("error"); }

TEST(ConsolePagesTest, AnExceptionIsAnAnswerOfItsOwn) {
  ManualClock clock(500);  // too early for the watch to ask the master
  ConsoleSource source;
  source.clock = &clock;
  source.with_master = [](const auto&) -> absl::Status { throw std::runtime_error("no plan"); };
  source.works = {{"work", /*writes=*/false, [](std::string_view body) -> absl::StatusOr<std::string> {
                     if (body == "{}") return "{}";
                     throw std::runtime_error("no work");
                   }}};
  ConsolePages console(std::move(source));
  http::Pages pages;
  console.AddTo(&pages);

  const http::Response planned = Ask(pages["/console/v1/plan"].get, {});
  EXPECT_EQ(planned.status, 500);
  EXPECT_EQ(ErrorOf(planned), "a fault of the server: no plan");

  http::Request post;
  post.token = ParseJson(Ask(pages["/console/v1/session"].get, {}).body)->at("token");
  post.content_type = "application/json";
  const http::Response worked = Ask(pages["/console/v1/work"].post, post);
  EXPECT_EQ(worked.status, 500);
  EXPECT_EQ(ErrorOf(worked), "a fault of the server: no work");
  post.body = "{}";
  EXPECT_EQ(Ask(pages["/console/v1/work"].post, post).status, 200) << "its thread goes on";
}

}  // namespace
}  // namespace vaquita
