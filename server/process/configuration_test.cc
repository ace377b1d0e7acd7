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

TEST_F(ConfigurationTest, NothingInAFileIsLeftOutWithoutAWord) {
  const std::string property = Property("vaquita.tls.enabled", "true");
  const std::pair<std::string, std::string> cases[] = {
      {"<configuration><propery><name>vaquita.tls.enabled</name><value>true</value></propery></configuration>",
       "<propery> is not <property>"},
      {"<configuration xmlns:xi='x'><xi:include href='tls.xml'/></configuration>", "<xi:include> is not <property>"},
      {"<configuration><configuration>" + property + "</configuration></configuration>",
       "<configuration> is not <property>"},
      {"<configuration/><configuration>" + property + "</configuration>", "a second root"},
      {"<configuration><property><name>hbase.superuser</name><vale>bob</vale></property></configuration>",
       "the <property> hbase.superuser without a <value>"},
      {"<configuration>" + Property("hbase.superuser", "${user.name}") + "</configuration>",
       "hbase.superuser is \"${user.name}\", and variables are not replaced"},
  };
  for (const auto& [text, says] : cases) {
    const absl::Status status = ApplyConfigFile(Write(text), &options_, &warnings_);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(says));
  }
  EXPECT_THAT(std::string(ApplyConfigFile(folder_.path(), &options_, &warnings_).message()),
              HasSubstr(folder_.path() + " cannot be read: it is not a file"));
  const std::string path = Write(
      "<configuration><!-- a --><property><name>hbase.superuser</name>"
      "<value>ann,<!-- and --><![CDATA[bob]]></value><final>true</final></property>" +
      Property("hbase.rootdir", "${hbase.tmp.dir}/x") + Property("vaquita.http.hosts", "") + "</configuration>");
  const absl::Status status = ApplyConfigFile(path, &options_, &warnings_);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(options_.superusers, "ann,bob");
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("hbase.rootdir")));
}

TEST_F(ConfigurationTest, EveryPropertyHasAVariableOfItsOwn) {
  EXPECT_EQ(EnvironmentName("hbase.hregion.memstore.flush.size"), "VAQUITA_HBASE_HREGION_MEMSTORE_FLUSH_SIZE");
  EXPECT_EQ(EnvironmentName("vaquita.grpc.port"), "VAQUITA_GRPC_PORT");
  std::set<std::string> names;
  for (const OptionRow& row : OptionRows()) EXPECT_TRUE(names.insert(EnvironmentName(row.name)).second) << row.name;
}

TEST_F(ConfigurationTest, TakesTheEnvironmentAndAssignments) {
  const char* environment[] = {"PATH=/bin",
                               "VAQUITA_GRPC_PORT=7",
                               "VAQUITA_NO_SUCH=1",
                               "VAQUITA_FAULT=x",
                               "VAQUITA_ADDRESS=h:1",
                               "VAQUITA_TOKEN=x",
                               "VAQUITA_OPTIONS=-D a=b",
                               "VAQUITA_GRPC_PROT=7",
                               nullptr};
  ASSERT_TRUE(ApplyEnvironment(environment, &options_, &warnings_).ok());
  EXPECT_EQ(options_.grpc_port, 7);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("VAQUITA_NO_SUCH"),
                                     HasSubstr("VAQUITA_GRPC_PROT is not a property and is ignored; did you mean "
                                               "'VAQUITA_GRPC_PORT'?")));
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
