#include "server/frontend/hbase/rpc/rpc_frame.h"

#include <gmock/gmock.h>

namespace vaquita::hbase {
namespace {

using ::testing::HasSubstr;

pb::RequestHeader Header(int cells) {
  pb::RequestHeader header;
  header.set_request_param(true);
  if (cells >= 0) header.mutable_cell_block_meta()->set_length(static_cast<uint32_t>(cells));
  return header;
}

std::string ErrorOf(const pb::RequestHeader& header, std::string_view rest) {
  std::string_view param;
  std::string_view cells;
  return std::string(SplitRequest(header, rest, &param, &cells).message());
}

TEST(RpcFrameTest, AMessageThatSaysItIsLongerEndsWithItsFrame) {
  std::string_view param;
  std::string_view cells;
  ASSERT_TRUE(SplitRequest(Header(-1), "\x03message", &param, &cells).ok());
  EXPECT_EQ(param, "mes");
  ASSERT_TRUE(SplitRequest(Header(-1), "\x7fmessage", &param, &cells).ok());
  EXPECT_EQ(param, "message");
  ASSERT_TRUE(SplitRequest(Header(-1), "\xff\xff\x03message", &param, &cells).ok());
  EXPECT_EQ(param, "message");
  ASSERT_TRUE(SplitRequest(Header(4),
                           "\x03"
                           "abcdefg",
                           &param, &cells)
                  .ok());
  EXPECT_EQ(param, "abc");
  EXPECT_EQ(cells, "defg");
}

TEST(RpcFrameTest, CellsNeedATrueLength) {
  EXPECT_THAT(ErrorOf(Header(4), "\x7fmessage"), HasSubstr("a message of 127 bytes was announced before a cell block"));
  EXPECT_THAT(ErrorOf(Header(4), "\x05message"), HasSubstr("a cell block of 4 bytes was announced, and 2 came"));
  EXPECT_THAT(ErrorOf(Header(-1), ""), HasSubstr("ends before the length of its message"));
  EXPECT_THAT(ErrorOf(Header(-1), "\xff"), HasSubstr("ends before the length of its message"));
}

TEST(RpcFrameTest, AnExceptionsTextIsUtf8) {
  EXPECT_EQ(MakeException("a.B", "no service \xff", true).stack_trace(), "a.B: no service \xEF\xBF\xBD");
}

}  // namespace
}  // namespace vaquita::hbase
