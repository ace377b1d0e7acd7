#include "model/coprocessors.h"

#include <gmock/gmock.h>

#include "base/status.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TableDescriptor With(const std::map<std::string, std::string>& attributes) {
  TableDescriptor table;
  for (const auto& [name, value] : attributes) EXPECT_TRUE(table.Set(name, value).ok());
  return table;
}

// Each form as a real HBase 2.6.0 took it at the creation of a table.
TEST(CoprocessorsTest, AttributesNameClassesAsInHBase) {
  EXPECT_THAT(CoprocessorClasses(With({{"coprocessor$1", "|com.example.A|1073741823|"},
                                       {"COPROCESSOR$2", "hdfs:///x.jar| com.example.B |7|k=v,l=w"},
                                       {"coprocessor$3", "|com.example.C|"},
                                       {"coprocessor$4", "com.example.NoBars"},
                                       {"coprocessor$x", "|com.example.NoNumber|7|"},
                                       {"coprocessor$", "|com.example.NoNumber|7|"},
                                       {"coprocessor$5", "|com.example.D|high|"},
                                       {"other", "|com.example.Other|7|"}})),
              ElementsAre("com.example.B", "com.example.A", "com.example.C"));
  EXPECT_THAT(CoprocessorClasses(std::string_view()), IsEmpty());
  EXPECT_THAT(CoprocessorClasses(" com.example.A, com.example.B|5|x.jar ,"),
              ElementsAre("com.example.A", "com.example.B"));
}

TEST(CoprocessorsTest, AreAddedUnderTheNextNumberAndRemovedByClass) {
  TableDescriptor table = With({{"coprocessor$3", "|com.example.A|7|"}, {"other", "x"}});
  ASSERT_TRUE(AddCoprocessor("|com.example.B||", &table).ok());
  EXPECT_EQ(table.attributes.at("coprocessor$4"), "|com.example.B||");
  EXPECT_EQ(AddCoprocessor("hdfs:///x.jar|com.example.A|1|", &table).message(),
            "Coprocessor com.example.A already exists.");
  EXPECT_EQ(AddCoprocessor("com.example.C", &table).message(),
            "Format does not match jar|class|priority|arguments: com.example.C");
  ASSERT_TRUE(RemoveCoprocessor("com.example.A", &table).ok());
  EXPECT_FALSE(table.attributes.contains("coprocessor$3"));
  EXPECT_EQ(RemoveCoprocessor("com.example.A", &table).message(),
            "coprocessor with class name com.example.A was not found in the table attribute");
  EXPECT_THAT(CoprocessorClasses(table), ElementsAre("com.example.B"));
  EXPECT_EQ(table.attributes.at("other"), "x");
}

TEST(CoprocessorsTest, AClassThatIsNotRunIsNotFound) {
  EXPECT_TRUE(CheckCoprocessors(With({{"coprocessor$1", "|" + std::string(kAggregateImplementation) + "|1|"}})).ok());
  const absl::Status status = CheckCoprocessors(With({{"coprocessor$1", "|com.example.Nope|7|"}}));
  EXPECT_TRUE(IsError(status, ErrorKind::kDoNotRetryIO)) << status;
  EXPECT_EQ(
      status.message(),
      "Class com.example.Nope cannot be loaded Set hbase.table.sanity.checks to false at conf or table descriptor "
      "if you want to bypass sanity checks");
}

}  // namespace
}  // namespace vaquita
