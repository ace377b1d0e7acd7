#include "console/post_guard.h"

#include <gmock/gmock.h>

namespace vaquita {
namespace {

using ::testing::HasSubstr;

http::Request Rightful(const PostGuard& guard) {
  return {.method = http::Method::kPost,
          .host = "localhost:16010",
          .origin = "http://localhost:16010",
          .fetch_site = "same-origin",
          .token = guard.token(),
          .content_type = "application/json"};
}

TEST(PostGuardTest, LetsTheConsolesOwnPagesAndProgramsIn) {
  const PostGuard guard;
  http::Request request = Rightful(guard);
  EXPECT_TRUE(guard.Check(request).ok());
  request.origin = "https://localhost:16010";  // behind a proxy
  EXPECT_TRUE(guard.Check(request).ok());
  request.origin = request.fetch_site = "";
  request.content_type = "application/json; charset=utf-8";
  EXPECT_TRUE(guard.Check(request).ok()) << "no browser";
}

TEST(PostGuardTest, RefusesWhatAnotherSitesPageCanSend) {
  const PostGuard guard;
  const auto error = [&](auto change) {
    http::Request request = Rightful(guard);
    change(&request);
    return guard.Check(request);
  };
  for (const char* origin : {"http://evil.example.org", "null", "http://localhost:16011", "http://localhost"}) {
    EXPECT_TRUE(absl::IsPermissionDenied(error([&](http::Request* request) { request->origin = origin; }))) << origin;
  }
  for (const char* site : {"cross-site", "same-site", "none"}) {
    EXPECT_TRUE(absl::IsPermissionDenied(error([&](http::Request* request) { request->fetch_site = site; }))) << site;
  }
  const std::string other = PostGuard().token();
  ASSERT_NE(other, guard.token());
  ASSERT_EQ(guard.token().size(), 64u);
  for (const std::string& token : {std::string(), other, guard.token() + "0", guard.token().substr(1)}) {
    const absl::Status status = error([&](http::Request* request) { request->token = token; });
    EXPECT_TRUE(absl::IsPermissionDenied(status)) << token;
    EXPECT_THAT(std::string(status.message()), HasSubstr("load the page again"));
  }
  for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(error([&](http::Request* request) { request->content_type = type; }))) << type;
  }
}

}  // namespace
}  // namespace vaquita
