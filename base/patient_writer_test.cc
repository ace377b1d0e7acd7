#include "base/patient_writer.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace vaquita {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::HasSubstr;

class PatientWriterTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pipe2(pipe_, O_CLOEXEC), 0); }
  ~PatientWriterTest() override {
    close(pipe_[0]);
    close(pipe_[1]);
  }
  std::string ReadAll() {
    fcntl(pipe_[0], F_SETFL, O_NONBLOCK);
    std::string text;
    char part[65536];
    for (ssize_t size = 0; (size = read(pipe_[0], part, sizeof part)) > 0;) text.append(part, size_t(size));
    return text;
  }

  int pipe_[2] = {-1, -1};
};

TEST_F(PatientWriterTest, WritesLongTextsWhole) {
  PatientWriter writer(pipe_[1], milliseconds(1));
  const std::string text(20'000, 'x');
  writer.Write(text);
  writer.Write("end\n");
  EXPECT_EQ(ReadAll(), text + "end\n");
}

TEST_F(PatientWriterTest, LosesWhatNobodyReadsAndSaysSo) {
  PatientWriter writer(pipe_[1], milliseconds(20));
  const auto begin = steady_clock::now();
  const std::string line = std::string(99, 'x') + "\n";
  for (int i = 0; i < 10'000; ++i) writer.Write(line);  // a pipe has room for 64 KB
  EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(10)) << "it waits once, not for each line";
  const std::string first = ReadAll();
  EXPECT_THAT(first, ::testing::StartsWith(line));
  writer.Write("again\n");
  EXPECT_EQ(ReadAll(), "vaquita: " + std::to_string(10'000 - first.size() / line.size()) +
                           " lines of the log were lost: nobody read them\nagain\n");
  writer.Write("again\n");
  EXPECT_EQ(ReadAll(), "again\n");
}

TEST_F(PatientWriterTest, ADescriptorThatTakesNothingIsNoWait) {
  PatientWriter writer(open("/dev/null", O_RDONLY | O_CLOEXEC), std::chrono::seconds(60));
  const auto begin = steady_clock::now();
  writer.Write("x\n");
  EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(30));
}

}  // namespace
}  // namespace vaquita
