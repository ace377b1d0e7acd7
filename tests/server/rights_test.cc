// Users with a right to a part of a table, whose calls come as the connections make them.
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "hbase/Admin.pb.h"
#include "hbase/Client.pb.h"
#include "hbase/Endpoints.pb.h"
#include "hbase/Master.pb.h"
#include "model/cell_block_reader.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/schema_codec.h"
#include "server/access/access_control.h"
#include "server/frontend/hbase/services.h"
#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita::hbase {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using vaquita::testing::FailsWith;
using vaquita::testing::MakeCell;
using vaquita::testing::MakePut;

constexpr const char* kDenied = "org.apache.hadoop.hbase.security.AccessDeniedException";

class RightsTest : public vaquita::testing::ServerHarness {
 protected:
  void SetUp() override {
    options_.authorization = true;
    options_.superusers = "root";
    ServerHarness::SetUp();
    client_ = MakeClientService(&region_server());
    admin_ = MakeAdminService(&master(), &region_server());
    ASSERT_TRUE(Create("t").ok());
    Grant("bob", "f", "a", {UserAction::kWrite});
  }
  void Grant(const std::string& user, const std::string& family, const std::string& qualifier, UserActions actions) {
    ASSERT_TRUE(master()
                    .Grant({user,
                            {.scope = Permission::Scope::kTable,
                             .table = Name("t"),
                             .family = family,
                             .qualifier = qualifier,
                             .actions = actions}},
                           /*merge=*/true, nullptr)
                    .ok());
  }
  template <typename Response>
  static absl::StatusOr<Response> Ask(RpcService& service, std::string_view method, const Caller& caller,
                                      const google::protobuf::MessageLite& request) {
    const std::string bytes = request.SerializeAsString();
    VAQUITA_ASSIGN_OR_RETURN(
        const RpcResponse answer,
        service.Call({.method = method, .param = bytes, .context = {.caller = &caller}, .client_version = "2.6.0"}));
    Response response;
    EXPECT_TRUE(response.ParseFromString(answer.param)) << method;
    return response;
  }
  template <typename Request>
  Request OfRegion() {
    Request request;
    EncodeRegionSpecifier(master().LocateRow(Name("t"), "")->info, request.mutable_region());
    return request;
  }
  absl::Status Mutate(const Caller& caller, const Mutation& mutation) {
    auto request = OfRegion<pb::MutateRequest>();
    EncodeMutation(mutation, nullptr, request.mutable_mutation());
    return Ask<pb::MutateResponse>(*client_, "Mutate", caller, request).status();
  }
  // The classes of the actions' exceptions.
  std::vector<std::string> Multi(const Caller& caller, const std::vector<Mutation>& mutations) {
    pb::MultiRequest request;
    *request.add_regionaction() = OfRegion<pb::RegionAction>();
    for (const Mutation& mutation : mutations) {
      pb::Action* action = request.mutable_regionaction(0)->add_action();
      action->set_index(static_cast<uint32_t>(request.regionaction(0).action_size() - 1));
      EncodeMutation(mutation, nullptr, action->mutable_mutation());
    }
    const auto response = Ask<pb::MultiResponse>(*client_, "Multi", caller, request);
    EXPECT_TRUE(response.ok()) << response.status();
    std::vector<std::string> classes;
    for (const auto& outcome : response->regionactionresult(0).resultorexception()) {
      classes.push_back(outcome.exception().name());
    }
    return classes;
  }
  std::vector<std::string> Columns(const std::string& row) {
    Get get;
    get.row = row;
    CellBlock cells;
    EXPECT_TRUE(region_server().Get(RegionOf("t", row), get, &cells, {.caller = &root_}).ok());
    std::vector<std::string> columns;
    for (size_t i = 0; i < cells.size(); ++i) columns.emplace_back(cells[i].qualifier);
    return columns;
  }

  const Caller root_{.name = "root", .superuser = true};
  const Caller bob_{.name = "bob"};
  const Caller carol_{.name = "carol"};
  std::unique_ptr<RpcService> client_;
  std::unique_ptr<RpcService> admin_;
};

TEST_F(RightsTest, ADeleteOfAFamilyNeedsTheFamilyWhateverItsQualifier) {
  for (const char* qualifier : {"a", "b"}) {
    ASSERT_TRUE(Mutate(root_, MakePut("r", std::string("f:") + qualifier, "v")).ok());
  }
  for (const CellType type : {CellType::kDeleteFamily, CellType::kDeleteFamilyVersion}) {
    for (const MutationType as : {MutationType::kDelete, MutationType::kPut}) {
      Mutation mutation{.type = as, .row = "r"};
      mutation.cells.push_back(MakeCell("f:a", "", 5));
      mutation.cells[0].type = type;
      EXPECT_TRUE(IsError(Mutate(bob_, mutation), ErrorKind::kAccessDenied));
    }
  }
  EXPECT_THAT(Columns("r"), ElementsAre("a", "b"));
  EXPECT_TRUE(Mutate(bob_, MakePut("r", "f:a", "v")).ok());
}

TEST_F(RightsTest, IfOneWriteOfARegionIsRefusedAllAre) {
  const std::vector<Mutation> puts = {MakePut("r1", "f:a", "v"), MakePut("r2", "f:secret", "v"),
                                      MakePut("r3", "f:a", "v")};
  EXPECT_THAT(Multi(bob_, puts), ElementsAre(kDenied, kDenied, kDenied));
  EXPECT_THAT(Columns("r1"), IsEmpty());
  EXPECT_THAT(Columns("r3"), IsEmpty());
  EXPECT_THAT(Multi(bob_, {puts[0], puts[2]}), ElementsAre("", ""));
  EXPECT_THAT(Columns("r3"), ElementsAre("a"));
}

TEST_F(RightsTest, TheBestSplitRowIsForWhoMayFlush) {
  Grant("carol", "", "", {UserAction::kCreate});
  const auto ask = [&](const Caller& caller, bool best_split_row) {
    auto request = OfRegion<pb::GetRegionInfoRequest>();
    request.set_best_split_row(best_split_row);
    return Ask<pb::GetRegionInfoResponse>(*admin_, "GetRegionInfo", caller, request).status();
  };
  EXPECT_TRUE(ask(bob_, false).ok());
  EXPECT_TRUE(IsError(ask(bob_, true), ErrorKind::kAccessDenied));
  EXPECT_TRUE(ask(carol_, true).ok());
}

TEST_F(RightsTest, RightsOfCellsAreRefusedInEachKindOfWrite) {
  pb::MutationProto put;
  EncodeMutation(MakePut("r", "f:a", "v"), nullptr, &put);
  put.add_attribute()->set_name("acl");
  const auto refused = FailsWith(ErrorKind::kDoNotRetryIO, HasSubstr("Cell ACLs cannot be persisted"));
  auto mutate = OfRegion<pb::MutateRequest>();
  *mutate.mutable_mutation() = put;
  EXPECT_THAT(Ask<pb::MutateResponse>(*client_, "Mutate", bob_, mutate).status(), refused);
  pb::MutateRowsRequest rows;
  *rows.add_mutation_request() = put;
  auto exec = OfRegion<pb::CoprocessorServiceRequest>();
  exec.mutable_call()->set_row("r");
  exec.mutable_call()->set_service_name("MultiRowMutationService");
  exec.mutable_call()->set_method_name("MutateRows");
  exec.mutable_call()->set_request(rows.SerializeAsString());
  EXPECT_THAT(Ask<pb::CoprocessorServiceResponse>(*client_, "ExecService", bob_, exec).status(), refused);
  EXPECT_THAT(Columns("r"), IsEmpty());
}

// Its name may be that of another one each time that it is looked up.
TEST_F(RightsTest, ASnapshotIsJudgedAsItIsFound) {
  ASSERT_TRUE(Finish(master().SnapshotAsync({.name = "s", .table = Name("t"), .owner = "root"}, false)).ok());
  const auto service = MakeMasterService(&master(), &region_server());
  const auto ask_to_delete = [&](const Caller& caller, const std::string& name) {
    pb::DeleteSnapshotRequest request;
    request.mutable_snapshot()->set_name(name);
    return Ask<pb::DeleteSnapshotResponse>(*service, "DeleteSnapshot", caller, request).status();
  };
  const auto ask_to_restore = [&](const Caller& caller, const std::string& name, const std::string& table) {
    pb::RestoreSnapshotRequest request;
    request.mutable_snapshot()->set_name(name);
    request.mutable_snapshot()->set_table(table);
    return Ask<pb::RestoreSnapshotResponse>(*service, "RestoreSnapshot", caller, request).status();
  };
  EXPECT_TRUE(IsError(ask_to_delete(bob_, "s"), ErrorKind::kAccessDenied));
  EXPECT_TRUE(IsError(ask_to_delete(bob_, "none"), ErrorKind::kSnapshotDoesNotExist));
  for (const char* table : {"t", "mine"}) {
    EXPECT_TRUE(IsError(ask_to_restore(bob_, "s", table), ErrorKind::kAccessDenied)) << table;
    EXPECT_TRUE(IsError(ask_to_restore(bob_, "none", table), ErrorKind::kSnapshotDoesNotExist)) << table;
  }
  EXPECT_FALSE(master().GetDescriptor(Name("mine")).ok());
  std::vector<std::string> judged;
  const auto deny = [&](const SnapshotDescription& snapshot, bool restores) {
    judged.push_back(snapshot.owner + (restores ? " restores" : " makes anew"));
    EXPECT_TRUE(IsError(master().DeleteSnapshot("s"), ErrorKind::kIO)) << "no other one gets the name meanwhile";
    return Error(ErrorKind::kAccessDenied, "");
  };
  for (const char* table : {"t", "mine"}) {
    EXPECT_TRUE(
        IsError(master().RestoreSnapshotAsync("s", Name(table), "", "bob", deny).status(), ErrorKind::kAccessDenied));
  }
  EXPECT_THAT(judged, ElementsAre("root restores", "root makes anew"));
  EXPECT_TRUE(ask_to_restore(root_, "s", "mine").ok());
}

}  // namespace
}  // namespace vaquita::hbase
