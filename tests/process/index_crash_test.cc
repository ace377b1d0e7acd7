// kill -9 at every place of what writes an index: afterwards the index answers as its table does, or nobody reads it.
#include "tests/process/process_harness.h"
#include "tests/process/query_driver.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

constexpr int kDoublings = 10;  // 1,024 rows are more than one batch

class IndexCrashTest : public ProcessTest {
 protected:
  std::unique_ptr<Driver> Connect() {
    auto driver = std::make_unique<Driver>(server_->Ready().at("query_server").get<std::string>());
    driver->SetAutoCommit(true);
    return driver;
  }
  static void MakeTable(Driver* driver) {
    driver->Run("CREATE TABLE T (ID INTEGER PRIMARY KEY, V VARCHAR, N VARCHAR)");
    driver->Run("UPSERT INTO T VALUES (0, 'old', 'n')");
    for (int i = 0; i < kDoublings; ++i) {
      driver->Run("UPSERT INTO T SELECT ID + " + std::to_string(1 << i) + ", 'old', 'n' FROM T");
    }
  }
  static std::string Count(Driver* driver, const std::string& value, const std::string& hint = "") {
    return driver->Run("SELECT " + hint + " TO_CHAR(COUNT(*), '0'), MAX(N) FROM T WHERE V = '" + value + "'")[0];
  }
  static void ExpectAlike(Driver* driver) {
    int rows = 0;
    for (const std::string value : {"old", "new"}) {
      EXPECT_EQ(Count(driver, value), Count(driver, value, "/*+ NO_INDEX */")) << value;
      rows += std::stoi(Count(driver, value));
    }
    EXPECT_EQ(rows, 1 << kDoublings);
  }
  static std::string Plan(Driver* driver) { return driver->Run("EXPLAIN SELECT ID, N FROM T WHERE V = 'old'")[0]; }
  void ExpectKilled() { EXPECT_EQ(server_->WaitForEnd(), -SIGKILL) << server_->Errors(); }
};

class IndexBuildCrashTest : public IndexCrashTest, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Building, IndexBuildCrashTest, ::testing::Values("index:listed", "index:building"),
                         [](const auto& info) { return std::string(info.param).substr(6); });

TEST_P(IndexBuildCrashTest, AnIndexThatIsNotBuiltWhollyIsKeptAndNotRead) {
  Start();
  MakeTable(Connect().get());
  Stop();
  Start(GetParam());
  Connect()->RunToTheEnd("CREATE INDEX I ON T (V) INCLUDE (N)");
  ExpectKilled();

  Start();
  const auto driver = Connect();
  EXPECT_THAT(Plan(driver.get()), HasSubstr("FULL SCAN OVER T"));
  driver->Run("UPSERT INTO T VALUES (7, 'new', 'n')");
  ExpectAlike(driver.get());
  driver->Run("ALTER INDEX I ON T REBUILD");
  EXPECT_THAT(Plan(driver.get()), HasSubstr("RANGE SCAN OVER I "));
  ExpectAlike(driver.get());
}

class IndexedUpsertCrashTest : public IndexCrashTest, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Writing, IndexedUpsertCrashTest, ::testing::Values("index:unverified", "index:written"),
                         [](const auto& info) { return std::string(info.param).substr(6); });

TEST_P(IndexedUpsertCrashTest, AnUpsertThatWasKilledLeavesTableAndIndexAlike) {
  const bool written = GetParam() == std::string("index:written");
  Start();
  {
    const auto driver = Connect();
    MakeTable(driver.get());
    driver->Run("CREATE INDEX I ON T (V) INCLUDE (N)");
  }
  Stop();
  Start(GetParam());
  Connect()->RunToTheEnd("UPSERT INTO T SELECT ID, 'new', 'm' FROM T");
  ExpectKilled();

  Start();
  const auto driver = Connect();
  EXPECT_THAT(Plan(driver.get()), HasSubstr("RANGE SCAN OVER I "));
  ExpectAlike(driver.get());
  EXPECT_EQ(Count(driver.get(), "new"), written ? "1000|m" : "0|");  // one batch
  // The statement runs again, and is done wholly.
  driver->Run("UPSERT INTO T SELECT ID, 'new', 'm' FROM T");
  ExpectAlike(driver.get());
  EXPECT_EQ(Count(driver.get(), "new"), "1024|m");
}

TEST_F(IndexCrashTest, ARebuildThatWasKilledRunsAgain) {
  Start();
  {
    const auto driver = Connect();
    MakeTable(driver.get());
    driver->Run("CREATE INDEX I ON T (V) INCLUDE (N)");
  }
  Stop();
  Start("index:disabled");
  Connect()->RunToTheEnd("ALTER INDEX I ON T REBUILD");
  ExpectKilled();

  Start();
  const auto driver = Connect();
  EXPECT_THAT(Plan(driver.get()), HasSubstr("FULL SCAN OVER T"));
  driver->Run("ALTER INDEX I ON T REBUILD");
  EXPECT_THAT(Plan(driver.get()), HasSubstr("RANGE SCAN OVER I "));
  ExpectAlike(driver.get());
}

// A place where the index is dropped, but its HBase table is there, is mended by the next CREATE INDEX.
TEST_F(IndexCrashTest, AnHBaseTableWithoutAnIndexIsReplaced) {
  Start();
  const auto driver = Connect();
  MakeTable(driver.get());
  TableDescriptor rest = Descriptor("I", {"0"});
  ASSERT_TRUE(rest.Set("DATA_TABLE_NAME", "T").ok());
  ASSERT_TRUE(admin_->CreateTable(rest).ok());
  driver->Run("CREATE INDEX I ON T (V) INCLUDE (N)");
  EXPECT_THAT(Plan(driver.get()), HasSubstr("RANGE SCAN OVER I "));
  ExpectAlike(driver.get());
}

}  // namespace
}  // namespace vaquita
