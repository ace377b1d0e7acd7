// Quotas are in the rows, columns and messages that HBase's clients read by themselves (QuotaTableUtil).
#include "server/master/meta/quota_table.h"

#include <gmock/gmock.h>

#include "hbase/Quota.pb.h"
#include "proto/hbase/quota_codec.h"
#include "region/testing/region_harness.h"
#include "server/master/meta/cell_writes.h"
#include "server/master/meta/scan_all.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class QuotaTableTest : public testing::RegionHarness {
 protected:
  QuotaTableTest() {
    OpenDatabase();
    store_ =
        *MasterStore::Load(*Region::OpenOrCreate(db_.get(), MasterStore::Info(), MasterStore::Descriptor()), &clock_);
    region_ = *Region::OpenOrCreate(db_.get(), QuotaTable::Info(), QuotaTable::Descriptor());
    quotas_ = *QuotaTable::Load(region_, store_.get(), &clock_);
  }

  // Sets a throttle of the owner in `request`; a limit of 0 removes it.
  absl::Status Throttle(pb::SetQuotaRequest request, pb::ThrottleType type, uint64_t limit,
                        pb::TimeUnit unit = pb::SECONDS) {
    request.mutable_throttle()->set_type(type);
    if (limit > 0) {
      request.mutable_throttle()->mutable_timed_quota()->set_soft_limit(limit);
      request.mutable_throttle()->mutable_timed_quota()->set_time_unit(unit);
    }
    return quotas_->Set(request.SerializeAsString());
  }
  absl::Status Space(pb::SetQuotaRequest request, uint64_t limit) {
    pb::SpaceQuota* quota = request.mutable_space_limit()->mutable_quota();
    if (limit > 0) {
      quota->set_soft_limit(limit);
      quota->set_violation_policy(pb::NO_WRITES);
    } else {
      quota->set_remove(true);
    }
    return quotas_->Set(request.SerializeAsString());
  }
  static pb::SetQuotaRequest OfUser(const std::string& user) {
    pb::SetQuotaRequest request;
    request.set_user_name(user);
    return request;
  }
  static pb::SetQuotaRequest OfTable(const std::string& ns, const std::string& name, pb::SetQuotaRequest request = {}) {
    request.mutable_table_name()->set_namespace_(ns);
    request.mutable_table_name()->set_qualifier(name);
    return request;
  }
  static pb::SetQuotaRequest OfNamespace(const std::string& ns, pb::SetQuotaRequest request = {}) {
    request.set_namespace_(ns);
    return request;
  }
  static pb::SetQuotaRequest OfServers() {
    pb::SetQuotaRequest request;
    request.set_region_server("all");
    return request;
  }

  // Returns the cells of the table, "row family:qualifier value" each. A quota's value is its message.
  std::vector<std::string> Cells() {
    std::vector<std::string> cells;
    const auto batch = ScanAll(*region_, Scan{});
    EXPECT_TRUE(batch.ok()) << batch.status();
    for (size_t i = 0; batch.ok() && i < batch->cells.size(); ++i) {
      const CellView cell = batch->cells[i];
      std::string value(cell.value);
      pb::Quotas quotas;
      pb::SpaceQuotaSnapshot snapshot;
      if (value.starts_with("PBUF") && quotas.ParseFromString(value.substr(4))) {
        value = quotas.ShortDebugString();
      } else if (cell.family == "u" && snapshot.ParseFromString(value)) {
        value = snapshot.ShortDebugString();
      }
      cells.push_back(std::string(cell.row) + " " + std::string(cell.family) + ":" + std::string(cell.qualifier) + " " +
                      value);
    }
    return cells;
  }

  std::unique_ptr<MasterStore> store_;
  std::shared_ptr<Region> region_;
  std::unique_ptr<QuotaTable> quotas_;
};

TEST_F(QuotaTableTest, EachOwnerHasHBasesRowAndColumn) {
  EXPECT_TRUE(Throttle(OfUser("u1"), pb::REQUEST_NUMBER, 10).ok());
  EXPECT_TRUE(Throttle(OfTable("default", "t", OfUser("u1")), pb::READ_SIZE, 11, pb::MINUTES).ok());
  EXPECT_TRUE(Throttle(OfTable("ns", "t", OfUser("u1")), pb::WRITE_SIZE, 12).ok());
  EXPECT_TRUE(Throttle(OfNamespace("ns", OfUser("u1")), pb::WRITE_NUMBER, 13).ok());
  EXPECT_TRUE(Throttle(OfTable("ns", "t"), pb::READ_CAPACITY_UNIT, 14).ok());
  EXPECT_TRUE(Throttle(OfNamespace("ns"), pb::WRITE_CAPACITY_UNIT, 15).ok());
  EXPECT_TRUE(Throttle(OfServers(), pb::REQUEST_CAPACITY_UNIT, 16, pb::HOURS).ok());
  EXPECT_THAT(Cells(), ElementsAre("n.ns q:s throttle { write_capacity_unit { time_unit: SECONDS soft_limit: 15 } }",
                                   "r.all q:s throttle { req_capacity_unit { time_unit: HOURS soft_limit: 16 } }",
                                   "t.ns:t q:s throttle { read_capacity_unit { time_unit: SECONDS soft_limit: 14 } }",
                                   "u.u1 q:s throttle { req_num { time_unit: SECONDS soft_limit: 10 } }",
                                   "u.u1 q:s.ns: throttle { write_num { time_unit: SECONDS soft_limit: 13 } }",
                                   "u.u1 q:s.ns:t throttle { write_size { time_unit: SECONDS soft_limit: 12 } }",
                                   "u.u1 q:s.t throttle { read_size { time_unit: MINUTES soft_limit: 11 } }"));
}

TEST_F(QuotaTableTest, QuotasOfAnOwnerAreMerged) {
  pb::SetQuotaRequest bypass = OfUser("u");
  bypass.set_bypass_globals(true);
  EXPECT_TRUE(quotas_->Set(bypass.SerializeAsString()).ok());
  EXPECT_TRUE(Throttle(OfUser("u"), pb::READ_NUMBER, 1).ok());
  EXPECT_TRUE(Throttle(OfUser("u"), pb::WRITE_NUMBER, 2).ok());
  EXPECT_TRUE(Throttle(OfUser("u"), pb::READ_NUMBER, 3).ok());
  EXPECT_THAT(Cells(), ElementsAre("u.u q:s bypass_globals: true throttle { write_num { time_unit: SECONDS "
                                   "soft_limit: 2 } read_num { time_unit: SECONDS soft_limit: 3 } }"));
  EXPECT_TRUE(Throttle(OfUser("u"), pb::WRITE_NUMBER, 0).ok());
  EXPECT_TRUE(Throttle(OfUser("u"), pb::READ_NUMBER, 0).ok());
  EXPECT_THAT(Cells(), ElementsAre("u.u q:s bypass_globals: true"));
  EXPECT_TRUE(Space(OfTable("default", "t"), 100).ok());
  EXPECT_TRUE(Throttle(OfTable("default", "t"), pb::READ_NUMBER, 1).ok());
  EXPECT_TRUE(Space(OfTable("default", "t"), 0).ok());
  EXPECT_THAT(Cells(), ElementsAre("t.t q:s throttle { read_num { time_unit: SECONDS soft_limit: 1 } }",
                                   "u.u q:s bypass_globals: true"));
}

TEST_F(QuotaTableTest, TheLastQuotaLeavesNoRow) {
  EXPECT_TRUE(Throttle(OfTable("default", "t", OfUser("u")), pb::READ_NUMBER, 1).ok());
  EXPECT_TRUE(Throttle(OfUser("u"), pb::READ_NUMBER, 1).ok());
  EXPECT_TRUE(Throttle(OfTable("default", "t", OfUser("u")), pb::READ_NUMBER, 0).ok());
  EXPECT_THAT(Cells(), ElementsAre(HasSubstr("u.u q:s throttle"))) << "the user's own quota stays";
  pb::SetQuotaRequest all = OfUser("u");
  all.mutable_throttle();  // without a type: all of them, as Java's unthrottleUser
  EXPECT_TRUE(quotas_->Set(all.SerializeAsString()).ok());
  EXPECT_TRUE(Space(OfNamespace("ns"), 100).ok());
  pb::SetQuotaRequest remove = OfNamespace("ns");
  remove.set_remove_all(true);
  EXPECT_TRUE(quotas_->Set(remove.SerializeAsString()).ok());
  EXPECT_TRUE(Space(OfTable("ns", "t"), 100).ok());
  EXPECT_TRUE(quotas_->ForgetTable({"ns", "t"}).ok());
  EXPECT_TRUE(Space(OfNamespace("ns"), 100).ok());
  EXPECT_TRUE(quotas_->ForgetNamespace("ns").ok());
  EXPECT_THAT(Cells(), IsEmpty());
}

TEST_F(QuotaTableTest, AllQuotasEndAtOnce) {
  EXPECT_TRUE(Throttle(OfTable("default", "t", OfUser("u")), pb::READ_NUMBER, 1).ok());
  EXPECT_TRUE(Throttle(OfUser("u"), pb::READ_NUMBER, 1).ok());
  EXPECT_TRUE(Space(OfNamespace("ns"), 100).ok());
  EXPECT_TRUE(quotas_->SwitchRpcThrottle(false).ok());
  EXPECT_TRUE(quotas_->ForgetAll().ok());
  EXPECT_THAT(Cells(), IsEmpty());
  EXPECT_TRUE(*quotas_->IsRpcThrottleOn());
}

TEST_F(QuotaTableTest, WrongRequestsAreRefused) {
  const auto set = [&](const pb::SetQuotaRequest& request) { return quotas_->Set(request.SerializeAsString()); };
  EXPECT_THAT(set({}).message(), HasSubstr("a user, a table, a namespace or region server must be specified"));
  EXPECT_THAT(set(OfUser("u")).message(), HasSubstr("must have one of bypass_globals, space_limit and throttle"));
  EXPECT_THAT(Space(OfUser("u"), 1).message(), HasSubstr("for a table or namespace"));
  EXPECT_THAT(Space(OfTable("ns", "t", OfNamespace("ns")), 1).message(), HasSubstr("for a table or namespace"));
  pb::SetQuotaRequest zero = OfUser("u");
  zero.mutable_throttle()->set_type(pb::READ_NUMBER);
  zero.mutable_throttle()->mutable_timed_quota()->set_time_unit(pb::SECONDS);
  EXPECT_THAT(set(zero).message(), HasSubstr("must be greater then 0, got 0"));
  EXPECT_THAT(quotas_->Set("x").message(), HasSubstr("SetQuotaRequest"));
  EXPECT_THAT(Cells(), IsEmpty());

  clock_.Advance(1'000);
  Apply(region_.get(), testing::MakePut("u.u", "q:s", "nonsense"));
  const absl::Status unreadable = Throttle(OfUser("u"), pb::READ_NUMBER, 1);
  EXPECT_TRUE(IsError(unreadable, ErrorKind::kDeserialization)) << unreadable;
  EXPECT_THAT(Cells(), ElementsAre("u.u q:s nonsense")) << "a value that a client wrote is not lost";
}

TEST_F(QuotaTableTest, SwitchesAreKept) {
  EXPECT_TRUE(quotas_->IsRpcThrottleOn().value());
  EXPECT_TRUE(quotas_->SwitchRpcThrottle(false).value());
  EXPECT_FALSE(QuotaTable::Load(region_, store_.get(), &clock_).value()->IsRpcThrottleOn().value());
  EXPECT_FALSE(quotas_->SwitchRpcThrottle(true).value());

  EXPECT_FALSE(quotas_->SwitchExceedThrottle(false).value());
  EXPECT_THAT(quotas_->SwitchExceedThrottle(true).status().message(), HasSubstr("Please set region server quota"));
  EXPECT_TRUE(Throttle(OfServers(), pb::WRITE_NUMBER, 10).ok());
  EXPECT_THAT(quotas_->SwitchExceedThrottle(true).status().message(), HasSubstr("at least one read region server"));
  EXPECT_TRUE(Throttle(OfServers(), pb::READ_NUMBER, 10, pb::MINUTES).ok());
  EXPECT_THAT(quotas_->SwitchExceedThrottle(true).status().message(), HasSubstr("must be in seconds time unit"));
  EXPECT_TRUE(Throttle(OfServers(), pb::READ_NUMBER, 10).ok());
  EXPECT_FALSE(quotas_->SwitchExceedThrottle(true).value());
  EXPECT_TRUE(quotas_->SwitchExceedThrottle(true).value());
  EXPECT_THAT(Cells(), ::testing::Contains("exceedThrottleQuota q:s \xff"));
}

TEST_F(QuotaTableTest, TheUseOfSpaceIsNoted) {
  EXPECT_TRUE(Space(OfTable("default", "t"), 100).ok());
  EXPECT_TRUE(Space(OfNamespace("ns"), 10).ok());
  const std::map<TableName, int64_t> sizes = {
      {{"default", "t"}, 100}, {{"default", "free"}, 9}, {{"ns", "a"}, 5}, {{"ns", "b"}, 6}};
  EXPECT_TRUE(quotas_->NoteSpace(sizes).ok());
  const std::string too_much =
      "u:p quota_status { violation_policy: NO_WRITES in_violation: true } quota_usage: 11 "
      "quota_limit: 10";
  EXPECT_THAT(Cells(),
              ElementsAre(HasSubstr("n.ns q:s"), "t.ns:a " + too_much, "t.ns:b " + too_much, HasSubstr("t.t q:s"),
                          "t.t u:p quota_status { in_violation: false } quota_usage: 100 quota_limit: 100"));
  EXPECT_TRUE(Space(OfNamespace("ns"), 0).ok());
  EXPECT_TRUE(quotas_->NoteSpace(sizes).ok());
  EXPECT_THAT(Cells(), ElementsAre(HasSubstr("t.t q:s"), HasSubstr("t.t u:p")));
}

TEST_F(QuotaTableTest, ARowOfNobodyIsPassedOver) {
  pb::Quotas quotas;
  quotas.mutable_space()->set_soft_limit(1);
  ASSERT_TRUE(PutCell(*region_, "x", "q", "s", "PBUF" + quotas.SerializeAsString(), clock_.NowMs()).ok());
  EXPECT_TRUE(Space(OfTable("default", "t"), 100).ok());
  EXPECT_TRUE(quotas_->NoteSpace({{{"default", "t"}, 7}}).ok());
  EXPECT_THAT(Cells(), ElementsAre(HasSubstr("t.t q:s"), HasSubstr("quota_usage: 7"), HasSubstr("x q:s")));
}

}  // namespace
}  // namespace vaquita
