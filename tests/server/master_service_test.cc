// MasterService, called as the connections call it: method names and messages' bytes.
#include "server/frontend/hbase/services.h"

#include "hbase/Master.pb.h"
#include "hbase/Quota.pb.h"
#include "hbase/Replication.pb.h"
#include "proto/hbase/schema_codec.h"
#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita::hbase {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using vaquita::testing::FailsWith;

class MasterServiceTest : public vaquita::testing::ServerHarness {
 protected:
  void SetUp() override {
    ServerHarness::SetUp();
    service_ = MakeMasterService(&master(), &region_server());
  }

  template <typename Response>
  absl::StatusOr<Response> Ask(std::string_view method, const google::protobuf::MessageLite& request) {
    const std::string bytes = request.SerializeAsString();
    VAQUITA_ASSIGN_OR_RETURN(const RpcResponse answer, service_->Call({.method = method, .param = bytes}));
    Response response;
    EXPECT_TRUE(response.ParseFromString(answer.param)) << method;
    EXPECT_TRUE(answer.cells.empty());
    return response;
  }
  // Asks until the procedure has ended, as a client does.
  pb::GetProcedureResultResponse Result(uint64_t id) {
    pb::GetProcedureResultRequest request;
    request.set_proc_id(id);
    while (true) {
      const auto result = Ask<pb::GetProcedureResultResponse>("getProcedureResult", request);
      EXPECT_TRUE(result.ok()) << result.status();
      if (result->state() != pb::GetProcedureResultResponse::RUNNING) return *result;
    }
  }
  // Starts a procedure and waits for it: its exception as "class: message", empty if it went well.
  template <typename Response>
  std::string Run(std::string_view method, const google::protobuf::MessageLite& request) {
    const auto started = Ask<Response>(method, request);
    if (!started.ok()) {
      return std::string(ExceptionClass(started.status())) + ": " + std::string(started.status().message());
    }
    const auto result = Result(started->proc_id());
    EXPECT_EQ(result.state(), pb::GetProcedureResultResponse::FINISHED);
    if (!result.has_exception()) return "";
    return result.exception().generic_exception().class_name() + ": " +
           result.exception().generic_exception().message();
  }

  static pb::CreateTableRequest CreateRequest(const std::string& name, const std::vector<std::string>& splits = {}) {
    pb::CreateTableRequest request;
    EncodeTable(Descriptor(name), request.mutable_table_schema());
    for (const std::string& split : splits) request.add_split_keys(split);
    return request;
  }
  std::string CreateByService(const std::string& name, const std::vector<std::string>& splits = {}) {
    return Run<pb::CreateTableResponse>("CreateTable", CreateRequest(name, splits));
  }
  template <typename Request>
  static Request ForTable(const std::string& name) {
    Request request;
    EncodeTableName(Name(name), request.mutable_table_name());
    return request;
  }
  std::string DisableByService(const std::string& name) {
    return Run<pb::DisableTableResponse>("DisableTable", ForTable<pb::DisableTableRequest>(name));
  }
  template <typename Request>
  static Request ForRegion(const std::string& region) {
    Request request;
    request.mutable_region()->set_type(pb::RegionSpecifier::REGION_NAME);
    request.mutable_region()->set_value(region);
    return request;
  }
  std::vector<std::string> TableNames(const pb::GetTableNamesRequest& request) {
    const auto response = Ask<pb::GetTableNamesResponse>("GetTableNames", request);
    std::vector<std::string> names;
    if (!response.ok()) return {std::string(response.status().message())};
    for (const pb::TableName& name : response->table_names()) names.push_back(DecodeTableName(name)->ToString());
    return names;
  }

  std::unique_ptr<RpcService> service_;
};

TEST_F(MasterServiceTest, KnowsItsNameAndWhatItDoesNotKnow) {
  EXPECT_EQ(service_->name(), "MasterService");
  EXPECT_TRUE(service_->MayBlock("CreateTable"));
  EXPECT_FALSE(service_->MayBlock("IsMasterRunning"));
  EXPECT_THAT(service_->Call({.method = "MakeCoffee"}).status(),
              FailsWith(ErrorKind::kUnsupportedOperation, "MasterService.MakeCoffee"));
  EXPECT_TRUE(
      IsError(service_->Call({.method = "CreateTable", .param = "garbage"}).status(), ErrorKind::kDoNotRetryIO));
  EXPECT_TRUE(Ask<pb::IsMasterRunningResponse>("IsMasterRunning", pb::IsMasterRunningRequest())->is_master_running());
}

TEST_F(MasterServiceTest, TablesLiveTheirLives) {
  EXPECT_EQ(CreateByService("t", {"m"}), "");
  EXPECT_THAT(Ranges("t"), ElementsAre("..m", "m.."));
  EXPECT_EQ(CreateByService("t"), "org.apache.hadoop.hbase.TableExistsException: t");
  EXPECT_EQ(CreateByService("n:t"), "org.apache.hadoop.hbase.NamespaceNotFoundException: n");
  const auto state = [&] {
    return Ask<pb::GetTableStateResponse>("GetTableState", ForTable<pb::GetTableStateRequest>("t"))
        ->table_state()
        .state();
  };
  EXPECT_EQ(state(), pb::TableState::ENABLED);
  EXPECT_THAT((Run<pb::DeleteTableResponse>("DeleteTable", ForTable<pb::DeleteTableRequest>("t"))),
              HasSubstr("org.apache.hadoop.hbase.TableNotDisabledException: "));
  EXPECT_EQ(DisableByService("t"), "");
  EXPECT_EQ(DisableByService("t"), "org.apache.hadoop.hbase.TableNotEnabledException: t");
  EXPECT_EQ(state(), pb::TableState::DISABLED);
  EXPECT_EQ((Run<pb::EnableTableResponse>("EnableTable", ForTable<pb::EnableTableRequest>("t"))), "");
  ASSERT_TRUE(Put("t", "a").ok());
  EXPECT_EQ(DisableByService("t"), "");
  pb::TruncateTableRequest truncate;
  EncodeTableName(Name("t"), truncate.mutable_tablename());
  truncate.set_preservesplits(true);
  EXPECT_EQ((Run<pb::TruncateTableResponse>("truncateTable", truncate)), "");
  EXPECT_THAT(Rows("t"), IsEmpty());
  EXPECT_THAT(Ranges("t"), ElementsAre("..m", "m.."));
  EXPECT_EQ(DisableByService("t"), "");
  EXPECT_EQ((Run<pb::DeleteTableResponse>("DeleteTable", ForTable<pb::DeleteTableRequest>("t"))), "");
  EXPECT_EQ(DisableByService("t"), "org.apache.hadoop.hbase.TableNotFoundException: t");
}

TEST_F(MasterServiceTest, ARepeatedNonceIsNoSecondRequest) {
  pb::CreateTableRequest request = CreateRequest("t");
  request.set_nonce_group(7);
  request.set_nonce(8);
  const auto first = Ask<pb::CreateTableResponse>("CreateTable", request);
  EXPECT_EQ(Result(first->proc_id()).state(), pb::GetProcedureResultResponse::FINISHED);
  EXPECT_EQ(Ask<pb::CreateTableResponse>("CreateTable", request)->proc_id(), first->proc_id());
  request.set_nonce(9);
  EXPECT_THAT(Ask<pb::CreateTableResponse>("CreateTable", request).status(), FailsWith(ErrorKind::kTableExists, "t"));
}

TEST_F(MasterServiceTest, AFailedProcedureTellsWhy) {
  ASSERT_TRUE(Create("t").ok());
  pb::SplitTableRegionRequest split;
  EncodeRegionInfo(Regions("t")[0].info, split.mutable_region_info());
  const std::string refused = Run<pb::SplitTableRegionResponse>("SplitRegion", split);  // it is empty
  EXPECT_THAT(refused, HasSubstr("IOException: "));
  EXPECT_EQ(Result(99'999'999).state(), pb::GetProcedureResultResponse::NOT_FOUND);
}

TEST_F(MasterServiceTest, TablesAreListedByNameNamespaceAndState) {
  ASSERT_TRUE(master().CreateNamespace({.name = "n"}).ok());
  for (const char* name : {"t1", "t2", "u", "n:t1"}) ASSERT_TRUE(Create(name).ok());
  pb::GetTableNamesRequest names;
  EXPECT_THAT(TableNames(names), ElementsAre("t1", "t2", "u", "n:t1"));
  names.set_regex("t.*");
  EXPECT_THAT(TableNames(names), ElementsAre("t1", "t2"));
  names.set_regex("default:t1|n:.*");
  EXPECT_THAT(TableNames(names), ElementsAre("t1", "n:t1"));
  names.set_regex("t");
  EXPECT_THAT(TableNames(names), IsEmpty()) << "the whole name has to match";
  names.set_regex(".*");
  names.set_include_sys_tables(true);
  EXPECT_THAT(TableNames(names), SizeIs(6));
  names.set_namespace_("n");
  EXPECT_THAT(TableNames(names), ElementsAre("n:t1"));
  names.set_namespace_("nope");
  EXPECT_THAT(TableNames(names), ElementsAre("nope"));

  pb::GetTableDescriptorsRequest some;
  EncodeTableName(Name("u"), some.add_table_names());
  EncodeTableName(Name("absent"), some.add_table_names());
  const auto descriptors = Ask<pb::GetTableDescriptorsResponse>("GetTableDescriptors", some);
  ASSERT_EQ(descriptors->table_schema_size(), 1);
  TableDescriptor expected = Descriptor("u");
  expected.attributes["hbase.store.file-tracker.impl"] = "DEFAULT";  // as HBase 2.6 marks each new table
  EXPECT_EQ(*DecodeTable(descriptors->table_schema(0)), expected);

  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("u"))).ok());
  pb::ListTableNamesByStateRequest by_state;
  by_state.set_is_enabled(false);
  EXPECT_EQ(Ask<pb::ListTableNamesByStateResponse>("ListTableNamesByState", by_state)->table_names_size(), 1);
  pb::ListTableDescriptorsByStateRequest enabled;
  enabled.set_is_enabled(true);
  EXPECT_EQ(Ask<pb::ListTableDescriptorsByStateResponse>("ListTableDescriptorsByState", enabled)->table_schema_size(),
            3);
  pb::ListTableNamesByNamespaceRequest in_hbase;
  in_hbase.set_namespacename("hbase");
  EXPECT_EQ(Ask<pb::ListTableNamesByNamespaceResponse>("ListTableNamesByNamespace", in_hbase)->tablename_size(), 2);
}

TEST_F(MasterServiceTest, FamiliesAreAddedModifiedAndDeleted) {
  ASSERT_TRUE(Create("t").ok());
  auto add = ForTable<pb::AddColumnRequest>("t");
  EncodeFamily(vaquita::testing::MakeFamily("g"), add.mutable_column_families());
  EXPECT_EQ((Run<pb::AddColumnResponse>("AddColumn", add)), "");
  EXPECT_EQ((Run<pb::AddColumnResponse>("AddColumn", add)),
            "org.apache.hadoop.hbase.InvalidFamilyOperationException: Column family 'g' in table 't' already exists so "
            "cannot be added");
  auto modify = ForTable<pb::ModifyColumnRequest>("t");
  FamilyDescriptor family = vaquita::testing::MakeFamily("g");
  family.max_versions = 7;
  EncodeFamily(family, modify.mutable_column_families());
  EXPECT_EQ((Run<pb::ModifyColumnResponse>("ModifyColumn", modify)), "");
  EXPECT_EQ((*master().GetDescriptor(Name("t")))->families.at("g").max_versions, 7);
  modify.mutable_column_families()->set_name("x");
  EXPECT_EQ((Run<pb::ModifyColumnResponse>("ModifyColumn", modify)),
            "org.apache.hadoop.hbase.InvalidFamilyOperationException: Family 'x' does not exist, so it cannot be "
            "modified");
  auto del = ForTable<pb::DeleteColumnRequest>("t");
  del.set_column_name("g");
  EXPECT_EQ((Run<pb::DeleteColumnResponse>("DeleteColumn", del)), "");
  EXPECT_THAT((Run<pb::DeleteColumnResponse>("DeleteColumn", del)),
              HasSubstr("does not exist, so it cannot be deleted"));
  del.set_column_name("f");
  EXPECT_THAT((Run<pb::DeleteColumnResponse>("DeleteColumn", del)),
              HasSubstr("is the only column family in the table, so it cannot be deleted"));
  del = ForTable<pb::DeleteColumnRequest>("nope");
  del.set_column_name("f");
  EXPECT_EQ((Run<pb::DeleteColumnResponse>("DeleteColumn", del)),
            "org.apache.hadoop.hbase.TableNotFoundException: nope");
}

TEST_F(MasterServiceTest, AModificationWithoutReopeningKeepsTheFamilies) {
  ASSERT_TRUE(Create("t").ok());
  auto modify = ForTable<pb::ModifyTableRequest>("t");
  TableDescriptor table = Descriptor("t", {"f", "g"});
  EncodeTable(table, modify.mutable_table_schema());
  modify.set_reopen_regions(false);
  EXPECT_EQ(
      (Run<pb::ModifyTableResponse>("ModifyTable", modify)),
      "org.apache.hadoop.hbase.DoNotRetryIOException: Cannot add or remove column families when this modification "
      "won't reopen regions.");
  modify.set_reopen_regions(true);
  EXPECT_EQ((Run<pb::ModifyTableResponse>("ModifyTable", modify)), "");
  EXPECT_EQ(**master().GetDescriptor(Name("t")), table);
  const auto status =
      Ask<pb::GetSchemaAlterStatusResponse>("GetSchemaAlterStatus", ForTable<pb::GetSchemaAlterStatusRequest>("t"));
  EXPECT_EQ(status->yet_to_update_regions(), 0);
  EXPECT_EQ(status->total_regions(), 1);
}

TEST_F(MasterServiceTest, StoreFileTrackersAreNamesThatAreKept) {
  ASSERT_TRUE(Create("t").ok());
  pb::ModifyTableStoreFileTrackerRequest of_table;
  EncodeTableName(Name("t"), of_table.mutable_table_name());
  of_table.set_dst_sft("FILE");
  EXPECT_EQ((Run<pb::ModifyTableStoreFileTrackerResponse>("ModifyTableStoreFileTracker", of_table)), "");
  EXPECT_EQ((*master().GetDescriptor(Name("t")))->attributes.at("hbase.store.file-tracker.impl"), "FILE");
  of_table.set_dst_sft("MIGRATION");
  EXPECT_EQ((Run<pb::ModifyTableStoreFileTrackerResponse>("ModifyTableStoreFileTracker", of_table)),
            "org.apache.hadoop.hbase.DoNotRetryIOException: Do not need to transfer to MIGRATION");
  pb::ModifyColumnStoreFileTrackerRequest of_family;
  EncodeTableName(Name("t"), of_family.mutable_table_name());
  of_family.set_dst_sft("default");
  of_family.set_family("x");
  EXPECT_EQ((Run<pb::ModifyColumnStoreFileTrackerResponse>("ModifyColumnStoreFileTracker", of_family)),
            "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException: x does not exist for table t");
  of_family.set_family("f");
  EXPECT_EQ((Run<pb::ModifyColumnStoreFileTrackerResponse>("ModifyColumnStoreFileTracker", of_family)), "");
}

TEST_F(MasterServiceTest, NamespacesLiveTheirLives) {
  pb::CreateNamespaceRequest create;
  create.mutable_namespacedescriptor()->set_name("n");
  EXPECT_EQ((Run<pb::CreateNamespaceResponse>("CreateNamespace", create)), "");
  EXPECT_EQ((Run<pb::CreateNamespaceResponse>("CreateNamespace", create)),
            "org.apache.hadoop.hbase.NamespaceExistException: Namespace n already exists");
  EXPECT_EQ(Ask<pb::ListNamespacesResponse>("ListNamespaces", pb::ListNamespacesRequest())->namespacename_size(), 3);
  pb::GetNamespaceDescriptorRequest get;
  get.set_namespacename("n");
  EXPECT_EQ(Ask<pb::GetNamespaceDescriptorResponse>("GetNamespaceDescriptor", get)->namespacedescriptor().name(), "n");
  pb::DeleteNamespaceRequest del;
  del.set_namespacename("n");
  EXPECT_EQ((Run<pb::DeleteNamespaceResponse>("DeleteNamespace", del)), "");
  EXPECT_THAT(Ask<pb::GetNamespaceDescriptorResponse>("GetNamespaceDescriptor", get).status(),
              FailsWith(ErrorKind::kNamespaceNotFound, "n"));
}

TEST_F(MasterServiceTest, RegionsAreSplitMergedMovedClosedAndOpened) {
  ASSERT_TRUE(Create("t").ok());
  for (const char* row : {"a", "b", "c", "d"}) ASSERT_TRUE(Put("t", row).ok());
  pb::SplitTableRegionRequest split;
  EncodeRegionInfo(Regions("t")[0].info, split.mutable_region_info());
  split.set_split_row("c");
  EXPECT_EQ((Run<pb::SplitTableRegionResponse>("SplitRegion", split)), "");
  EXPECT_THAT(Ranges("t"), ElementsAre("..c", "c.."));

  const std::string region = Regions("t")[1].info.Name();
  const auto unassign = ForRegion<pb::UnassignRegionRequest>(region);
  EXPECT_TRUE(Ask<pb::UnassignRegionResponse>("UnassignRegion", unassign).ok());
  EXPECT_FALSE(region_server().FindRegion(region).ok());
  EXPECT_TRUE(
      IsError(Ask<pb::UnassignRegionResponse>("UnassignRegion", unassign).status(), ErrorKind::kDoNotRetryRegion));
  EXPECT_TRUE(Ask<pb::AssignRegionResponse>("AssignRegion", ForRegion<pb::AssignRegionRequest>(region)).ok());
  auto move = ForRegion<pb::MoveRegionRequest>(Regions("t")[1].info.EncodedName());
  EXPECT_TRUE(Ask<pb::MoveRegionResponse>("MoveRegion", move).ok());
  EncodeServerName("elsewhere,1,2", move.mutable_dest_server_name());
  EXPECT_TRUE(Ask<pb::MoveRegionResponse>("MoveRegion", move).ok());
  EXPECT_TRUE(region_server().FindRegion(region).ok());

  pb::MergeTableRegionsRequest merge;
  for (const AssignedRegion& part : Regions("t")) {
    auto* specifier = merge.add_region();
    specifier->set_type(pb::RegionSpecifier::ENCODED_REGION_NAME);
    specifier->set_value(part.info.EncodedName());
  }
  EXPECT_EQ((Run<pb::MergeTableRegionsResponse>("MergeTableRegions", merge)), "");
  EXPECT_THAT(Ranges("t"), ElementsAre(".."));
  pb::TruncateRegionRequest truncate;
  EncodeRegionInfo(Regions("t")[0].info, truncate.mutable_region_info());
  EXPECT_EQ((Run<pb::TruncateRegionResponse>("TruncateRegion", truncate)), "");
  EXPECT_THAT(Rows("t"), IsEmpty());
  EXPECT_THAT((Run<pb::MergeTableRegionsResponse>("MergeTableRegions", merge)),
              HasSubstr("org.apache.hadoop.hbase.UnknownRegionException"));
}

TEST_F(MasterServiceTest, FlushesByProcedureAndByName) {
  ASSERT_TRUE(Create("t", {}, {"f", "g"}).ok());
  ASSERT_TRUE(Put("t", "a").ok());
  ASSERT_TRUE(Put("t", "a", "v", "g:q").ok());
  auto flush = ForTable<pb::FlushTableRequest>("t");
  flush.add_column_family("f");
  EXPECT_EQ((Run<pb::FlushTableResponse>("FlushTable", flush)), "");
  const auto files = [&] { return (*region_server().FindRegion(RegionOf("t", "a")))->Metrics().store_files; };
  EXPECT_EQ(files(), 1);
  pb::ExecProcedureRequest old;
  old.mutable_procedure()->set_signature("flush-table-proc");
  old.mutable_procedure()->set_instance("t");
  EXPECT_TRUE(Ask<pb::ExecProcedureResponse>("ExecProcedure", old).ok());
  EXPECT_EQ(files(), 2);
  pb::IsProcedureDoneRequest done;
  *done.mutable_procedure() = old.procedure();
  EXPECT_TRUE(Ask<pb::IsProcedureDoneResponse>("IsProcedureDone", done)->done());
  // As in HBase, what is not there has nothing to flush.
  auto* family = old.mutable_procedure()->add_configuration();
  family->set_name("family");
  family->set_value("none");
  EXPECT_TRUE(Ask<pb::ExecProcedureResponse>("ExecProcedure", old).ok());
  old.mutable_procedure()->set_instance("none");
  EXPECT_TRUE(Ask<pb::ExecProcedureResponse>("ExecProcedure", old).ok());
  old.mutable_procedure()->set_signature("coffee");
  const char* kUnknown = "The procedure is not registered: coffee";
  EXPECT_THAT(Ask<pb::ExecProcedureResponse>("ExecProcedure", old).status(),
              FailsWith(ErrorKind::kDoNotRetryIO, kUnknown));
  EXPECT_THAT(Ask<pb::ExecProcedureResponse>("ExecProcedureWithRet", old).status(),
              FailsWith(ErrorKind::kIO, kUnknown));
  done.mutable_procedure()->set_signature("coffee");
  EXPECT_THAT(Ask<pb::IsProcedureDoneResponse>("IsProcedureDone", done).status(), FailsWith(ErrorKind::kIO, kUnknown));
}

// Each answer as a real HBase 2.6.0 gave it.
TEST_F(MasterServiceTest, ASnapshotCanBeStartedByItsProceduresName) {
  ASSERT_TRUE(Create("t").ok());
  pb::ExecProcedureRequest request;
  request.mutable_procedure()->set_signature("online-snapshot");
  const auto exec = [&] { return Ask<pb::ExecProcedureResponse>("ExecProcedure", request).status(); };
  EXPECT_THAT(exec(), FailsWith(ErrorKind::kIO, HasSubstr("Snapshot name is not defined: ")));
  request.mutable_procedure()->set_instance("s");
  EXPECT_THAT(exec(), FailsWith(ErrorKind::kIO, "Snapshot table is not defined: signature: \"online-snapshot\""));
  auto* table = request.mutable_procedure()->add_configuration();
  table->set_name("Table");
  table->set_value("none");
  EXPECT_THAT(exec(), FailsWith(ErrorKind::kSnapshotCreation, "Table 'none' doesn't exist, can't take snapshot."));
  table->set_value("t");
  pb::IsProcedureDoneRequest done;
  *done.mutable_procedure() = request.procedure();
  EXPECT_THAT(Ask<pb::IsProcedureDoneResponse>("IsProcedureDone", done).status(),
              FailsWith(ErrorKind::kUnknownSnapshot, HasSubstr("is not currently running or one of the known")));
  EXPECT_TRUE(Ask<pb::ExecProcedureResponse>("ExecProcedureWithRet", request).ok());
  EXPECT_TRUE(master().ListSnapshots().empty()) << "HBase takes none for who wants a result";
  ASSERT_TRUE(exec().ok());
  auto is_done = [&] { return Ask<pb::IsProcedureDoneResponse>("IsProcedureDone", done); };
  for (auto answer = is_done();; answer = is_done()) {
    ASSERT_TRUE(answer.ok()) << answer.status();
    if (answer->done()) break;
  }
  ASSERT_EQ(master().ListSnapshots().size(), 1u);
  EXPECT_EQ(master().ListSnapshots()[0].name, "s");
  EXPECT_THAT(exec(), FailsWith(ErrorKind::kSnapshotExists, HasSubstr("'s' already stored")));
}

TEST_F(MasterServiceTest, TheStatusHasWhatWasAskedFor) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  ASSERT_TRUE(Finish(master().UnassignRegionAsync(RegionOf("t", "n"))).ok());
  pb::GetClusterStatusRequest all;
  const auto status = Ask<pb::GetClusterStatusResponse>("GetClusterStatus", all)->cluster_status();
  EXPECT_EQ(status.hbase_version().version(), "2.6.0");
  EXPECT_EQ(status.cluster_id().cluster_id(), master().Status().cluster_id);
  EXPECT_EQ(DecodeServerName(status.servers_name(0)), server_->server_name());
  EXPECT_EQ(status.live_servers(0).server_load().region_loads_size(), 3) << "meta, namespace, one of t's";
  EXPECT_TRUE(status.balancer_on());
  bool found = false;
  for (const auto& count : status.table_region_states_count()) {
    if (count.table_name().qualifier() != "t") continue;
    found = true;
    EXPECT_EQ(count.region_states_count().open_regions(), 1);
    EXPECT_EQ(count.region_states_count().closed_regions(), 1);
    EXPECT_EQ(count.region_states_count().total_regions(), 2);
  }
  EXPECT_TRUE(found);
  pb::GetClusterStatusRequest some;
  some.add_options(pb::CLUSTER_ID);
  const auto id_only = Ask<pb::GetClusterStatusResponse>("GetClusterStatus", some)->cluster_status();
  EXPECT_TRUE(id_only.has_cluster_id());
  EXPECT_EQ(id_only.live_servers_size(), 0);
  EXPECT_EQ(id_only.table_region_states_count_size(), 0);
}

TEST_F(MasterServiceTest, SwitchesTellWhatTheyWere) {
  pb::SetBalancerRunningRequest balancer;
  balancer.set_on(false);
  EXPECT_TRUE(Ask<pb::SetBalancerRunningResponse>("SetBalancerRunning", balancer)->prev_balance_value());
  EXPECT_FALSE(Ask<pb::IsBalancerEnabledResponse>("IsBalancerEnabled", pb::IsBalancerEnabledRequest())->enabled());
  EXPECT_FALSE(Ask<pb::BalanceResponse>("Balance", pb::BalanceRequest())->balancer_ran());
  pb::BalanceRequest dry_run;
  dry_run.set_dry_run(true);  // runs even when the balancer is off
  const auto planned = Ask<pb::BalanceResponse>("Balance", dry_run);
  EXPECT_TRUE(planned->balancer_ran());
  EXPECT_EQ(planned->moves_calculated(), 0u);
  EXPECT_EQ(planned->moves_executed(), 0u);
  pb::SetSplitOrMergeEnabledRequest both;
  both.set_enabled(false);
  both.add_switch_types(pb::SPLIT);
  both.add_switch_types(pb::MERGE);
  EXPECT_THAT(Ask<pb::SetSplitOrMergeEnabledResponse>("SetSplitOrMergeEnabled", both)->prev_value(),
              ElementsAre(true, true));
  pb::IsSplitOrMergeEnabledRequest merge;
  merge.set_switch_type(pb::MERGE);
  EXPECT_FALSE(Ask<pb::IsSplitOrMergeEnabledResponse>("IsSplitOrMergeEnabled", merge)->enabled());
  pb::SetNormalizerRunningRequest normalizer;
  normalizer.set_on(false);
  EXPECT_TRUE(Ask<pb::SetNormalizerRunningResponse>("SetNormalizerRunning", normalizer)->prev_normalizer_value());
  EXPECT_FALSE(Ask<pb::NormalizeResponse>("Normalize", pb::NormalizeRequest())->normalizer_ran());
  pb::EnableCatalogJanitorRequest janitor;
  janitor.set_enable(false);
  EXPECT_TRUE(Ask<pb::EnableCatalogJanitorResponse>("EnableCatalogJanitor", janitor)->prev_value());
  EXPECT_EQ(Ask<pb::RunCatalogScanResponse>("RunCatalogScan", pb::RunCatalogScanRequest())->scan_result(), 0);
  pb::SetSnapshotCleanupRequest cleanup;
  cleanup.set_enabled(false);
  EXPECT_TRUE(Ask<pb::SetSnapshotCleanupResponse>("SwitchSnapshotCleanup", cleanup)->prev_snapshot_cleanup());
  EXPECT_FALSE(
      Ask<pb::IsSnapshotCleanupEnabledResponse>("IsSnapshotCleanupEnabled", pb::IsSnapshotCleanupEnabledRequest())
          ->enabled());
}

TEST_F(MasterServiceTest, ProceduresAreListedAndCannotBeAborted) {
  ASSERT_TRUE(Create("t").ok());
  const auto procedures = Ask<pb::GetProceduresResponse>("GetProcedures", pb::GetProceduresRequest());
  ASSERT_EQ(procedures->procedure_size(), 1);
  EXPECT_EQ(procedures->procedure(0).class_name(), "org.apache.hadoop.hbase.master.procedure.CreateTableProcedure");
  EXPECT_EQ(procedures->procedure(0).state(), pb::SUCCESS);
  EXPECT_EQ(Ask<pb::GetLocksResponse>("GetLocks", pb::GetLocksRequest())->lock_size(), 0);
  pb::AbortProcedureRequest abort;
  abort.set_proc_id(1);
  EXPECT_FALSE(Ask<pb::AbortProcedureResponse>("AbortProcedure", abort)->is_procedure_aborted());
}

pb::SnapshotRequest SnapshotOf(const std::string& table, const std::string& name) {
  pb::SnapshotRequest request;
  request.mutable_snapshot()->set_name(name);
  request.mutable_snapshot()->set_table(table);
  return request;
}

pb::RestoreSnapshotRequest RestoreOf(const std::string& name, const std::string& table) {
  pb::RestoreSnapshotRequest request;
  request.mutable_snapshot()->set_name(name);
  request.mutable_snapshot()->set_table(table);
  return request;
}

TEST_F(MasterServiceTest, SnapshotsAreTakenListedClonedAndDeleted) {
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(Put("t", "a").ok());
  pb::SnapshotRequest request = SnapshotOf("t", "s");
  request.mutable_snapshot()->set_ttl(3600);
  request.mutable_snapshot()->set_type(pb::SnapshotDescription::SKIPFLUSH);
  request.set_nonce_group(7);
  request.set_nonce(8);
  const auto first = Ask<pb::SnapshotResponse>("Snapshot", request);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->expected_timeout(), 300'000);
  EXPECT_EQ(Ask<pb::SnapshotResponse>("Snapshot", request)->proc_id(), first->proc_id()) << "a retry";
  EXPECT_EQ(Result(static_cast<uint64_t>(first->proc_id())).state(), pb::GetProcedureResultResponse::FINISHED);

  const auto listed =
      Ask<pb::GetCompletedSnapshotsResponse>("GetCompletedSnapshots", pb::GetCompletedSnapshotsRequest());
  ASSERT_EQ(listed->snapshots_size(), 1);
  EXPECT_EQ(listed->snapshots(0).name(), "s");
  EXPECT_EQ(listed->snapshots(0).table(), "t");
  EXPECT_EQ(listed->snapshots(0).ttl(), 3600);
  EXPECT_EQ(listed->snapshots(0).type(), pb::SnapshotDescription::SKIPFLUSH);
  EXPECT_EQ(listed->snapshots(0).creation_time(), clock_.NowMs());
  EXPECT_EQ(listed->snapshots(0).version(), 2);

  EXPECT_EQ((Run<pb::RestoreSnapshotResponse>("RestoreSnapshot", RestoreOf("s", "c"))), "");
  EXPECT_THAT(Rows("c"), IsEmpty()) << "its flush was skipped";
  pb::IsRestoreSnapshotDoneRequest restored;
  *restored.mutable_snapshot() = RestoreOf("s", "c").snapshot();
  EXPECT_TRUE(Ask<pb::IsRestoreSnapshotDoneResponse>("IsRestoreSnapshotDone", restored)->done());
  EXPECT_EQ((Run<pb::RestoreSnapshotResponse>("RestoreSnapshot", RestoreOf("nope", "c"))),
            "org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException: Snapshot 'nope' doesn't exist on the "
            "filesystem");
  pb::DeleteSnapshotRequest deletion;
  deletion.mutable_snapshot()->set_name("s");
  EXPECT_TRUE(Ask<pb::DeleteSnapshotResponse>("DeleteSnapshot", deletion).ok());
  EXPECT_TRUE(
      IsError(Ask<pb::DeleteSnapshotResponse>("DeleteSnapshot", deletion).status(), ErrorKind::kSnapshotDoesNotExist));
}

// As clients of before 2.6 do, who send no nonce.
TEST_F(MasterServiceTest, SnapshotsArePolledForByTheirNames) {
  ASSERT_TRUE(Create("t").ok());
  const auto started = Ask<pb::SnapshotResponse>("Snapshot", SnapshotOf("t", "s"));
  ASSERT_TRUE(started.ok()) << started.status();
  EXPECT_FALSE(started->has_proc_id());
  pb::IsSnapshotDoneRequest request;
  *request.mutable_snapshot() = SnapshotOf("t", "s").snapshot();
  while (true) {
    const auto answer = Ask<pb::IsSnapshotDoneResponse>("IsSnapshotDone", request);
    ASSERT_TRUE(answer.ok()) << answer.status();
    if (answer->done()) break;
  }
  EXPECT_TRUE(
      IsError(Ask<pb::SnapshotResponse>("Snapshot", SnapshotOf("t", "s")).status(), ErrorKind::kSnapshotExists));
  request.mutable_snapshot()->set_name("nope");
  EXPECT_TRUE(
      IsError(Ask<pb::IsSnapshotDoneResponse>("IsSnapshotDone", request).status(), ErrorKind::kUnknownSnapshot));
}

// --- Replication peers; the errors are ReplicationPeerManager's.

pb::AddReplicationPeerRequest AddPeer(const std::string& id, const std::string& key) {
  pb::AddReplicationPeerRequest request;
  request.set_peer_id(id);
  request.mutable_peer_config()->set_clusterkey(key);
  request.mutable_peer_config()->set_replicate_all(true);
  request.mutable_peer_state()->set_state(pb::ReplicationState::ENABLED);
  return request;
}

TEST_F(MasterServiceTest, ReplicationPeersAreKept) {
  const std::string key = "zk1,zk2:2181:/hbase";
  const auto add = [&](const pb::AddReplicationPeerRequest& request) {
    return Run<pb::AddReplicationPeerResponse>("AddReplicationPeer", request);
  };
  EXPECT_EQ(add(AddPeer("1", key)), "");
  EXPECT_THAT(add(AddPeer("1", key)), HasSubstr("Replication peer 1 already exists"));
  EXPECT_THAT(add(AddPeer("a-b", key)), HasSubstr("Found invalid peer name: a-b"));
  EXPECT_THAT(add(AddPeer("2", "zk")), HasSubstr("Invalid cluster key: zk"));
  auto some = AddPeer("2", key);
  some.mutable_peer_config()->add_namespaces("default");
  EXPECT_THAT(add(some), HasSubstr("Need clean namespaces or table-cfs config firstly"));
  some.mutable_peer_config()->set_replicate_all(false);
  some.mutable_peer_state()->set_state(pb::ReplicationState::DISABLED);
  EXPECT_EQ(add(some), "");

  pb::EnableReplicationPeerRequest enable;
  enable.set_peer_id("1");
  EXPECT_THAT(Run<pb::EnableReplicationPeerResponse>("EnableReplicationPeer", enable),
              HasSubstr("Replication peer 1 has already been enabled"));
  enable.set_peer_id("2");
  EXPECT_EQ(Run<pb::EnableReplicationPeerResponse>("EnableReplicationPeer", enable), "");
  pb::DisableReplicationPeerRequest disable;
  disable.set_peer_id("1");
  EXPECT_EQ(Run<pb::DisableReplicationPeerResponse>("DisableReplicationPeer", disable), "");

  pb::UpdateReplicationPeerConfigRequest update;
  update.set_peer_id("1");
  *update.mutable_peer_config() = AddPeer("1", key).peer_config();
  update.mutable_peer_config()->set_bandwidth(77);
  EXPECT_EQ(Run<pb::UpdateReplicationPeerConfigResponse>("UpdateReplicationPeerConfig", update), "");
  update.mutable_peer_config()->set_clusterkey("zk9:2181:/hbase");
  EXPECT_THAT(Run<pb::UpdateReplicationPeerConfigResponse>("UpdateReplicationPeerConfig", update),
              HasSubstr("Changing the cluster key on an existing peer is not allowed. Existing key '" + key + "'"));

  Restart();
  service_ = MakeMasterService(&master(), &region_server());
  const auto peers = Ask<pb::ListReplicationPeersResponse>("ListReplicationPeers", pb::ListReplicationPeersRequest());
  ASSERT_TRUE(peers.ok()) << peers.status();
  ASSERT_EQ(peers->peer_desc_size(), 2) << "they outlive the master";
  EXPECT_EQ(peers->peer_desc(0).config().bandwidth(), 77);
  EXPECT_EQ(peers->peer_desc(0).state().state(), pb::ReplicationState::DISABLED);
  EXPECT_EQ(peers->peer_desc(1).state().state(), pb::ReplicationState::ENABLED);
  pb::GetReplicationPeerConfigRequest get;
  get.set_peer_id("3");
  EXPECT_THAT(Ask<pb::GetReplicationPeerConfigResponse>("GetReplicationPeerConfig", get).status(),
              FailsWith(ErrorKind::kReplicationPeerNotFound, "3"));
  ASSERT_TRUE(master().SetSwitch(MasterSwitch::kPeerModification, false).ok());
  pb::RemoveReplicationPeerRequest remove;
  remove.set_peer_id("1");
  EXPECT_THAT(Ask<pb::RemoveReplicationPeerResponse>("RemoveReplicationPeer", remove).status(),
              FailsWith(ErrorKind::kIO, "Replication peer modification disabled"));
  ASSERT_TRUE(master().SetSwitch(MasterSwitch::kPeerModification, true).ok());
  EXPECT_EQ(Run<pb::RemoveReplicationPeerResponse>("RemoveReplicationPeer", remove), "");
  EXPECT_EQ(master().replication_peers().List().size(), 1u);
}

TEST_F(MasterServiceTest, SaysHowClientsShowWhoTheyAre) {
  const auto capabilities = [&] {
    return Ask<pb::SecurityCapabilitiesResponse>("getSecurityCapabilities", pb::SecurityCapabilitiesRequest())
        ->capabilities();
  };
  EXPECT_THAT(capabilities(), ElementsAre(pb::SecurityCapabilitiesResponse::SIMPLE_AUTHENTICATION));
  options_.authorization = true;
  options_.authentication = "kerberos";
  Restart();
  service_ = MakeMasterService(&master(), &region_server());
  EXPECT_THAT(capabilities(), ElementsAre(pb::SecurityCapabilitiesResponse::SECURE_AUTHENTICATION,
                                          pb::SecurityCapabilitiesResponse::AUTHORIZATION));
}

TEST_F(MasterServiceTest, QuotasAreKeptWhereTheyAreOn) {
  pb::SwitchExceedThrottleQuotaRequest exceed;
  exceed.set_exceed_throttle_quota_enabled(true);
  pb::SwitchRpcThrottleRequest throttle;
  throttle.set_rpc_throttle_enabled(true);
  const auto previous = [&] {
    return Ask<pb::SwitchRpcThrottleResponse>("SwitchRpcThrottle", throttle)->previous_rpc_throttle_enabled();
  };
  EXPECT_FALSE(previous());
  EXPECT_FALSE(previous()) << "quotas are off, so it does not stay on";
  EXPECT_TRUE(Ask<pb::SwitchExceedThrottleQuotaResponse>("SwitchExceedThrottleQuota", exceed).ok());

  options_.quotas = true;
  Restart();
  service_ = MakeMasterService(&master(), &region_server());
  EXPECT_TRUE(previous()) << "as in HBase, it is on at first";
  throttle.set_rpc_throttle_enabled(false);
  EXPECT_TRUE(previous());
  EXPECT_FALSE(Ask<pb::IsRpcThrottleEnabledResponse>("IsRpcThrottleEnabled", pb::IsRpcThrottleEnabledRequest())
                   ->rpc_throttle_enabled());
  EXPECT_THAT(Ask<pb::SwitchExceedThrottleQuotaResponse>("SwitchExceedThrottleQuota", exceed).status(),
              FailsWith(ErrorKind::kDoNotRetryIO, HasSubstr("Please set region server quota")));
  pb::SetQuotaRequest quota;
  quota.set_namespace_("default");
  quota.mutable_space_limit()->mutable_quota()->set_soft_limit(1000);
  quota.mutable_space_limit()->mutable_quota()->set_violation_policy(pb::DISABLE);
  EXPECT_TRUE(Ask<pb::SetQuotaResponse>("SetQuota", quota).ok());
  const auto states = Ask<pb::GetQuotaStatesResponse>("GetQuotaStates", pb::GetQuotaStatesRequest());
  ASSERT_TRUE(states.ok()) << states.status();
  ASSERT_EQ(states->ns_snapshots_size(), 1);
  EXPECT_EQ(states->ns_snapshots(0).namespace_(), "default");
  EXPECT_EQ(states->ns_snapshots(0).snapshot().quota_limit(), 1000u);
  EXPECT_FALSE(states->ns_snapshots(0).snapshot().quota_status().in_violation());
}

TEST_F(MasterServiceTest, UnsupportedFeaturesSaySo) {
  EXPECT_THAT(Ask<pb::SetQuotaResponse>("SetQuota", pb::SetQuotaRequest()).status(),
              FailsWith(ErrorKind::kUnsupportedOperation, "quota support disabled"));
  EXPECT_TRUE(IsError(service_->Call({.method = "Shutdown"}).status(), ErrorKind::kUnsupportedOperation));
}

}  // namespace
}  // namespace vaquita::hbase
