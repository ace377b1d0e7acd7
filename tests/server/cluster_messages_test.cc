// Messages between a cluster's processes: names and values that are not text, and messages that nobody should send.
#include <gmock/gmock.h>

#include <string>

#include "grpcpp/grpcpp.h"
#include "proto/vaquita/status_codec.h"
#include "tests/server/cluster_harness.h"
#include "vaquita/v1/cluster.methods.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using testing::MakeFamily;
using testing::WaitFor;

const std::string kNoText("\xff\0\xfe", 3);

class ClusterMessagesTest : public testing::ClusterHarness {
 protected:
  // Waits until the master takes changes.
  template <typename Submit>
  absl::Status Change(Submit submit) {
    absl::Status status;
    WaitFor([&] {
      status = Finish(submit());
      return !IsError(status, ErrorKind::kPleaseHold);
    });
    return status;
  }
  absl::Status Create(const TableDescriptor& table) {
    return Change([&] { return master().CreateTableAsync(table, {"b", "c"}); });
  }
  static TableDescriptor TableOf(const std::string& name) {
    TableDescriptor table{.name = Name(name)};
    table.families["f"] = MakeFamily("f");
    return table;
  }
  // Returns "t" with bytes wherever HBase takes them.
  static TableDescriptor TableWithBytes() {
    TableDescriptor table = TableOf("t");
    table.attributes["a" + kNoText] = kNoText;
    table.families["f"].attributes["b" + kNoText] = kNoText;
    table.configuration["hbase.table.sanity.checks"] = "false";
    table.split_policy = kNoText;
    return table;
  }
  void MoveAll() {
    for (const AssignedRegion& region : Regions("t")) {
      const std::string to = servers_[region.server_name == servers_[0]->server_name() ? 1 : 0]->server_name();
      const absl::Status moved = master().MoveRegion(region.info.EncodedName(), to);
      EXPECT_TRUE(moved.ok()) << moved;
    }
  }
  void ExpectTable(const TableDescriptor& table) {
    for (const AssignedRegion& region : Regions("t")) {
      const auto open = ServerOf(region)->FindRegion(region.info.EncodedName());
      ASSERT_TRUE(open.ok()) << open.status();
      const TableDescriptor& found = *(*open)->table();
      EXPECT_THAT(found.attributes, IsSupersetOf(table.attributes));
      EXPECT_EQ(found.split_policy, table.split_policy);
      EXPECT_THAT(found.families.at("f").attributes, IsSupersetOf(table.families.at("f").attributes));
    }
  }
  template <typename Request, typename Response>
  static grpc::Status Send(const std::string& address, GrpcMethod<Request, Response> method, const Request& request) {
    const auto channel = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
    grpc::ClientContext context;
    Response response;
    return CallGrpc(channel.get(), &context, {method, request, &response});
  }
};

TEST_F(ClusterMessagesTest, ATableWithBytesThatAreNoText) {
  Lead();
  AddServers(2);
  TableDescriptor table = TableWithBytes();
  const absl::Status created = Create(table);
  ASSERT_TRUE(created.ok()) << created;
  for (const char* row : {"a", "b", "c"}) ASSERT_TRUE(Put(row).ok());
  ExpectTable(table);

  table.attributes["later"] = kNoText;
  const absl::Status altered = Change([&] { return master().ModifyTableAsync(table); });
  ASSERT_TRUE(altered.ok()) << altered;
  ExpectTable(table);
  MoveAll();
  ExpectRows({"a", "b", "c"});

  Kill(0);
  ExpectRows({"a", "b", "c"});
  const absl::Status other = Create(TableOf("other"));
  EXPECT_TRUE(other.ok()) << other;

  KillAll();
  Lead();
  AddServers(1);
  ExpectRows({"a", "b", "c"});
  ExpectTable(table);
}

// The compaction that a former master asked for may still run when the next one comes.
TEST_F(ClusterMessagesTest, ACompactionIsNoMatterOfMasters) {
  Lead();
  AddServers(1);
  ASSERT_TRUE(Create(TableOf("t")).ok());
  v1::Command command;
  command.set_server_name(servers_[0]->server_name());
  command.set_epoch(-1);
  command.mutable_compact_region()->set_region(Regions("t").front().info.EncodedName());
  command.mutable_compact_region()->set_wait(true);
  const grpc::Status compacted = Send(servers_[0]->grpc_address(), v1::RegionServerControlMethods::Execute, command);
  EXPECT_TRUE(compacted.ok()) << compacted.error_message();
  command.mutable_drop_regions();
  const grpc::Status refused = Send(servers_[0]->grpc_address(), v1::RegionServerControlMethods::Execute, command);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
}

// An error without details would be no answer, after which the sender sends the message again.
TEST_F(ClusterMessagesTest, AMessageThatCannotBeReadIsAnsweredWithAnError) {
  Lead();
  AddServers(1);
  v1::Done garbled;
  ASSERT_TRUE(garbled.ParseFromString("\x52\x01\xff"));  // in a Command: an AssignmentCommand of half a tag
  const GrpcMethod<v1::Done, v1::CommandAnswer> execute{v1::RegionServerControlMethods::Execute.path};
  const grpc::Status refused = Send(servers_[0]->grpc_address(), execute, garbled);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << refused.error_message();
  EXPECT_FALSE(refused.error_details().empty());
  EXPECT_THAT(refused.error_message(), HasSubstr("a vaquita.v1.Command cannot be read"));
}

TEST_F(ClusterMessagesTest, AMessageOfTooManyPartsIsNotRead) {
  Lead();
  v1::ServerReport report;
  for (int i = 0; i < 1'100'000; ++i) report.add_transitions();
  const grpc::Status refused = Send(master_->grpc_address(), v1::MasterControlMethods::Report, report);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << refused.error_message();
  EXPECT_THAT(refused.error_message(), HasSubstr("so many parts"));

  // As many regions as a server may have pass.
  report.clear_transitions();
  for (int i = 0; i < 20'000; ++i) {
    v1::RegionMetrics* const region = report.mutable_metrics()->add_regions();
    region->mutable_region()->set_table("t");
    region->mutable_region()->set_start_key(std::to_string(i));
    for (const char* family : {"f", "g", "h"}) region->add_stores()->set_family(family);
  }
  const grpc::Status answered = Send(master_->grpc_address(), v1::MasterControlMethods::Report, report);
  EXPECT_TRUE(answered.ok()) << answered.error_message();
}

// Nobody else's message is read at all.
TEST_F(ClusterMessagesTest, AMessageWithoutTheClustersTokenIsNotRead) {
  options_.authorization = true;
  Lead();
  v1::Done garbled;
  ASSERT_TRUE(garbled.ParseFromString("\x0a\x01\xff"));
  const GrpcMethod<v1::Done, v1::ReportAnswer> report{v1::MasterControlMethods::Report.path};
  const grpc::Status refused = Send(master_->grpc_address(), report, garbled);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::PERMISSION_DENIED) << refused.error_message();
}

}  // namespace
}  // namespace vaquita
