#include "console/console_pages.h"

#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/json_value.h"
#include "base/status.h"

namespace vaquita {
namespace {

http::Response Ask(const http::Handler& page, const http::Request& request) {
  std::promise<http::Response> answer;
  page(request, [&](http::Response response) { answer.set_value(std::move(response)); });
  return answer.get_future().get();
}

std::string ErrorOf(const http::Response& response) { return ParseJson(response.body)->at("error"); }

class ConsolePagesTest : public ::testing::Test {
 protected:
  // Makes the console of `source_`. Returns its pages.
  http::Pages& Open() {
    source_.clock = &clock_;
    console_ = std::make_unique<ConsolePages>(std::move(source_));
    console_->AddTo(&pages_);
    return pages_;
  }

  ManualClock clock_{500};  // too early for the watch to ask the master
  ConsoleSource source_;

 private:
  std::unique_ptr<ConsolePages> console_;
  http::Pages pages_;
};

TEST_F(ConsolePagesTest, AnExceptionIsAnAnswerOfItsOwn) {
  source_.with_master = [](const auto&) -> absl::Status { throw std::runtime_error("no plan"); };
  source_.works = {{"work", /*writes=*/false, [](std::string_view body) -> absl::StatusOr<std::string> {
                      if (body == "{}") return "{}";
                      throw std::runtime_error("no work");
                    }}};
  http::Pages& pages = Open();

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

TEST_F(ConsolePagesTest, ATableThatIsMissingIsNamedInASentence) {
  source_.with_master = [](const auto&) { return Error(ErrorKind::kTableNotFound, "t"); };
  http::Pages& pages = Open();
  const http::Response answer = Ask(pages["/console/v1/plan"].get, {});
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(ErrorOf(answer), "there is no table t");
}

// Clients that ask and go leave requests behind, of which only so many wait.
TEST_F(ConsolePagesTest, TooManyRequestsAreRefused) {
  constexpr int kRequests = 200;
  std::promise<void> end;
  source_.with_master = [wait = end.get_future().share()](const auto&) {
    wait.wait();
    return absl::UnavailableError("the master is busy");
  };
  std::atomic<int> refused = 0;
  std::atomic<int> answered = 0;
  http::Pages& pages = Open();
  for (int i = 0; i < kRequests; ++i) {
    pages["/console/v1/plan"].get({}, [&](const http::Response& response) {
      const bool is_busy = ErrorOf(response) == "the console is busy: try again in a moment";
      EXPECT_EQ(response.status, 503);
      ++(is_busy ? refused : answered);
    });
  }
  EXPECT_GT(refused, kRequests / 2);
  end.set_value();
  while (refused + answered < kRequests) std::this_thread::yield();
  EXPECT_EQ(ErrorOf(Ask(pages["/console/v1/plan"].get, {})), "the master is busy");
}

}  // namespace
}  // namespace vaquita
