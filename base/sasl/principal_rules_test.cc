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

// As Matcher.replaceAll and replaceFirst have it.
TEST(PrincipalRulesTest, AReplacementHasTheGroupsOfTheExpression) {
  const std::string company = R"(RULE:[1:$1@$0](^.*@AD\.EXAMPLE\.COM$)s/^(.*)@AD\.EXAMPLE\.COM$/$1/g)";
  EXPECT_EQ(UserOf(company, "ada@AD.EXAMPLE.COM"), "ada");
  EXPECT_EQ(UserOf(company, "bob@AD.EXAMPLE.COM"), "bob");
  EXPECT_EQ(UserOf(R"(RULE:[1:$1]s/(a)(x)?(b)/$3$2$1$0/)", "abab@FOO.COM"), "baabab");
  EXPECT_EQ(UserOf(R"(RULE:[1:$1]s/(a)/$12/g)", "abab@FOO.COM"), "a2ba2b") << "there is no group 12";
  EXPECT_EQ(UserOf(R"(RULE:[1:$1]s/a/\$1\\\b/)", "ac@FOO.COM"), R"($1\bc)");
  EXPECT_EQ(UserOf(R"(RULE:[1:$1]s/(?<=a)a/b/g)", "aaa@FOO.COM"), "abb") << "what is replaced stays in sight";
  for (const char* rule : {"RULE:[1:$1]s/(a)/$2/", "RULE:[1:$1]s/a/$/", "RULE:[1:$1]s/a/${x}/", "RULE:[1:$1]s/a/\\/"}) {
    EXPECT_THAT(UserOf(rule, "ada@EXAMPLE.COM"), HasSubstr(std::string("the rule ") + rule + " is malformed")) << rule;
  }
}

TEST(PrincipalRulesTest, AResultWithRealmOrInstanceIsNoUser) {
  EXPECT_THAT(UserOf("RULE:[1:$1@$0](.*@OTHER.COM)\nDEFAULT", "ada@OTHER.COM"),
              HasSubstr("Non-simple name \"ada@OTHER.COM\""));
  EXPECT_THAT(UserOf("RULE:[2:$1/$2]\nDEFAULT", "ada/admin@EXAMPLE.COM"), HasSubstr("Non-simple name \"ada/admin\""));
  EXPECT_THAT(UserOf("RULE:[1:$1]s/.*//\nDEFAULT", "ada@EXAMPLE.COM"), HasSubstr("Non-simple name \"\""));
}

TEST(PrincipalRulesTest, APrincipalHasOneOrTwoComponentsAndARealm) {
  for (const char* principal : {"admin/x/y@EXAMPLE.COM", R"(admin/x@EVIL\@EXAMPLE.COM)", "admin/@EXAMPLE.COM",
                                "@EXAMPLE.COM", "/x@EXAMPLE.COM", "admin@", "admin@EXAMPLE.COM/x"}) {
    EXPECT_THAT(UserOf("DEFAULT", principal), HasSubstr(std::string("Malformed Kerberos name: ") + principal));
  }
  EXPECT_THAT(UserOf("DEFAULT", "hbase/host"), HasSubstr("No rules applied"));
}

// Expressions take UTF-8 only.
TEST(PrincipalRulesTest, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(UserOf("RULE:[1:$1](a.*)s/a/b/", "a\xC3@FOO.COM"), "b\xEF\xBF\xBD");
  EXPECT_EQ(UserOf("RULE:[1:$1]s/x*/-/g", "\xC3\xA4\xC3@FOO.COM"), "-\xC3\xA4-\xEF\xBF\xBD-");
  EXPECT_EQ(UserOf("RULE:[1:\xFF-$1]s/$/b/", "a@FOO.COM"), "\xEF\xBF\xBD-ab");
}

TEST(PrincipalRulesTest, AMalformedRuleIsNamed) {
  for (const char* rule : {"RULE", "RULE:[1]", "RULE:[x:$1]", "RULE:[1:$1](a", "RULE:[1:$1]s/a", "RULE:[1:$1]x",
                           "RULE:[1:$2]", "RULE:[1:$]", "RULE:[1:$x]", "RULE:[1:$10]", "default"}) {
    EXPECT_THAT(UserOf(rule, "ada@EXAMPLE.COM"), HasSubstr(std::string("the rule ") + rule + " is malformed")) << rule;
  }
  for (const char* rule : {"RULE:[1:$1]((a)", "RULE:[1:$1]s/(a/b/"}) {
    EXPECT_THAT(UserOf(rule, "ada@EXAMPLE.COM"), HasSubstr(std::string("hadoop.security.auth_to_local: the rule ") +
                                                           rule + " has a malformed expression: "));
  }
}

}  // namespace
}  // namespace vaquita
