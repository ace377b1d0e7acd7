#include "base/did_you_mean.h"

#include "gtest/gtest.h"

namespace vaquita {
namespace {

TEST(DidYouMeanTest, NamesTheNearest) {
  EXPECT_EQ(NearestName("scna", {"put", "scan", "get"}), "scan");
  EXPECT_EQ(NearestName("scnb", {"put", "scan", "get"}), "");  // two edits are too many for four bytes
  EXPECT_EQ(NearestName("scam", {"put", "scan", "get"}), "scan");
  EXPECT_EQ(NearestName("standalon", {"shell", "standalone"}), "standalone");
  EXPECT_EQ(NearestName("xyz", {"shell", "standalone"}), "");
  EXPECT_EQ(NearestName("x", {}), "");
  EXPECT_EQ(DidYouMean("phne", {"id", "phone"}), "; did you mean 'phone'?");
  EXPECT_EQ(DidYouMean("xyz", {"id", "phone"}), "");
}

TEST(DidYouMeanTest, LongNamesTakeNoTime) {
  const std::string longest(100, 'c');
  EXPECT_EQ(NearestName(longest, {longest + "d"}), longest + "d");
  const std::string long_name(1 << 20, 'c');  // a table of its edits would have 2^40 numbers
  EXPECT_EQ(NearestName(long_name, {long_name}), "");
  EXPECT_EQ(NearestName(longest, {long_name, longest}), longest);
}

}  // namespace
}  // namespace vaquita
