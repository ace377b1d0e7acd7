#include "base/sasl/principal_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vaquita {
namespace {

using ::testing::HasSubstr;

std::string UserOf(std::string_view rules, std::string_view principal) {
  const auto parsed = PrincipalRules::Parse(rules, "EXAMPLE.COM");
  if (!parsed.ok()) return std::string(parsed.status().message());
  const auto user = (*parsed)->UserOf(principal);
  return user.ok() ? *user : std::string(user.status().message());
}

TEST(PrincipalRulesTest, TheDefaultIsTheFirstPartOfAPrincipalOfTheRealm) {
  EXPECT_EQ(UserOf("DEFAULT", "ada@EXAMPLE.COM"), "ada");
  EXPECT_EQ(UserOf("DEFAULT", "hbase/host.example.com@EXAMPLE.COM"), "hbase");
  EXPECT_EQ(UserOf("DEFAULT", "ada"), "ada");
  EXPECT_THAT(UserOf("DEFAULT", "ada@OTHER.COM"), HasSubstr("No rules applied to ada@OTHER.COM"));
  EXPECT_THAT(UserOf("", "ada@EXAMPLE.COM"), HasSubstr("No rules applied"));
}

// Cases of Hadoop's TestKerberosName.
TEST(PrincipalRulesTest, Rules) {
  const std::string rules =
      "RULE:[1:$1@$0](.*@YAHOO\\.COM)s/@.*//\n"
      "RULE:[2:$1](johndoe)s/^.*$/guest/\n"
      "RULE:[2:$1;$2](^.*;admin$)s/;admin$//\n"
      "RULE:[2:$2](root)\n"
      "DEFAULT";
  EXPECT_EQ(UserOf(rules, "omalley@YAHOO.COM"), "omalley");
  EXPECT_EQ(UserOf(rules, "hdfs/10.0.0.1@EXAMPLE.COM"), "hdfs");
  EXPECT_EQ(UserOf(rules, "johndoe/zoo@FOO.COM"), "guest");
  EXPECT_EQ(UserOf(rules, "joe/admin@FOO.COM"), "joe");
  EXPECT_EQ(UserOf(rules, "joe/root@FOO.COM"), "root");
  EXPECT_THAT(UserOf(rules, "foo@FOO.COM"), HasSubstr("No rules applied"));
  EXPECT_EQ(UserOf("RULE:[1:$1]/L", "Joe@FOO.COM"), "joe");
  EXPECT_EQ(UserOf("RULE:[1:$1@$0](Joe@FOO.COM)s/@.*///L", "Joe@FOO.COM"), "joe");
  EXPECT_EQ(UserOf("RULE:[1:$1]s/a/b/g", "banana@FOO.COM"), "bbnbnb");
  EXPECT_EQ(UserOf("RULE:[1:$1]s/a/b/", "banana@FOO.COM"), "bbnana");
}

// Expressions take UTF-8 only.
TEST(PrincipalRulesTest, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(UserOf("RULE:[1:$1](a.*)s/a/b/", "a\xC3@FOO.COM"), "b\xEF\xBF\xBD");
  EXPECT_EQ(UserOf("RULE:[1:$1]s/x*/-/g", "\xC3\xA4\xC3@FOO.COM"), "-\xC3\xA4-\xEF\xBF\xBD-");
}

TEST(PrincipalRulesTest, AMalformedRuleIsNamed) {
  for (const char* rule :
       {"RULE", "RULE:[1]", "RULE:[x:$1]", "RULE:[1:$1](a", "RULE:[1:$1]s/a", "RULE:[1:$1]x", "default"}) {
    EXPECT_THAT(UserOf(rule, "ada@EXAMPLE.COM"), HasSubstr(std::string("the rule ") + rule + " is malformed")) << rule;
  }
  EXPECT_THAT(UserOf("RULE:[1:$1]((a)", "ada@EXAMPLE.COM"), HasSubstr("("));
}

}  // namespace
}  // namespace vaquita
