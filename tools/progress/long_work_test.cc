#include "tools/progress/long_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>

namespace vaquita {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

// A pipe, which gives what the work says.
class LongWorkTest : public ::testing::Test {
 protected:
  LongWorkTest() {
    EXPECT_EQ(pipe(ends_), 0);
    out_ = fdopen(ends_[1], "w");
  }
  ~LongWorkTest() override {
    if (out_ != nullptr) std::fclose(out_);
    close(ends_[0]);
  }
  std::string Read() {
    char text[4096];
    const ssize_t got = read(ends_[0], text, sizeof text);
    return {text, got < 0 ? 0 : static_cast<size_t>(got)};
  }
  std::string ReadToEnd() {
    std::fclose(out_);
    out_ = nullptr;
    std::string all;
    for (std::string part; !(part = Read()).empty();) all += part;
    return all;
  }

  int ends_[2] = {-1, -1};
  std::FILE* out_ = nullptr;
};

TEST_F(LongWorkTest, SaysThatItGoesOnAndHowLongItTook) {
  std::optional<LongWork> work;
  work.emplace(
      "reading",
      LongWork::Options{.out = out_, .patience = std::chrono::milliseconds(1), .interval = std::chrono::hours(1)});
  EXPECT_THAT(Read(), StartsWith("\rreading: 0 s so far"));
  work.reset();
  const std::string end = ReadToEnd();
  EXPECT_THAT(end, StartsWith("\rreading: took "));
  EXPECT_THAT(end, EndsWith(" s\033[K\n"));
}

TEST_F(LongWorkTest, SaysNothingOfShortWork) {
  { const LongWork work("reading", {.out = out_, .patience = std::chrono::hours(1)}); }
  EXPECT_EQ(ReadToEnd(), "");
}

}  // namespace
}  // namespace vaquita
