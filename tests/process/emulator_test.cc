// Compares the emulation of a small load with a real run on Vaquita: `vaquita lab emulate --against`.
#include <fstream>

#include "base/testing/json_of.h"
#include "base/testing/temporary_folder.h"
#include "tests/process/server_process.h"

namespace vaquita {
namespace {

constexpr char kSite[] = R"(<configuration>
  <property><name>hbase.hregion.memstore.flush.size</name><value>1048576</value></property>
  <property><name>hbase.hregion.max.filesize</name><value>4194304</value></property>
  <property><name>hbase.regionserver.region.split.policy</name><value>ConstantSizeRegionSplitPolicy</value></property>
</configuration>
)";

// 25 MB of scattered keys: two levels of regions are over their 4 MB by then, whatever the jitter (an eighth) and
// though up to 1 MB of each is still in its memstore, and the third is not. bench/emulator/run holds the emulator to
// 10% on a quiet machine; here a busy one puts flushes off, so that they are fewer and larger, which is no fault of the
// emulator's.
TEST(EmulatorTest, RegionsSplitsAndFlushesAreThoseOfALiveServer) {
  testing::TemporaryFolder folder;
  const std::string site = folder.path() + "/hbase-site.xml";
  std::ofstream(site) << kSite;
  std::filesystem::create_directory(folder.path() + "/server");
  std::vector<std::string> arguments = ServerProcess::OnFolder(folder.path() + "/server");
  arguments.insert(arguments.end(), {"--config", site});
  ServerProcess server(folder.path() + "/server", arguments);
  ASSERT_TRUE(server.WaitUntilReady()) << server.Errors();

  std::filesystem::create_directory(folder.path() + "/lab");
  const std::string quorum = server.Ready()["zookeeper"];
  const std::string counters = "http://" + server.Ready()["region_server_info"].get<std::string>();
  ServerProcess lab(folder.path() + "/lab", {"lab",        "emulate",       "hash_prefix(md5_hex(id), 8) + pad(id, 10)",
                                             "--generate", "id=sequence()", "--rows",
                                             "56000",      "--duration",    "15s",
                                             "--family",   "f:1x400",       "--system",
                                             "vaquita",    "--site",        site,
                                             "--format",   "json",          "--against",
                                             "t",          "--quorum",      quorum,
                                             "--counters", counters,        "--tolerance",
                                             "20"});
  EXPECT_EQ(lab.WaitForEnd(), 0) << lab.Output() << lab.Errors();
  const Json numbers = JsonOf(lab.Output());
  ASSERT_TRUE(numbers.is_object()) << lab.Output() << lab.Errors();
  EXPECT_EQ(numbers["regions"]["live"], 8);
  EXPECT_EQ(numbers["regions"]["emulated"], 8);
  EXPECT_EQ(numbers["splits"]["live"], 7);
  EXPECT_EQ(numbers["splits"]["emulated"], 7);
  EXPECT_GT(numbers["flushes"]["live"].get<int>(), 15);
}

// Records at equal distances would all be of one bucket.
TEST(EmulatorTest, ASampleOfALongRunHasEveryBucket) {
  testing::TemporaryFolder folder;
  ServerProcess lab(folder.path(),
                    {"lab", "emulate", "bucket(id, 16) + int64(id)", "--generate", "id=sequence()", "--rate", "16000",
                     "--duration", "100000s", "--points", "10000", "--split-by", "buckets", "--regions", "16",
                     "--format", "json", "-D", "hbase.regionserver.region.split.policy=DisabledRegionSplitPolicy"});
  EXPECT_EQ(lab.WaitForEnd(), 0) << lab.Errors();
  const Json result = JsonOf(lab.Output());
  ASSERT_TRUE(result.is_object()) << lab.Output();
  ASSERT_EQ(result["regions"].size(), 16u);
  for (const Json& region : result["regions"]) EXPECT_NEAR(region["records"], 1e8, 2e7);
}

// The rates of a server that nobody writes to.
TEST(EmulatorTest, WatchTellsEachRegionOnce) {
  testing::TemporaryFolder folder;
  ServerProcess server(folder.path(), ServerProcess::OnFolder(folder.path()));
  ASSERT_TRUE(server.WaitUntilReady()) << server.Errors();
  std::filesystem::create_directory(folder.path() + "/lab");
  ServerProcess lab(folder.path() + "/lab",
                    {"lab", "watch", "--address", server.address(), "--once", "--json", "--interval", "100ms"});
  EXPECT_EQ(lab.WaitForEnd(), 0) << lab.Errors();
  const Json rates = JsonOf(lab.Output());
  ASSERT_TRUE(rates.is_object()) << lab.Output();
  EXPECT_EQ(rates["writes_per_s"], 0);
  EXPECT_TRUE(rates["regions"].empty()) << "no user tables";
}

}  // namespace
}  // namespace vaquita
