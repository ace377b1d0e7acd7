#include "model/server_name.h"

#include "gtest/gtest.h"

namespace vaquita {
namespace {

TEST(ServerNameTest, IsReadAndWritten) {
  const auto name = ServerName::Parse("host,16020,17");
  ASSERT_TRUE(name.ok()) << name.status();
  EXPECT_EQ(*name, (ServerName{"host", 16020, 17}));
  EXPECT_EQ(name->ToString(), "host,16020,17");
  EXPECT_EQ(name->Address(), "host:16020");
  for (const char* text : {"", "host", "host,1", "host:1,2", ",1,2", "host,a,2", "host,1,b", "host,-1,2", "host,1,"}) {
    EXPECT_FALSE(ServerName::Parse(text).ok()) << text;
  }
}

TEST(ServerNameTest, IsMadeOfAnAddress) {
  EXPECT_EQ(ServerName::At("host:16020", 17).ToString(), "host,16020,17");
  EXPECT_EQ(ServerName::At("[::1]:16020", 17).ToString(), "::1,16020,17");
  EXPECT_EQ(ServerName::Parse("::1,16020,17")->Address(), "[::1]:16020");
  EXPECT_EQ(ServerName::At("host", 17).ToString(), "host,0,17");
  EXPECT_EQ(ServerName::At("host:port", 17).ToString(), "host,0,17");
}

TEST(ServerNameTest, AnEarlierLifeHasTheSameAddress) {
  EXPECT_TRUE(IsEarlierLife("host,1,10", "host,1,20"));
  EXPECT_FALSE(IsEarlierLife("host,1,20", "host,1,20"));
  EXPECT_FALSE(IsEarlierLife("host,1,30", "host,1,20"));
  EXPECT_FALSE(IsEarlierLife("host,2,10", "host,1,20"));
  EXPECT_FALSE(IsEarlierLife("host", "host,1,20"));
}

}  // namespace
}  // namespace vaquita
