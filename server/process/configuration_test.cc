#include "server/process/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/options.h"
#include "base/testing/temporary_folder.h"

namespace vaquita {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ConfigurationTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& text) {
    const std::string path = folder_.path() + "/site.xml";
    std::ofstream(path) << text;
    return path;
  }
  testing::TemporaryFolder folder_;
  Options options_;
  std::vector<std::string> warnings_;
};

std::string Property(const std::string& name, const std::string& value) {
  return "<property><name>" + name + "</name><value>" + value + "</value></property>";
}

TEST_F(ConfigurationTest, ReadsHBasesFileFormat) {
  const std::string path = Write("<?xml version=\"1.0\"?>\n<!-- comment -->\n<configuration>\n" +
                                 Property("hbase.hregion.memstore.flush.size", " 1048576\n") +
                                 Property("vaquita.grpc.port", "0") + "</configuration>");
  ASSERT_TRUE(ApplyConfigFile(path, &options_, &warnings_).ok());
  EXPECT_EQ(options_.memstore_flush_bytes, 1 << 20);
  EXPECT_EQ(options_.grpc_port, 0);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(ConfigurationTest, AnUnknownPropertyIsAWarningThatNamesIt) {
  const std::string path = Write("<configuration>" + Property("hbase.no.such", "1") + "</configuration>");
  ASSERT_TRUE(ApplyConfigFile(path, &options_, &warnings_).ok());
  EXPECT_THAT(warnings_, ElementsAre(AllOf(HasSubstr(path), HasSubstr("hbase.no.such"))));
}

TEST_F(ConfigurationTest, AMalformedValueIsAnErrorThatNamesEverything) {
  const std::string path =
      Write("<configuration>" + Property("hbase.hregion.memstore.flush.size", "much") + "</configuration>");
  const absl::Status status = ApplyConfigFile(path, &options_, &warnings_);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr(path), HasSubstr("hbase.hregion.memstore.flush.size"),
                                                   HasSubstr("much"), HasSubstr("bytes")));
}

TEST_F(ConfigurationTest, AFileThatIsNotAConfigurationIsAnError) {
  EXPECT_TRUE(absl::IsInvalidArgument(ApplyConfigFile(folder_.path() + "/none.xml", &options_, &warnings_)));
  EXPECT_EQ(ApplyConfigFile(Write("<configuration><property>"), &options_, &warnings_).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ApplyConfigFile(Write("<html/>"), &options_, &warnings_).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ApplyConfigFile(Write("<configuration><property><value>1</value></property></configuration>"), &options_,
                            &warnings_)
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ConfigurationTest, EveryPropertyHasAVariableOfItsOwn) {
  EXPECT_EQ(EnvironmentName("hbase.hregion.memstore.flush.size"), "VAQUITA_HBASE_HREGION_MEMSTORE_FLUSH_SIZE");
  EXPECT_EQ(EnvironmentName("vaquita.grpc.port"), "VAQUITA_GRPC_PORT");
  std::set<std::string> names;
  for (const OptionRow& row : OptionRows()) EXPECT_TRUE(names.insert(EnvironmentName(row.name)).second) << row.name;
}

TEST_F(ConfigurationTest, TakesTheEnvironmentAndAssignments) {
  const char* environment[] = {"PATH=/bin", "VAQUITA_GRPC_PORT=7", "VAQUITA_NO_SUCH=1", "VAQUITA_FAULT=x", nullptr};
  ASSERT_TRUE(ApplyEnvironment(environment, &options_, &warnings_).ok());
  EXPECT_EQ(options_.grpc_port, 7);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("VAQUITA_NO_SUCH")));
  ASSERT_TRUE(ApplyAssignments({"vaquita.grpc.port=8"}, &options_, &warnings_).ok());
  EXPECT_EQ(options_.grpc_port, 8);
  EXPECT_FALSE(ApplyAssignments({"vaquita.grpc.port"}, &options_, &warnings_).ok());
  const char* bad[] = {"VAQUITA_GRPC_PORT=70000", nullptr};
  EXPECT_THAT(
      std::string(ApplyEnvironment(bad, &options_, &warnings_).message()),
      AllOf(HasSubstr("VAQUITA_GRPC_PORT"), HasSubstr("vaquita.grpc.port"), HasSubstr("70000"), HasSubstr("65535")));
}

}  // namespace
}  // namespace vaquita
