// Start, ready file, output, stop, refusal of a second server, configuration.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class StartStopTest : public ProcessTest {};

TEST_F(StartStopTest, ServesSaysWhereAndStopsCleanly) {
  Start();
  EXPECT_THAT(server_->Output(), AllOf(HasSubstr("is ready"), HasSubstr(server_->address()),
                                       HasSubstr("vaquita shell --address " + server_->address()),
                                       HasSubstr("grpcurl -plaintext " + server_->address())));
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  ASSERT_TRUE(Put("t", "r", Durability::kSkipWal).ok());  // a clean stop keeps this, too
  Stop();
  EXPECT_THAT(server_->Errors(), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/ready.json"));
  Start();
  EXPECT_THAT(Rows("t"), SizeIs(1));
  server_->Signal(SIGINT);
  EXPECT_EQ(server_->WaitForEnd(), 0);
}

TEST_F(StartStopTest, ASecondServerOnTheFolderIsRefusedInOneLine) {
  Start();
  const std::string other = folder_.path() + "/other";
  std::filesystem::create_directory(other);
  ServerProcess second(other, {"standalone", "--data", folder_.path() + "/data", "--free-ports"});
  EXPECT_EQ(second.WaitForEnd(), 1);
  EXPECT_EQ(second.Errors(), "vaquita: data folder " + folder_.path() +
                                 "/data is in use by another Vaquita server (process " +
                                 std::to_string(server_->pid()) + ")\n");
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
}

TEST_F(StartStopTest, AFolderWithOtherFilesIsRefusedAndLeftAlone) {
  const std::string other = folder_.path() + "/other";
  std::filesystem::create_directory(other);
  std::ofstream(other + "/notes.txt") << "mine";
  const std::string refusal =
      other + " is no data folder of Vaquita, and is not empty (notes.txt); name a new folder or an empty one";
  for (const std::string command : {"standalone", "master", "regionserver"}) {
    const Outcome outcome = Vaquita({command, "--data", other, "--free-ports"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.errors, "vaquita: " + refusal + "\n");
  }
  EXPECT_EQ(Vaquita({"fsck", "--data", other}).errors, "fsck: " + other + " is no data folder of a server\n");
  const auto files = std::filesystem::directory_iterator(other);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(StartStopTest, AReadyFileThatCannotBeWrittenStopsTheStart) {
  for (const std::string command : {"standalone", "master", "regionserver", "cluster"}) {
    const std::string data = folder_.path() + "/" + command;
    const Outcome outcome =
        Vaquita({command, "--data", data, "--free-ports", "--ready-file", folder_.path() + "/no/ready.json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.errors, AllOf(HasSubstr("--ready-file"), HasSubstr(folder_.path() + "/no/ready.json"),
                                      HasSubstr("No such file or directory")));
    EXPECT_FALSE(std::filesystem::exists(data)) << command;
  }
}

TEST_F(StartStopTest, AnEphemeralFolderIsRemoved) {
  server_ = std::make_unique<ServerProcess>(
      folder_.path(), std::vector<std::string>{"standalone", "--ephemeral", "--free-ports", "--ready-file",
                                               folder_.path() + "/ready.json"});
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  EXPECT_TRUE(std::filesystem::exists(server_->data()));
  Stop();
  EXPECT_FALSE(std::filesystem::exists(server_->data()));
}

TEST_F(StartStopTest, ConfigurationIsReadInOrderOfStrength) {
  const std::string file = folder_.path() + "/site.xml";
  std::ofstream(file) << "<configuration><property><name>vaquita.grpc.port</name><value>1</value></property>"
                         "<property><name>hbase.no.such</name><value>1</value></property></configuration>";
  server_ = std::make_unique<ServerProcess>(
      folder_.path(),
      std::vector<std::string>{"standalone", "--ephemeral", "--config", file, "--zookeeper-port", "0", "--master-port",
                               "0", "--region-server-port", "0", "-D", "vaquita.grpc.port=0", "-D",
                               "hbase.master.info.port=-1", "-D", "hbase.regionserver.info.port=-1", "--ready-file",
                               folder_.path() + "/ready.json"},
      std::map<std::string, std::string>{{"VAQUITA_GRPC_PORT", "2"}});
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();  // on port 1 or 2 it could not
  EXPECT_EQ(server_->Errors(),
            "vaquita: warning: configuration file " + file + ": unknown property hbase.no.such is ignored\n");
  Stop();
}

TEST_F(StartStopTest, AMalformedValueEndsTheStart) {
  const std::string file = folder_.path() + "/site.xml";
  std::ofstream(file) << "<configuration><property><name>hbase.hregion.memstore.flush.size</name><value>lots</value>"
                         "</property></configuration>";
  server_ = std::make_unique<ServerProcess>(folder_.path(),
                                            std::vector<std::string>{"standalone", "--ephemeral", "--config", file});
  EXPECT_EQ(server_->WaitForEnd(), 1);
  EXPECT_THAT(server_->Errors(), AllOf(HasSubstr(file), HasSubstr("hbase.hregion.memstore.flush.size"),
                                       HasSubstr("lots"), HasSubstr("bytes")));
}

TEST_F(StartStopTest, AFolderIsAskedFor) {
  server_ = std::make_unique<ServerProcess>(folder_.path(), std::vector<std::string>{"standalone"});
  EXPECT_EQ(server_->WaitForEnd(), 1);
  EXPECT_EQ(server_->Errors(), "vaquita: give either --data DIR or --ephemeral\n");
}

TEST_F(StartStopTest, ConfigPrintsEveryProperty) {
  for (const char* format : {"", "--markdown", "--xml"}) {
    std::vector<std::string> arguments = {"config"};
    if (*format != '\0') arguments.push_back(format);
    ServerProcess config(folder_.path(), arguments);
    EXPECT_EQ(config.WaitForEnd(), 0);
    for (const OptionRow& row : OptionRows()) EXPECT_THAT(config.Output(), HasSubstr(std::string(row.name)));
  }
  // The page in docs/ has what --markdown prints.
  ServerProcess markdown(folder_.path(), {"config", "--markdown"});
  EXPECT_EQ(markdown.WaitForEnd(), 0);
  std::stringstream page;
  page << std::ifstream(VAQUITA_SOURCES "/docs/configuration.md").rdbuf();
  EXPECT_THAT(page.str(), HasSubstr(markdown.Output())) << "run: vaquita config --markdown";
  // The output of --xml is a file that --config reads without a warning.
  ServerProcess xml(folder_.path(), {"config", "--xml"});
  EXPECT_EQ(xml.WaitForEnd(), 0);
  std::filesystem::copy_file(folder_.path() + "/stdout", folder_.path() + "/all.xml");
  server_ = std::make_unique<ServerProcess>(
      folder_.path(), std::vector<std::string>{"standalone", "--ephemeral", "--config", folder_.path() + "/all.xml",
                                               "--free-ports", "--ready-file", folder_.path() + "/ready.json"});
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  EXPECT_THAT(server_->Errors(), Not(HasSubstr("warning")));
}

}  // namespace
}  // namespace vaquita
