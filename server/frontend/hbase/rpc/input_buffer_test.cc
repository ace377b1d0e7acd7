#include "server/frontend/hbase/rpc/input_buffer.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <random>
#include <string>
#include <vector>

#include "base/big_endian.h"

namespace vaquita::hbase {
namespace {

class InputBufferTest : public ::testing::Test {
 protected:
  InputBufferTest() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0); }
  ~InputBufferTest() override {
    close(ends_[0]);
    close(ends_[1]);
  }
  void Send(std::string_view bytes) {
    EXPECT_EQ(send(ends_[0], bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  ssize_t Receive() { return buffer_.Receive({.socket = ends_[1]}, scratch_); }

  int ends_[2];
  std::vector<char> scratch_ = std::vector<char>(512);
  InputBuffer buffer_;
};

TEST_F(InputBufferTest, KeepsWhatIsLeftWhenTheScratchSpaceIsUsedAgain) {
  Send("abcdef");
  EXPECT_EQ(Receive(), 6);
  buffer_.Consume(2);
  buffer_.Keep();
  scratch_.assign(scratch_.size(), 'x');
  EXPECT_EQ(buffer_.bytes(), "cdef");
  Send("gh");
  EXPECT_EQ(Receive(), 2);
  EXPECT_EQ(buffer_.bytes(), "cdefgh");
}

TEST_F(InputBufferTest, AWholeFrameIsGivenAwayWithoutACopy) {
  Send("ab");
  EXPECT_EQ(Receive(), 2);
  buffer_.Expect(4);
  buffer_.Keep();
  Send("cdef");
  EXPECT_EQ(Receive(), 2) << "no more than the frame";
  const char* const where = buffer_.bytes().data();
  const OwnedFrame frame = buffer_.Take(4);
  EXPECT_EQ(frame.bytes, "abcd");
  EXPECT_EQ(frame.bytes.data(), where);
  EXPECT_TRUE(buffer_.bytes().empty());
  EXPECT_EQ(Receive(), 2);
  EXPECT_EQ(buffer_.bytes(), "ef");
}

TEST_F(InputBufferTest, TellsTheEndFromNothingYet) {
  EXPECT_EQ(Receive(), -1);
  EXPECT_EQ(errno, EAGAIN);
  shutdown(ends_[0], SHUT_WR);
  EXPECT_EQ(Receive(), 0);
}

// Frames of all sizes, cut anywhere, handled one or several at a time, come out as they went in.
TEST_F(InputBufferTest, FramesSurviveAnyCut) {
  std::mt19937 random(1);
  std::string sent;
  std::vector<std::string> frames;
  for (int i = 0; i < 300; ++i) {
    frames.emplace_back(random() % (i % 10 == 0 ? 20'000 : 700), static_cast<char>(random()));
    AppendBigEndian(static_cast<uint32_t>(frames.back().size()), &sent);
    sent += frames.back();
  }
  size_t received = 0;
  for (std::string_view rest = sent; received < frames.size();) {
    const size_t size = std::min<size_t>(rest.size(), 1 + random() % 3000);
    Send(rest.substr(0, size));
    rest.remove_prefix(size);
    while (Receive() > 0) {
      while (buffer_.bytes().size() >= 4 && random() % 8 != 0) {
        const size_t frame_size = 4 + GetBigEndian<uint32_t>(buffer_.bytes().data());
        if (buffer_.bytes().size() < frame_size) {
          buffer_.Expect(frame_size);
          break;
        }
        ASSERT_LT(received, frames.size());
        if (random() % 2 == 0) {
          EXPECT_EQ(buffer_.Take(frame_size).bytes.substr(4), frames[received++]);
        } else {
          EXPECT_EQ(buffer_.bytes().substr(4, frame_size - 4), frames[received++]);
          buffer_.Consume(frame_size);
        }
      }
      buffer_.Keep();
      std::fill(scratch_.begin(), scratch_.end(), 'x');
    }
    if (rest.empty()) {  // a random rest
      while (buffer_.bytes().size() >= 4) {
        const size_t frame_size = 4 + GetBigEndian<uint32_t>(buffer_.bytes().data());
        ASSERT_LE(frame_size, buffer_.bytes().size());
        EXPECT_EQ(buffer_.Take(frame_size).bytes.substr(4), frames[received++]);
      }
    }
  }
  EXPECT_EQ(received, frames.size());
  EXPECT_TRUE(buffer_.bytes().empty());
}

}  // namespace
}  // namespace vaquita::hbase
