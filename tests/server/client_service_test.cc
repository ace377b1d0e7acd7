// ClientService, called as the connections call it: messages' bytes and cell blocks.
#include "server/frontend/hbase/services.h"

#include "base/call_context.h"
#include "base/read_watch.h"
#include "hbase/Client.pb.h"
#include "model/cell_block_reader.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/filter_codec.h"
#include "proto/hbase/schema_codec.h"
#include "server/frontend/hbase/slow_call_record.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"
#include "tests/server/server_harness.h"

namespace vaquita::hbase {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kNotServing = "org.apache.hadoop.hbase.NotServingRegionException";

class ClientServiceTest : public vaquita::testing::ServerHarness {
 protected:
  void SetUp() override {
    ServerHarness::SetUp();
    service_ = MakeClientService(&region_server());
    ASSERT_TRUE(Create("t", {"m"}, {"f", "g"}).ok());
  }

  // Returns the answer of `method`; its cells are in answer_cells_.
  template <typename Response>
  absl::StatusOr<Response> Ask(std::string_view method, const google::protobuf::MessageLite& request) {
    const std::string bytes = request.SerializeAsString();
    VAQUITA_ASSIGN_OR_RETURN(RpcResponse answer, service_->Call({.method = method,
                                                                 .param = bytes,
                                                                 .cells = cells_.bytes(),
                                                                 .takes_cells = takes_cells_,
                                                                 .takes_tags = takes_tags_,
                                                                 .context = context_,
                                                                 .client_version = client_version_}));
    cells_.Clear();
    answer_cells_ = std::move(answer.cells);
    Response response;
    EXPECT_TRUE(response.ParseFromString(answer.param)) << method;
    return response;
  }

  // The region of `row` by its whole name, as clients give it.
  pb::RegionSpecifier Region(const std::string& row) {
    pb::RegionSpecifier region;
    EncodeRegionSpecifier(master().LocateRow(Name("t"), row)->info, &region);
    return region;
  }
  pb::GetRequest GetOf(const std::string& row) {
    pb::GetRequest request;
    *request.mutable_region() = Region(row);
    Get get;
    get.row = row;
    EncodeGet(get, request.mutable_get());
    return request;
  }
  pb::MutateRequest MutateOf(const Mutation& mutation) {
    pb::MutateRequest request;
    *request.mutable_region() = Region(mutation.row);
    EncodeMutation(mutation, &cells_, request.mutable_mutation());
    return request;
  }
  static Mutation Add(MutationType type, const std::string& row, const std::string& value) {
    Mutation mutation = vaquita::testing::MakePut(row, "f:q", value);
    mutation.type = type;
    return mutation;
  }
  static std::string Amount(char amount) { return std::string(7, '\0') + amount; }

  pb::RegionAction* AddRegion(pb::MultiRequest* request, const std::string& row) {
    pb::RegionAction* region = request->add_regionaction();
    *region->mutable_region() = Region(row);
    return region;
  }
  void AddMutation(pb::RegionAction* region, const Mutation& mutation) {
    pb::Action* action = region->add_action();
    action->set_index(static_cast<uint32_t>(region->action_size() - 1));
    EncodeMutation(mutation, &cells_, action->mutable_mutation());
  }
  static void AddGet(pb::RegionAction* region, const std::string& row) {
    pb::Action* action = region->add_action();
    action->set_index(static_cast<uint32_t>(region->action_size() - 1));
    Get get;
    get.row = row;
    EncodeGet(get, action->mutable_get());
  }
  static pb::Condition Equals(const std::string& row, const std::string& value) {
    CheckAndMutate check;
    check.row = row;
    check.family = "f";
    check.qualifier = "q";
    check.comparator = ComparatorSpec{.bytes = value};
    pb::Condition condition;
    EncodeCondition(check, &condition);
    return condition;
  }

  // The rest of the answer's cell block, "row/family:qualifier=value" each; a result's, if it says how many.
  std::vector<std::string> Cells() {
    std::vector<std::string> texts;
    CellBlockReader reader(answer_cells_);
    CellView cell;
    while (reader.Next(&cell)) {
      texts.push_back(std::string(cell.row) + "/" + std::string(cell.family) + ":" + std::string(cell.qualifier) + "=" +
                      std::string(cell.value));
    }
    EXPECT_FALSE(reader.failed());
    return texts;
  }
  // Their times to live.
  std::vector<int64_t> Ttls() {
    std::vector<int64_t> ttls;
    CellBlockReader reader(answer_cells_);
    for (CellView cell; reader.Next(&cell);) ttls.push_back(cell.ttl_ms);
    return ttls;
  }
  std::string ValueOf(const std::string& row) {
    Get get;
    get.row = row;
    CellBlock cells;
    EXPECT_TRUE(region_server().Get(RegionOf("t", row), get, &cells).ok());
    return cells.empty() ? "" : std::string(cells[0].value);
  }

  pb::ScanRequest OpenOf(uint32_t rows) {
    pb::ScanRequest request;
    *request.mutable_region() = Region("a");
    request.mutable_scan();
    request.set_number_of_rows(rows);
    request.set_client_handles_partials(true);
    request.set_client_handles_heartbeats(true);
    return request;
  }
  static pb::ScanRequest NextOf(uint64_t scanner, uint32_t rows) {
    pb::ScanRequest request;
    request.set_scanner_id(scanner);
    request.set_number_of_rows(rows);
    request.set_client_handles_partials(true);
    return request;
  }
  absl::StatusOr<pb::ScanResponse> Scan(const pb::ScanRequest& request) {
    return Ask<pb::ScanResponse>("Scan", request);
  }
  void PutRows(int count) {
    for (int i = 0; i < count; ++i) ASSERT_TRUE(Put("t", "a" + std::to_string(i), std::to_string(i)).ok());
  }

  std::unique_ptr<RpcService> service_;
  CellBlock cells_;  // the next request's
  bool takes_cells_ = true;
  bool takes_tags_ = false;
  std::string client_version_ = "2.6.0";
  CallContext context_;
  std::string answer_cells_;
};

// --- Get.

TEST_F(ClientServiceTest, AGetsCellsAreInTheBlockForClientsThatLookThere) {
  ASSERT_TRUE(Put("t", "a", "1").ok());
  auto response = Ask<pb::GetResponse>("Get", GetOf("a"));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->result().associated_cell_count(), 1);
  EXPECT_THAT(Cells(), ElementsAre("a/f:q=1"));

  for (const char* version : {"1.2.12", ""}) {
    client_version_ = version;
    response = Ask<pb::GetResponse>("Get", GetOf("a"));
    ASSERT_EQ(response->result().cell_size(), 1) << version;
    EXPECT_EQ(response->result().cell(0).value(), "1");
    EXPECT_THAT(Cells(), IsEmpty());
  }
  client_version_ = "2.6.0";
  takes_cells_ = false;
  EXPECT_EQ(Ask<pb::GetResponse>("Get", GetOf("a"))->result().cell_size(), 1);
}

TEST_F(ClientServiceTest, AGetMayAskOnlyWhetherThereIsAnything) {
  ASSERT_TRUE(Put("t", "a").ok());
  pb::GetRequest request = GetOf("a");
  request.mutable_get()->set_existence_only(true);
  auto response = Ask<pb::GetResponse>("Get", request);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_TRUE(response->result().exists());
  EXPECT_THAT(Cells(), IsEmpty());
  request.mutable_get()->set_row("b");
  response = Ask<pb::GetResponse>("Get", request);
  EXPECT_TRUE(response->result().has_exists());
  EXPECT_FALSE(response->result().exists());
}

TEST_F(ClientServiceTest, RefusesWhatHBaseRefuses) {
  pb::GetRequest request = GetOf("a");
  request.mutable_get()->set_closest_row_before(true);
  EXPECT_EQ(ExceptionClass(Ask<pb::GetResponse>("Get", request).status()),
            "org.apache.hadoop.hbase.exceptions.UnknownProtocolException");
  request = GetOf("a");
  request.mutable_region()->set_value("t,,1.0123456789abcdef0123456789abcdef.");
  EXPECT_EQ(ExceptionClass(Ask<pb::GetResponse>("Get", request).status()), kNotServing);
  request = GetOf("a");
  *request.mutable_region() = Region("z");
  EXPECT_EQ(ExceptionClass(Ask<pb::GetResponse>("Get", request).status()),
            "org.apache.hadoop.hbase.regionserver.WrongRegionException");
  pb::CoprocessorServiceRequest call;
  *call.mutable_region() = Region("a");
  call.mutable_call()->set_row("a");
  call.mutable_call()->set_service_name("AggregateService");
  call.mutable_call()->set_method_name("GetMax");
  call.mutable_call()->set_request("");
  const auto refused = Ask<pb::CoprocessorServiceResponse>("ExecService", call).status();
  EXPECT_EQ(ExceptionClass(refused), "org.apache.hadoop.hbase.exceptions.UnknownProtocolException");
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("No registered coprocessor service found for AggregateService in region t,,"));
  EXPECT_THAT(service_->Call({.method = "PrepareBulkLoad"}).status(),
              vaquita::testing::FailsWith(ErrorKind::kUnsupportedOperation, "Bulk loads of HFiles are not supported"));
  EXPECT_THAT(service_->Call({.method = "Fly"}).status(),
              vaquita::testing::FailsWith(ErrorKind::kUnsupportedOperation, "ClientService.Fly"));
  EXPECT_EQ(ExceptionClass(service_->Call({.method = "Get", .param = "garbage"}).status()),
            "org.apache.hadoop.hbase.DoNotRetryIOException");
}

// --- Mutate.

TEST_F(ClientServiceTest, MutationsCarryTheirCellsInTheBlockOrInTheMessage) {
  auto response = Ask<pb::MutateResponse>("Mutate", MutateOf(vaquita::testing::MakePut("a", "f:q", "1")));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_TRUE(response->processed());
  EXPECT_EQ(ValueOf("a"), "1");

  pb::MutateRequest request;
  *request.mutable_region() = Region("a");
  EncodeMutation(vaquita::testing::MakePut("a", "f:q", "2"), nullptr, request.mutable_mutation());
  EXPECT_TRUE(Ask<pb::MutateResponse>("Mutate", request)->processed());
  EXPECT_EQ(ValueOf("a"), "2");

  request = MutateOf(vaquita::testing::MakePut("a", "f:q", "3"));
  cells_.Clear();
  EXPECT_FALSE(Ask<pb::MutateResponse>("Mutate", request).ok());
}

TEST_F(ClientServiceTest, IncrementsAndAppendsAnswerWithTheNewCells) {
  auto response = Ask<pb::MutateResponse>("Mutate", MutateOf(Add(MutationType::kIncrement, "a", Amount(3))));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->result().associated_cell_count(), 1);
  EXPECT_THAT(Cells(), ElementsAre("a/f:q=" + Amount(3)));
  Mutation silent = Add(MutationType::kIncrement, "a", Amount(3));
  silent.return_results = false;
  response = Ask<pb::MutateResponse>("Mutate", MutateOf(silent));
  EXPECT_TRUE(response->has_result());
  EXPECT_EQ(response->result().associated_cell_count(), 0);
  takes_cells_ = false;
  response = Ask<pb::MutateResponse>("Mutate", MutateOf(Add(MutationType::kAppend, "b", "xy")));
  ASSERT_EQ(response->result().cell_size(), 1);
  EXPECT_EQ(response->result().cell(0).value(), "xy");
}

TEST_F(ClientServiceTest, AnIncrementThatIsSentAgainIsDoneOnce) {
  pb::MutateRequest request = MutateOf(Add(MutationType::kIncrement, "a", Amount(3)));
  request.set_nonce_group(7);
  request.mutable_mutation()->set_nonce(9);
  const std::string cells(cells_.bytes());
  ASSERT_TRUE(Ask<pb::MutateResponse>("Mutate", request).ok());
  MutateOf(Add(MutationType::kIncrement, "a", Amount(3)));  // repeats the cells
  ASSERT_EQ(cells_.bytes(), cells);
  auto again = Ask<pb::MutateResponse>("Mutate", request);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_THAT(Cells(), ElementsAre("a/f:q=" + Amount(3)));
  request.mutable_mutation()->set_nonce(10);
  MutateOf(Add(MutationType::kIncrement, "a", Amount(3)));
  ASSERT_TRUE(Ask<pb::MutateResponse>("Mutate", request).ok());
  EXPECT_THAT(Cells(), ElementsAre("a/f:q=" + Amount(6)));
  // Its answer is its own, also after others have added to the cell: counters give out numbers.
  request.mutable_mutation()->set_nonce(9);
  MutateOf(Add(MutationType::kIncrement, "a", Amount(3)));
  ASSERT_TRUE(Ask<pb::MutateResponse>("Mutate", request).ok());
  EXPECT_THAT(Cells(), ElementsAre("a/f:q=" + Amount(3)));
}

// Its answer is read again, as a get.
TEST_F(ClientServiceTest, WhoeverHasGoneEndsTheAnswerToARepeatedOperation) {
  constexpr int kCells = 100'000;  // reading them takes a while
  std::vector<Cell> cells;
  for (int i = 0; i < kCells; ++i) cells.push_back(vaquita::testing::MakeCell("f:" + std::to_string(i), Amount(1)));
  const Mutation add = vaquita::testing::MakeMutation(MutationType::kIncrement, "a", std::move(cells));
  const std::string region = RegionOf("t", "a");
  ASSERT_TRUE(region_server().Mutate(region, add, Nonce{7, 9}).ok());
  EXPECT_THAT(region_server().Mutate(region, add, Nonce{7, 9})->cells, SizeIs(kCells));
  class Gone : public ReadWatch {
    absl::Status Check() override { return Error(ErrorKind::kCallerDisconnected, "gone"); }
  } gone;
  EXPECT_THAT(region_server().Mutate(region, add, Nonce{7, 9}, {.watch = &gone}).status(),
              vaquita::testing::FailsWith(ErrorKind::kCallerDisconnected, "gone"));
}

TEST_F(ClientServiceTest, AConditionDecides) {
  ASSERT_TRUE(Put("t", "a", "1").ok());
  pb::MutateRequest request = MutateOf(vaquita::testing::MakePut("a", "f:q", "2"));
  *request.mutable_condition() = Equals("a", "other");
  auto response = Ask<pb::MutateResponse>("Mutate", request);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_TRUE(response->has_processed());
  EXPECT_FALSE(response->processed());
  EXPECT_EQ(ValueOf("a"), "1");
  request = MutateOf(vaquita::testing::MakePut("a", "f:q", "2"));
  *request.mutable_condition() = Equals("a", "1");
  EXPECT_TRUE(Ask<pb::MutateResponse>("Mutate", request)->processed());
  EXPECT_EQ(ValueOf("a"), "2");
}

TEST_F(ClientServiceTest, TimesToLiveGoToThoseWhoTakeTags) {
  Mutation mortal = vaquita::testing::MakePut("a", "f:q", "1");
  mortal.ttl_ms = 3'600'000;
  ASSERT_TRUE(Ask<pb::MutateResponse>("Mutate", MutateOf(mortal)).ok());
  pb::MultiRequest multi;
  AddGet(AddRegion(&multi, "a"), "a");
  for (const bool takes_tags : {false, true}) {
    takes_tags_ = takes_tags;
    const auto ttls = ElementsAre(takes_tags ? 3'600'000 : kNoTtl);
    pb::GetRequest get = GetOf("a");
    ASSERT_TRUE(Ask<pb::GetResponse>("Get", get).ok());
    EXPECT_THAT(Ttls(), ttls);
    EncodeFilter(FilterSpec(PageFilterSpec{1}), get.mutable_get()->mutable_filter());
    ASSERT_TRUE(Ask<pb::GetResponse>("Get", get).ok());
    EXPECT_THAT(Ttls(), ttls);
    ASSERT_TRUE(Ask<pb::ScanResponse>("Scan", OpenOf(1)).ok());
    EXPECT_THAT(Ttls(), ttls);
    ASSERT_TRUE(Ask<pb::MultiResponse>("Multi", multi).ok());
    EXPECT_THAT(Ttls(), ttls);
  }
}

// --- Multi.

TEST_F(ClientServiceTest, AMultiAnswersEachActionInItsPlace) {
  ASSERT_TRUE(Put("t", "a", "1").ok());
  pb::MultiRequest request;
  pb::RegionAction* first = AddRegion(&request, "a");
  AddMutation(first, vaquita::testing::MakePut("b", "f:q", "2"));
  AddGet(first, "a");
  AddMutation(first, vaquita::testing::MakePut("c", "nosuch:q", "x"));
  AddMutation(first, Add(MutationType::kIncrement, "d", Amount(4)));
  AddGet(first, "nothing");
  pb::RegionAction* second = AddRegion(&request, "z");
  AddMutation(second, vaquita::testing::MakePut("z", "f:q", "26"));

  auto response = Ask<pb::MultiResponse>("Multi", request);
  ASSERT_TRUE(response.ok()) << response.status();
  ASSERT_EQ(response->regionactionresult_size(), 2);
  std::map<uint32_t, pb::ResultOrException> results;
  for (const auto& result : response->regionactionresult(0).resultorexception()) results[result.index()] = result;
  ASSERT_EQ(results.size(), 5u);
  EXPECT_TRUE(results[0].has_result());
  EXPECT_EQ(results[1].result().associated_cell_count(), 1);
  EXPECT_EQ(results[2].exception().name(), "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException");
  EXPECT_EQ(results[3].result().associated_cell_count(), 1);
  EXPECT_EQ(results[4].result().associated_cell_count(), 0);
  EXPECT_THAT(Cells(), ElementsAre("a/f:q=1", "d/f:q=" + Amount(4)));
  EXPECT_TRUE(response->has_regionstatistics());
  EXPECT_EQ(ValueOf("b"), "2");
  EXPECT_EQ(ValueOf("z"), "26");
}

// Puts that follow each other are written together. Each of these rows is in a write that is not done yet when the next
// action comes.
TEST_F(ClientServiceTest, AMultisActionsSeeThePutsBeforeThem) {
  pb::MultiRequest request;
  pb::RegionAction* region = AddRegion(&request, "a");
  AddMutation(region, vaquita::testing::MakePut("a", "f:q", "1"));
  AddMutation(region, vaquita::testing::MakePut("a", "f:q", "2"));
  AddMutation(region, vaquita::testing::MakePut("b", "f:q", "1"));
  region = AddRegion(&request, "z");
  AddMutation(region, vaquita::testing::MakePut("z", "f:q", "1"));
  region = AddRegion(&request, "a");
  AddGet(region, "b");
  region = AddRegion(&request, "z");
  *region->mutable_condition() = Equals("z", "1");
  AddMutation(region, vaquita::testing::MakePut("z", "f:q", "2"));
  region = AddRegion(&request, "a");
  AddMutation(region, vaquita::testing::MakePut("c", "f:q", "1"));
  region = AddRegion(&request, "a");
  region->set_atomic(true);
  AddMutation(region, vaquita::testing::MakePut("c", "f:q", "2"));
  const auto response = Ask<pb::MultiResponse>("Multi", request);
  ASSERT_TRUE(response.ok()) << response.status();
  ASSERT_EQ(response->regionactionresult_size(), 6);
  for (int i = 0; i < 6; ++i) {
    const pb::RegionActionResult& result = response->regionactionresult(i);
    EXPECT_FALSE(result.has_exception()) << result.ShortDebugString();
    // An action under a condition has no result of its own.
    for (const auto& outcome : result.resultorexception()) EXPECT_EQ(outcome.has_result(), i != 3) << i;
  }
  EXPECT_TRUE(response->regionactionresult(3).processed());
  EXPECT_THAT(Cells(), ElementsAre("b/f:q=1"));
  EXPECT_EQ(ValueOf("a"), "2");
  EXPECT_EQ(ValueOf("c"), "2");
  EXPECT_EQ(ValueOf("z"), "2");
}

TEST_F(ClientServiceTest, ThousandsOfPutsInAMultiAreAllAnsweredAndWritten) {
  pb::MultiRequest request;
  for (const char* row : {"a", "z"}) {
    pb::RegionAction* const region = AddRegion(&request, row);
    for (int i = 0; i < 1200; ++i) {
      const std::string one = row + std::to_string(i);
      AddMutation(region, vaquita::testing::MakePut(one, i == 700 ? "nosuch:q" : "f:q", row));
    }
  }
  const auto response = Ask<pb::MultiResponse>("Multi", request);
  ASSERT_TRUE(response.ok()) << response.status();
  for (const auto& result : response->regionactionresult()) {
    ASSERT_EQ(result.resultorexception_size(), 1200);
    for (int i = 0; i < 1200; ++i) {
      EXPECT_EQ(result.resultorexception(i).index(), static_cast<uint32_t>(i));
      EXPECT_EQ(result.resultorexception(i).has_exception(), i == 700) << i;
    }
  }
  for (int i = 0; i < 1200; ++i) EXPECT_EQ(ValueOf("z" + std::to_string(i)), i == 700 ? "" : "z") << i;
}

TEST_F(ClientServiceTest, ARegionThatIsNotHereDoesNotHurtTheOthers) {
  pb::MultiRequest request;
  pb::RegionAction* gone = AddRegion(&request, "a");
  gone->mutable_region()->set_value("t,,1.0123456789abcdef0123456789abcdef.");
  AddMutation(gone, vaquita::testing::MakePut("a", "f:q", "lost"));
  AddMutation(gone, vaquita::testing::MakePut("b", "f:q", "lost"));
  AddMutation(AddRegion(&request, "z"), vaquita::testing::MakePut("z", "f:q", "kept"));
  auto response = Ask<pb::MultiResponse>("Multi", request);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->regionactionresult(0).exception().name(), kNotServing);
  EXPECT_EQ(response->regionactionresult(0).resultorexception_size(), 0);
  EXPECT_TRUE(response->regionactionresult(1).resultorexception(0).has_result());
  EXPECT_EQ(ValueOf("z"), "kept");
  EXPECT_EQ(ValueOf("a"), "");
}

TEST_F(ClientServiceTest, AnAtomicRegionActionIsAllOrNothing) {
  pb::MultiRequest request;
  pb::RegionAction* region = AddRegion(&request, "a");
  region->set_atomic(true);
  AddMutation(region, vaquita::testing::MakePut("a", "f:p", "1"));
  AddMutation(region, Add(MutationType::kIncrement, "a", Amount(4)));
  auto response = Ask<pb::MultiResponse>("Multi", request);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_TRUE(response->processed());
  const auto& result = response->regionactionresult(0);
  EXPECT_TRUE(result.processed());
  ASSERT_EQ(result.resultorexception_size(), 2);
  ASSERT_EQ(result.resultorexception(0).result().cell_size(), 1);
  EXPECT_EQ(result.resultorexception(0).result().cell(0).value(), Amount(4));

  request.Clear();
  region = AddRegion(&request, "b");
  region->set_atomic(true);
  AddMutation(region, vaquita::testing::MakePut("b", "f:q", "1"));
  AddMutation(region, vaquita::testing::MakePut("b", "nosuch:q", "1"));
  response = Ask<pb::MultiResponse>("Multi", request);
  EXPECT_EQ(response->regionactionresult(0).exception().name(),
            "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException");
  EXPECT_EQ(ValueOf("b"), "");

  request.Clear();
  region = AddRegion(&request, "b");
  region->set_atomic(true);
  AddGet(region, "b");
  response = Ask<pb::MultiResponse>("Multi", request);
  EXPECT_EQ(response->regionactionresult(0).exception().name(), "org.apache.hadoop.hbase.DoNotRetryIOException");
}

TEST_F(ClientServiceTest, AMultisConditionIsItsRegionsOrOfOldItsOwn) {
  ASSERT_TRUE(Put("t", "a", "1").ok());
  pb::MultiRequest request;
  pb::RegionAction* region = AddRegion(&request, "a");
  region->set_atomic(true);
  *region->mutable_condition() = Equals("a", "1");
  AddMutation(region, vaquita::testing::MakePut("a", "f:q", "2"));
  auto response = Ask<pb::MultiResponse>("Multi", request);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_TRUE(response->regionactionresult(0).processed());
  EXPECT_FALSE(response->has_processed());
  EXPECT_EQ(ValueOf("a"), "2");

  request.Clear();
  *request.mutable_condition() = Equals("a", "1");
  region = AddRegion(&request, "a");
  region->set_atomic(true);
  AddMutation(region, vaquita::testing::MakePut("a", "f:q", "3"));
  response = Ask<pb::MultiResponse>("Multi", request);
  EXPECT_TRUE(response->has_processed());
  EXPECT_FALSE(response->processed());
  EXPECT_EQ(ValueOf("a"), "2");
}

TEST_F(ClientServiceTest, WhatIsTooMuchForOneAnswerIsToBeSentAgain) {
  options_.scanner_max_result_bytes = 100;
  ASSERT_TRUE(Put("t", "a", std::string(200, 'x')).ok());
  const auto get_twice = [&] {
    pb::MultiRequest request;
    pb::RegionAction* region = AddRegion(&request, "a");
    AddGet(region, "a");
    AddGet(region, "a");
    return Ask<pb::MultiResponse>("Multi", request);
  };
  auto response = get_twice();
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_TRUE(response->regionactionresult(0).resultorexception(0).has_result());
  EXPECT_EQ(response->regionactionresult(0).resultorexception(1).exception().name(),
            "org.apache.hadoop.hbase.MultiActionResultTooLarge");
  client_version_ = "1.1.0";
  response = get_twice();
  EXPECT_TRUE(response->regionactionresult(0).resultorexception(1).has_result());
  // That has an end, too.
  options_.max_request_bytes = 150;
  client_version_ = "";
  response = get_twice();
  EXPECT_TRUE(response->regionactionresult(0).resultorexception(0).has_result());
  EXPECT_EQ(response->regionactionresult(0).resultorexception(1).exception().name(),
            "org.apache.hadoop.hbase.DoNotRetryIOException");
}

TEST_F(ClientServiceTest, ErrorsAreInTheAnswersSize) {
  options_.scanner_max_result_bytes = 1000;
  pb::MultiRequest request;
  pb::RegionAction* region = AddRegion(&request, "a");
  for (int i = 0; i < 20; ++i) AddMutation(region, vaquita::testing::MakePut("a", "none:q", "1"));
  region = AddRegion(&request, "a");
  AddGet(region, "a");
  region = AddRegion(&request, "a");
  region->set_atomic(true);
  AddMutation(region, vaquita::testing::MakePut("a", "f:q", "3"));
  const auto response = Ask<pb::MultiResponse>("Multi", request);
  ASSERT_TRUE(response.ok()) << response.status();
  const pb::RegionActionResult& puts = response->regionactionresult(0);
  ASSERT_EQ(puts.resultorexception_size(), 20);
  EXPECT_EQ(puts.resultorexception(0).exception().name(),
            "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException");
  constexpr const char* kTooLarge = "org.apache.hadoop.hbase.MultiActionResultTooLarge";
  EXPECT_EQ(puts.resultorexception(19).exception().name(), kTooLarge);
  // The other actions are not done, and asked for again.
  EXPECT_EQ(response->regionactionresult(1).resultorexception(0).exception().name(), kTooLarge);
  EXPECT_EQ(response->regionactionresult(2).exception().name(), kTooLarge);
  EXPECT_EQ(ValueOf("a"), "");
}

TEST_F(ClientServiceTest, ATextWithoutEndIsCut) {
  TableDescriptor wordy = Descriptor("wordy");
  wordy.configuration["x"] = std::string(100'000, 'x');
  ASSERT_TRUE(Finish(master().CreateTableAsync(wordy, {})).ok());
  const absl::Status status = Put("wordy", "a", "v", "none:q");
  EXPECT_TRUE(IsError(status, ErrorKind::kNoSuchColumnFamily)) << status;
  EXPECT_LE(status.message().size(), 8u << 10);
}

// --- The slow log.

TEST_F(ClientServiceTest, ADescriptionOfALongScanTakesLittle) {
  const auto described = [this](const pb::ScanRequest& scan) {
    const std::string bytes = scan.SerializeAsString();
    const RpcRequest request{.method = "Scan", .param = bytes};
    return DescribeSlowCall({.service = *service_, .request = request}, region_server()).parameter;
  };
  pb::ScanRequest scan = OpenOf(1);
  scan.mutable_scan()->set_start_row("b");
  EXPECT_THAT(described(scan), HasSubstr("scan { start_row: \"b\" } number_of_rows: 1"));
  scan.mutable_scan()->set_start_row(std::string(3000, '\0'));
  EXPECT_LT(described(scan).size(), 3000u);
  EXPECT_THAT(described(scan), HasSubstr("number_of_rows: 1")) << "a long field is cut, not the whole";
  scan.mutable_scan()->set_start_row(std::string(100'000, '\0'));
  EXPECT_THAT(described(scan), ::testing::StartsWith("a scan whose request has 100"));
}

// --- Scan.

TEST_F(ClientServiceTest, AScanGoesOverSeveralCalls) {
  PutRows(5);
  auto response = Scan(OpenOf(2));
  ASSERT_TRUE(response.ok()) << response.status();
  const uint64_t id = response->scanner_id();
  EXPECT_NE(id, 0u);
  EXPECT_EQ(response->ttl(), options_.scanner_lease_ms);
  EXPECT_THAT(response->cells_per_result(), ElementsAre(1, 1));
  EXPECT_THAT(response->partial_flag_per_result(), ElementsAre(false, false));
  EXPECT_TRUE(response->more_results());
  EXPECT_TRUE(response->more_results_in_region());
  EXPECT_THAT(Cells(), ElementsAre("a0/f:q=0", "a1/f:q=1"));
  response = Scan(NextOf(id, 10));
  EXPECT_EQ(response->scanner_id(), id);
  EXPECT_THAT(Cells(), ElementsAre("a2/f:q=2", "a3/f:q=3", "a4/f:q=4"));
  EXPECT_TRUE(response->more_results());
  EXPECT_TRUE(response->more_results_in_region()) << "rows and a region's end come apart";
  response = Scan(NextOf(id, 10));
  EXPECT_TRUE(response->more_results());
  EXPECT_EQ(response->cells_per_result_size(), 0);
  EXPECT_FALSE(response->more_results_in_region());
  // Old clients close what has closed itself.
  pb::ScanRequest close = NextOf(id, 0);
  close.set_close_scanner(true);
  EXPECT_TRUE(Scan(close).ok());
}

TEST_F(ClientServiceTest, OnlyAShortScanRunsWhereNothingMayTakeLong) {
  PutRows(200);
  context_.short_waits = true;
  auto response = Scan(OpenOf(2));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_THAT(Cells(), SizeIs(2));
  EXPECT_TRUE(IsWouldWait(Scan(NextOf(response->scanner_id(), 2)).status())) << "it could not begin again";
  EXPECT_TRUE(IsWouldWait(Scan(OpenOf(129)).status()));
  pb::ScanRequest limited = OpenOf(1000);
  limited.set_limit_of_rows(3);
  ASSERT_TRUE(Scan(limited).ok());
  EXPECT_THAT(Cells(), SizeIs(3));
}

TEST_F(ClientServiceTest, AShortScanThatTakesLongBeginsAgainElsewhere) {
  PutRows(200);
  class Ends : public ReadWatch {
    absl::Status Check() override { return WouldWait(); }
  } ends;
  vaquita::Scan scan;
  scan.filter = FilterSpec{CompareFilterSpec{
      .what = CompareFilterSpec::What::kValue, .op = CompareOp::kEqual, .comparator = {.bytes = "199"}}};
  pb::ScanRequest request = OpenOf(1);
  EncodeScan(scan, request.mutable_scan());
  context_ = {.watch = &ends, .short_waits = true};
  EXPECT_TRUE(IsWouldWait(Scan(request).status()));
  EXPECT_EQ(region_server().OpenScannerCount(), 0);
  context_ = {};
  ASSERT_TRUE(Scan(request).ok());
  EXPECT_THAT(Cells(), ElementsAre("a199/f:q=199"));
}

TEST_F(ClientServiceTest, AScannerMayBeOpenedFirstAndReadLater) {
  PutRows(3);
  auto response = Scan(OpenOf(0));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_TRUE(response->more_results_in_region());
  EXPECT_EQ(response->cells_per_result_size(), 0);
  pb::ScanRequest next = NextOf(response->scanner_id(), 0);
  next.clear_number_of_rows();
  EXPECT_EQ(Scan(next)->cells_per_result_size(), 1) << "one row, if the client does not say";
}

TEST_F(ClientServiceTest, AScannerThatEndsWithItsFirstCallIsKnownAsClosed) {
  client_version_ = "1.7.2";  // has no AsyncTable, so it gets the rows and the region's end together
  PutRows(3);
  auto response = Scan(OpenOf(10));
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_NE(response->scanner_id(), 0u);
  EXPECT_FALSE(response->more_results_in_region());
  EXPECT_TRUE(Scan(NextOf(response->scanner_id(), 1)).ok());
}

TEST_F(ClientServiceTest, ASmallScanOpensReadsAndCloses) {
  PutRows(3);
  pb::ScanRequest request = OpenOf(2);
  request.set_close_scanner(true);
  request.mutable_scan()->set_small(true);
  auto response = Scan(request);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->cells_per_result_size(), 2);
  EXPECT_TRUE(response->more_results_in_region());
}

TEST_F(ClientServiceTest, ACallOutOfOrderIsRefusedAndRenewalsCount) {
  PutRows(5);
  pb::ScanRequest request = OpenOf(1);
  const uint64_t id = Scan(request)->scanner_id();
  request = NextOf(id, 1);
  request.set_next_call_seq(0);
  ASSERT_TRUE(Scan(request).ok());
  EXPECT_EQ(ExceptionClass(Scan(request).status()),
            "org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException");
  request.set_next_call_seq(1);
  request.set_renew(true);
  auto renewed = Scan(request);
  ASSERT_TRUE(renewed.ok()) << renewed.status();
  EXPECT_EQ(renewed->cells_per_result_size(), 0);
  request.set_renew(false);
  request.set_next_call_seq(2);
  EXPECT_TRUE(Scan(request).ok());
}

TEST_F(ClientServiceTest, AScannersLeaseRunsOut) {
  PutRows(5);
  const uint64_t id = Scan(OpenOf(1))->scanner_id();
  clock_.Advance(options_.scanner_lease_ms);
  EXPECT_EQ(ExceptionClass(Scan(NextOf(id, 1)).status()), "org.apache.hadoop.hbase.UnknownScannerException");
}

TEST_F(ClientServiceTest, AScannerIdOfZeroIsOneThatIsNotKnown) {
  PutRows(1);
  pb::ScanRequest request = OpenOf(1);
  request.set_scanner_id(0);
  for (const bool close : {false, true}) {
    request.set_close_scanner(close);
    EXPECT_EQ(ExceptionClass(Scan(request).status()), "org.apache.hadoop.hbase.UnknownScannerException");
  }
  EXPECT_TRUE(Ask<pb::GetResponse>("Get", GetOf("a0")).ok());
}

TEST_F(ClientServiceTest, TheRowLimitEndsTheScan) {
  PutRows(5);
  pb::ScanRequest request = OpenOf(10);
  request.set_limit_of_rows(3);
  auto response = Scan(request);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->cells_per_result_size(), 3);
  EXPECT_FALSE(response->more_results());

  request.set_number_of_rows(2);
  response = Scan(request);
  EXPECT_TRUE(response->more_results());
  request = NextOf(response->scanner_id(), 2);
  request.set_limit_of_rows(1);  // the client says what is left
  response = Scan(request);
  EXPECT_EQ(response->cells_per_result_size(), 1);
  EXPECT_FALSE(response->more_results());
}

TEST_F(ClientServiceTest, RowsAreCutForClientsThatJoinThem) {
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(Put("t", "a", std::string(100, 'x'), "f:q" + std::to_string(i)).ok());
  }
  pb::ScanRequest request = OpenOf(10);
  request.mutable_scan()->set_max_result_size(300);
  auto response = Scan(request);
  ASSERT_TRUE(response.ok()) << response.status();
  ASSERT_EQ(response->cells_per_result_size(), 1);
  EXPECT_LT(response->cells_per_result(0), 10u);
  EXPECT_TRUE(response->partial_flag_per_result(0));
  request.clear_client_handles_partials();
  response = Scan(request);
  EXPECT_THAT(response->cells_per_result(), ElementsAre(10));
  EXPECT_THAT(response->partial_flag_per_result(), ElementsAre(false));
}

TEST_F(ClientServiceTest, CountsRowsForClientsThatAsk) {
  PutRows(5);
  pb::ScanRequest request = OpenOf(10);
  EXPECT_FALSE(Scan(request)->has_scan_metrics());
  request.set_track_scan_metrics(true);
  FilterSpec filter;
  filter.kind = CompareFilterSpec{.comparator = ComparatorSpec{.bytes = "a3"}};
  EncodeFilter(filter, request.mutable_scan()->mutable_filter());
  auto response = Scan(request);
  ASSERT_TRUE(response.ok()) << response.status();
  std::map<std::string, int64_t> metrics;
  for (const auto& metric : response->scan_metrics().metrics()) metrics[metric.name()] = metric.value();
  EXPECT_EQ(metrics["ROWS_SCANNED"], 5);
  EXPECT_EQ(metrics["ROWS_FILTERED"], 4);
}

TEST_F(ClientServiceTest, CellsAreInTheMessageForClientsWithoutACodec) {
  PutRows(2);
  takes_cells_ = false;
  auto response = Scan(OpenOf(10));
  ASSERT_EQ(response->results_size(), 2);
  EXPECT_EQ(response->results(1).cell(0).value(), "1");
  EXPECT_EQ(response->cells_per_result_size(), 0);
}

TEST_F(ClientServiceTest, MetaIsScannedBackwardsToLocateARow) {
  pb::ScanRequest request;
  request.mutable_region()->set_type(pb::RegionSpecifier::REGION_NAME);
  request.mutable_region()->set_value("hbase:meta,,1");
  pb::Scan* scan = request.mutable_scan();
  scan->add_column()->set_family("info");
  scan->set_start_row("t,z,99999999999999");
  scan->set_reversed(true);
  scan->set_include_start_row(true);
  request.set_number_of_rows(1);
  request.set_limit_of_rows(1);
  request.set_close_scanner(true);
  auto response = Scan(request);
  ASSERT_TRUE(response.ok()) << response.status();
  ASSERT_EQ(response->cells_per_result_size(), 1);
  EXPECT_THAT(Cells().front(), HasSubstr("t,m,"));
  request.mutable_region()->set_value("1588230740");
  EXPECT_TRUE(Scan(request).ok());
}

TEST_F(ClientServiceTest, AScannerOfAClosedRegionIsToldSo) {
  PutRows(5);
  const uint64_t id = Scan(OpenOf(1))->scanner_id();
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_EQ(ExceptionClass(Scan(NextOf(id, 1)).status()), kNotServing);
}

}  // namespace
}  // namespace vaquita::hbase
