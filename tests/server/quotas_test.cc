// The table hbase:quota over a master's lives, with quotas on and off.
#include "base/testing/wait_for.h"
#include "hbase/Quota.pb.h"
#include "proto/hbase/quota_codec.h"
#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class QuotasTest : public ServerHarness {
 protected:
  QuotasTest() { options_.quotas = true; }

  static std::string Throttle(const pb::SetQuotaRequest& owner) {
    pb::SetQuotaRequest request = owner;
    request.mutable_throttle()->set_type(pb::REQUEST_NUMBER);
    request.mutable_throttle()->mutable_timed_quota()->set_time_unit(pb::SECONDS);
    request.mutable_throttle()->mutable_timed_quota()->set_soft_limit(10);
    return request.SerializeAsString();
  }
  static std::string ThrottleTable(const std::string& name) {
    pb::SetQuotaRequest request;
    request.mutable_table_name()->set_namespace_("default");
    request.mutable_table_name()->set_qualifier(name);
    return Throttle(request);
  }
  static std::string ThrottleNamespace(const std::string& ns) {
    pb::SetQuotaRequest request;
    request.set_namespace_(ns);
    return Throttle(request);
  }
};

TEST_F(QuotasTest, TheTableIsMadeOnceAndServedLikeAnyOther) {
  EXPECT_THAT(master().ListTables(true), Contains(kQuotaTableName));
  EXPECT_THAT(MetaColumns(), Contains("hbase:quota table:state"));
  EXPECT_TRUE(master().SetQuota(ThrottleTable("t")).ok());
  EXPECT_THAT(Rows("hbase:quota"), ElementsAre(HasSubstr("t.t=PBUF")));
  EXPECT_TRUE(Put("hbase:quota", "t.x", "v", "q:s").ok()) << "as in HBase, a client may write to it";
  Restart();
  EXPECT_THAT(Rows("hbase:quota"), ElementsAre(HasSubstr("t.t=PBUF"), "t.x=v"));
  EXPECT_TRUE(master().FlushTable(kQuotaTableName).ok());
  EXPECT_THAT(master().CheckConsistency().value(), IsEmpty());
}

TEST_F(QuotasTest, OnlyTheMasterMakesAndChangesTheTable) {
  EXPECT_THAT(Finish(master().DisableTableAsync(kQuotaTableName)),
              FailsWith(ErrorKind::kConstraint, "Cannot disable hbase:quota"));
  EXPECT_THAT(Finish(master().ModifyTableAsync(Descriptor("hbase:quota"))),
              FailsWith(ErrorKind::kDoNotRetryIO, "Can't modify catalog tables"));
}

TEST_F(QuotasTest, ADeletedTablesAndNamespacesQuotasGo) {
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(master().CreateNamespace({.name = "n"}).ok());
  EXPECT_TRUE(master().SetQuota(ThrottleTable("t")).ok());
  EXPECT_TRUE(master().SetQuota(ThrottleTable("other")).ok());
  EXPECT_TRUE(master().SetQuota(ThrottleNamespace("n")).ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().DeleteNamespaceAsync("n")).ok());
  EXPECT_THAT(Rows("hbase:quota"), ElementsAre(HasSubstr("t.other=")));
}

TEST_F(QuotasTest, WithoutThemTheTableStaysAndNothingIsSet) {
  EXPECT_TRUE(master().SetQuota(ThrottleTable("t")).ok());
  EXPECT_TRUE(master().IsRpcThrottleOn().value());
  options_.quotas = false;
  Restart();
  EXPECT_THAT(Rows("hbase:quota"), ElementsAre(HasSubstr("t.t=PBUF"))) << "as in HBase";
  EXPECT_THAT(master().SetQuota(ThrottleTable("t")),
              FailsWith(ErrorKind::kUnsupportedOperation, "quota support disabled"));
  EXPECT_FALSE(master().IsRpcThrottleOn().value());
  EXPECT_FALSE(master().SwitchRpcThrottle(true).value());
  EXPECT_FALSE(master().SwitchExceedThrottleQuota(true).value());
  EXPECT_THAT(master().QuotaTableSizes(), IsEmpty());
  EXPECT_THAT(master().QuotaUses().value().tables, IsEmpty());
}

// As in HBase, where 95% have to report.
TEST_F(QuotasTest, TheUseOfATableOfWhichRegionsDoNotReportIsNotKnown) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  pb::SetQuotaRequest request;
  request.mutable_table_name()->set_namespace_("default");
  request.mutable_table_name()->set_qualifier("t");
  request.mutable_space_limit()->mutable_quota()->set_soft_limit(100);
  request.mutable_space_limit()->mutable_quota()->set_violation_policy(pb::NO_WRITES);
  ASSERT_TRUE(master().SetQuota(request.SerializeAsString()).ok());
  WaitFor([&] { return master().QuotaUses().value().tables.contains(Name("t")); });
  ASSERT_TRUE(master().NoteQuotaUses().ok());
  const auto noted = Rows("hbase:quota");
  EXPECT_THAT(noted, SizeIs(2));
  ASSERT_TRUE(Finish(master().UnassignRegionAsync(RegionOf("t", "m"))).ok());
  WaitFor([&] { return !master().QuotaUses().value().tables.contains(Name("t")); });
  EXPECT_THAT(master().QuotaUses().value().unknown, ElementsAre(Name("t")));
  ASSERT_TRUE(master().NoteQuotaUses().ok());
  EXPECT_EQ(Rows("hbase:quota"), noted) << "what was known stays";
}

class NoQuotasTest : public ServerHarness {};

TEST_F(NoQuotasTest, TheTableIsNotThereUntilTheyAreOn) {
  EXPECT_THAT(master().ListTables(true), Not(Contains(kQuotaTableName)));
  EXPECT_THAT(Create("hbase:quota"), FailsWith(ErrorKind::kDoNotRetryIO, HasSubstr("hbase.quota.enabled")));
  options_.quotas = true;
  Restart();
  EXPECT_THAT(master().ListTables(true), Contains(kQuotaTableName));
  EXPECT_THAT(Rows("hbase:quota"), IsEmpty());
}

}  // namespace
}  // namespace vaquita::testing
