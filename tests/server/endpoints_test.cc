// Coprocessors' services on a region, called as the connections call them. The cases are those of HBase's
// TestAggregationClient: what its clients put together is made of these answers.
#include <algorithm>
#include <limits>

#include "base/big_endian.h"
#include "hbase/Client.pb.h"
#include "hbase/Endpoints.pb.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/schema_codec.h"
#include "server/frontend/hbase/services.h"
#include "server/master/master.h"
#include "server/regionserver/put_group.h"
#include "tests/server/server_harness.h"

namespace vaquita::hbase {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using vaquita::testing::FailsWith;

constexpr char kAggregate[] = "|org.apache.hadoop.hbase.coprocessor.AggregateImplementation|1073741823|";
constexpr char kLong[] = "org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter";
constexpr char kDouble[] = "org.apache.hadoop.hbase.client.coprocessor.DoubleColumnInterpreter";
constexpr char kBigDecimal[] = "org.apache.hadoop.hbase.client.coprocessor.BigDecimalColumnInterpreter";

std::string Bytes8(int64_t value) {
  std::string bytes;
  AppendBigEndian(static_cast<uint64_t>(value), &bytes);
  return bytes;
}
int64_t LongOf(const std::string& message) {
  pb::LongMsg value;
  EXPECT_TRUE(value.ParseFromString(message));
  return value.long_msg();
}

class EndpointsTest : public vaquita::testing::ServerHarness {
 protected:
  void SetUp() override {
    ServerHarness::SetUp();
    service_ = MakeClientService(&region_server());
    TableDescriptor table = Descriptor("t");
    ASSERT_TRUE(table.Set("coprocessor$1", kAggregate).ok());
    ASSERT_TRUE(table.Set("coprocessor$2", "|org.apache.hadoop.hbase.coprocessor.example.RowCountEndpoint||").ok());
    ASSERT_TRUE(table.Set("coprocessor$3", "|org.apache.hadoop.hbase.coprocessor.example.BulkDeleteEndpoint||").ok());
    ASSERT_TRUE(Finish(master().CreateTableAsync(table, {"r5"})).ok());
    for (int64_t i = 0; i < 10; ++i) ASSERT_TRUE(Put("t", Row(i), Bytes8(i), "f:q").ok());
  }
  static std::string Row(int64_t i) { return "r" + std::to_string(i); }
  static Scan Column(const std::string& qualifier) {
    Scan scan;
    scan.columns["f"] = {qualifier};
    return scan;
  }

  // The message that `method` answers with, on the region of `row`.
  template <typename Response>
  absl::StatusOr<Response> Ask(const std::string& service, const std::string& method,
                               const google::protobuf::MessageLite& message, const std::string& row = "r0",
                               const std::string& table = "t") {
    pb::CoprocessorServiceRequest request;
    EncodeRegionSpecifier(master().LocateRow(Name(table), row)->info, request.mutable_region());
    request.mutable_call()->set_row(row);
    request.mutable_call()->set_service_name(service);
    request.mutable_call()->set_method_name(method);
    request.mutable_call()->set_request(message.SerializeAsString());
    const std::string bytes = request.SerializeAsString();
    VAQUITA_ASSIGN_OR_RETURN(const RpcResponse answer, service_->Call({.method = "ExecService", .param = bytes}));
    pb::CoprocessorServiceResponse wrapped;
    EXPECT_TRUE(wrapped.ParseFromString(answer.param));
    Response response;
    EXPECT_TRUE(response.ParseFromString(wrapped.value().value()));
    return response;
  }
  absl::StatusOr<pb::AggregateResponse> Aggregate(const std::string& method, const Scan& scan,
                                                  const std::string& row = "r0",
                                                  const std::string& interpreter = kLong) {
    pb::AggregateRequest request;
    request.set_interpreter_class_name(interpreter);
    EncodeScan(scan, request.mutable_scan());
    return Ask<pb::AggregateResponse>("hbase.pb.AggregateService", method, request, row);
  }
  // The numbers of its first parts.
  std::vector<int64_t> Longs(const std::string& method, const Scan& scan, const std::string& row = "r0") {
    const auto response = Aggregate(method, scan, row);
    EXPECT_TRUE(response.ok()) << response.status();
    std::vector<int64_t> values;
    for (const std::string& part : response->first_part()) values.push_back(LongOf(part));
    return values;
  }

  std::unique_ptr<RpcService> service_;
};

TEST_F(EndpointsTest, EachRegionAggregatesItsRows) {
  EXPECT_THAT(Longs("GetMax", Column("q")), ElementsAre(4));
  EXPECT_THAT(Longs("GetMin", Column("q")), ElementsAre(0));
  EXPECT_THAT(Longs("GetSum", Column("q")), ElementsAre(10));
  EXPECT_THAT(Longs("GetMax", Column("q"), "r7"), ElementsAre(9));
  EXPECT_THAT(Longs("GetSum", Column("q"), "r7"), ElementsAre(35));
  EXPECT_THAT(Longs("GetStd", Column("q")), ElementsAre(10, 0 + 1 + 4 + 9 + 16));
  EXPECT_EQ(Aggregate("GetStd", Column("q"))->second_part(), Bytes8(5));
  EXPECT_THAT(Longs("GetAvg", Column("q")), ElementsAre(10));
  EXPECT_EQ(Aggregate("GetAvg", Column("q"))->second_part(), Bytes8(5));
  EXPECT_THAT(Longs("GetMedian", Column("q")), ElementsAre(10, std::numeric_limits<int64_t>::min()));
  EXPECT_EQ(Aggregate("GetRowNum", Column("q"))->first_part(0), Bytes8(5));
}

TEST_F(EndpointsTest, AScansRangeFilterAndColumnsCount) {
  Scan range = Column("q");
  range.rows = {"r2", "r8"};
  range.limit = 1;  // is the client's matter
  EXPECT_THAT(Longs("GetSum", range), ElementsAre(9));
  EXPECT_THAT(Longs("GetSum", range, "r7"), ElementsAre(18));
  range.rows = {"r8", "r9"};
  EXPECT_THAT(Longs("GetSum", range), IsEmpty()) << "no row of it is in this region";
  EXPECT_EQ(Aggregate("GetRowNum", range)->first_part(0), Bytes8(0));

  // Two cells of a row count both; the squares are of the row's sum.
  ASSERT_TRUE(Put("t", "r1", Bytes8(100), "f:w").ok());
  Scan family;
  family.columns["f"] = {};
  EXPECT_THAT(Longs("GetSum", family), ElementsAre(110));
  EXPECT_THAT(Longs("GetStd", family), ElementsAre(110, 101 * 101 + 4 + 9 + 16));
  Scan weighted;
  weighted.columns["f"] = {"q", "w"};
  EXPECT_THAT(Longs("GetMedian", weighted), ElementsAre(110, 110));
  EXPECT_EQ(Aggregate("GetRowNum", Column("w"))->first_part(0), Bytes8(1));

  // A look that finds no row any more is one of those that the mean is of, as in HBase.
  EXPECT_EQ(Aggregate("GetAvg", Column("w"))->second_part(), Bytes8(2));
  // Values of another size are no numbers.
  ASSERT_TRUE(Put("t", "r2", "abc", "f:q").ok());
  EXPECT_THAT(Longs("GetSum", Column("q")), ElementsAre(8));
}

TEST_F(EndpointsTest, DoublesAndDecimals) {
  const auto put_double = [this](const std::string& row, double value) {
    ASSERT_TRUE(Put("t", row, Bytes8(std::bit_cast<int64_t>(value)), "f:d").ok());
  };
  put_double("r0", 1.5);
  put_double("r1", -0.25);
  pb::DoubleMsg sum;
  ASSERT_TRUE(sum.ParseFromString(Aggregate("GetSum", Column("d"), "r0", kDouble)->first_part(0)));
  EXPECT_EQ(sum.double_msg(), 1.25);
  ASSERT_TRUE(sum.ParseFromString(Aggregate("GetMin", Column("d"), "r0", kDouble)->first_part(0)));
  EXPECT_EQ(sum.double_msg(), -0.25);

  using namespace std::literals;
  ASSERT_TRUE(Put("t", "r0", "\0\0\0\1\x0f"s, "f:b").ok());      // 1.5
  ASSERT_TRUE(Put("t", "r1", "\0\0\0\3\x03\xe9"s, "f:b").ok());  // 1.001
  pb::BigDecimalMsg decimal;
  ASSERT_TRUE(decimal.ParseFromString(Aggregate("GetSum", Column("b"), "r0", kBigDecimal)->first_part(0)));
  EXPECT_EQ(decimal.bigdecimal_msg(), "\0\0\0\2\0\xfa"s) << "2.50: each value has two digits";
  ASSERT_TRUE(decimal.ParseFromString(Aggregate("GetMedian", Column("b"), "r0", kBigDecimal)->first_part(1)));
  EXPECT_EQ(decimal.bigdecimal_msg(), "\0\0\1\x45\x31"s);
  ASSERT_TRUE(Put("t", "r2", "abc", "f:b").ok());
  EXPECT_THAT(Aggregate("GetSum", Column("b"), "r0", kBigDecimal).status(),
              FailsWith(ErrorKind::kDoNotRetryIO, HasSubstr("not a BigDecimal")));
}

TEST_F(EndpointsTest, WhatIsNotThereIsSaid) {
  EXPECT_THAT(Aggregate("GetSum", Column("q"), "r0", "com.example.Mine").status(),
              FailsWith(ErrorKind::kDoNotRetryIO, "java.lang.ClassNotFoundException: com.example.Mine"));
  EXPECT_THAT(Aggregate("GetSum", {}).status(), FailsWith(ErrorKind::kDoNotRetryIO, HasSubstr("a family")));
  EXPECT_THAT(Aggregate("GetMode", Column("q")).status(),
              FailsWith(ErrorKind::kUnknownProtocol,
                        HasSubstr("Unknown method GetMode called on service hbase.pb.AggregateService in region t,,")));
  // Tables without the coprocessor have no such service, but for the server's own settings.
  ASSERT_TRUE(Create("u").ok());
  const auto count = [this] {
    return Ask<pb::CountResponse>("RowCountService", "getRowCount", pb::CountRequest(), "r0", "u").status();
  };
  EXPECT_THAT(count(), FailsWith(ErrorKind::kUnknownProtocol, HasSubstr("found for RowCountService in region u,,")));
  options_.user_region_coprocessors = "com.example.A,org.apache.hadoop.hbase.coprocessor.example.RowCountEndpoint";
  EXPECT_TRUE(count().ok());
}

TEST_F(EndpointsTest, RowsAndCellsAreCounted) {
  ASSERT_TRUE(Put("t", "r1", "v", "f:another").ok());
  EXPECT_EQ(Ask<pb::CountResponse>("RowCountService", "getRowCount", pb::CountRequest())->count(), 5);
  EXPECT_EQ(Ask<pb::CountResponse>("RowCountService", "getKeyValueCount", pb::CountRequest())->count(), 6);
}

TEST_F(EndpointsTest, ABulkDeleteTakesWhatItsScanFinds) {
  pb::BulkDeleteRequest request;
  const auto remove = [&](const Scan& scan, pb::BulkDeleteRequest::DeleteType type) {
    request.Clear();
    EncodeScan(scan, request.mutable_scan());
    request.set_deletetype(type);
    request.set_rowbatchsize(2);
    auto response = Ask<pb::BulkDeleteResponse>("BulkDeleteService", "delete", request);
    EXPECT_TRUE(response.ok()) << response.status();
    return *response;
  };
  Scan rows;
  rows.rows = {"r1", "r4"};
  EXPECT_EQ(remove(rows, pb::BulkDeleteRequest::ROW).rowsdeleted(), 3u);
  EXPECT_EQ(Rows("t").size(), 7u);

  ASSERT_TRUE(Put("t", "r0", "v", "f:a").ok());
  ASSERT_TRUE(Put("t", "r0", "v", "f:b").ok());
  EXPECT_EQ(remove(Column("a"), pb::BulkDeleteRequest::COLUMN).rowsdeleted(), 1u);
  EXPECT_THAT(Rows("t"), ::testing::Contains("r0=v")) << "f:b";
  const pb::BulkDeleteResponse versions = remove(Column("b"), pb::BulkDeleteRequest::VERSION);
  EXPECT_EQ(versions.rowsdeleted(), 1u);
  EXPECT_EQ(versions.versionsdeleted(), 1u);
  EXPECT_THAT(Rows("t"), ::testing::Not(::testing::Contains("r0=v")));
  EXPECT_EQ(remove({}, pb::BulkDeleteRequest::FAMILY).rowsdeleted(), 2u) << "r0, r4";
  EXPECT_EQ(Rows("t").size(), 5u) << "those of the other region";

  request.set_rowbatchsize(0);
  EXPECT_THAT(Ask<pb::BulkDeleteResponse>("BulkDeleteService", "delete", request).status(),
              FailsWith(ErrorKind::kDoNotRetryIO, HasSubstr("rowBatchSize must be positive")));
}

TEST_F(EndpointsTest, ABulkDeleteTakesMoreThanABatchAtOnce) {
  std::vector<Action> puts;
  for (int i = 0; i < 10'500; ++i) {
    puts.emplace_back(vaquita::testing::MakePut("r1-" + std::to_string(i), "f:q", "v"));
  }
  for (const ActionOutcome& outcome : region_server().Batch(RegionOf("t", "r1"), puts)) {
    ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  }
  pb::BulkDeleteRequest request;
  EncodeScan({}, request.mutable_scan());
  request.set_deletetype(pb::BulkDeleteRequest::ROW);
  request.set_rowbatchsize(std::numeric_limits<uint32_t>::max());
  const auto response = Ask<pb::BulkDeleteResponse>("BulkDeleteService", "delete", request);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->rowsdeleted(), 10'505u);
  EXPECT_EQ(Rows("t").size(), 5u) << "those of the other region";
}

TEST_F(EndpointsTest, ABulkDeleteThatCannotWriteFails) {
  pb::BulkDeleteRequest request;
  EncodeScan({}, request.mutable_scan());
  request.set_deletetype(pb::BulkDeleteRequest::ROW);
  request.set_rowbatchsize(10);
  const auto remove = [&] { return Ask<pb::BulkDeleteResponse>("BulkDeleteService", "delete", request).status(); };
  options_.row_lock_wait_ms = 10;
  {
    PutGroup other(&region_server());
    ASSERT_TRUE(*other.Add(RegionOf("t", "r1"), vaquita::testing::MakePut("r1", "f:q", "v"), {}));
    EXPECT_THAT(remove(), FailsWith(ErrorKind::kIO, HasSubstr("Timed out waiting for lock for row: r1")));
  }
  TableDescriptor table = Descriptor("t");
  ASSERT_TRUE(table.Set("coprocessor$1", "|org.apache.hadoop.hbase.coprocessor.example.BulkDeleteEndpoint||").ok());
  table.read_only = true;
  ASSERT_TRUE(Finish(master().ModifyTableAsync(table)).ok());
  EXPECT_THAT(remove(), FailsWith(ErrorKind::kDoNotRetryIO, HasSubstr("region is read only")));
  EXPECT_EQ(Rows("t").size(), 10u);
}

TEST_F(EndpointsTest, ATableWithAnUnknownCoprocessorIsRefused) {
  TableDescriptor table = Descriptor("v");
  ASSERT_TRUE(table.Set("coprocessor$1", "|com.example.Nope|7|").ok());
  const auto create = [&] { return Finish(master().CreateTableAsync(table, {})); };
  const auto refused = FailsWith(ErrorKind::kDoNotRetryIO, HasSubstr("Class com.example.Nope cannot be loaded Set "));
  EXPECT_THAT(create(), refused);
  TableDescriptor altered = Descriptor("t");
  ASSERT_TRUE(altered.Set("coprocessor$1", "|com.example.Nope|7|").ok());
  EXPECT_THAT(Finish(master().ModifyTableAsync(altered)), refused);
  options_.ignore_unknown_coprocessors = true;
  EXPECT_TRUE(create().ok());
  options_.ignore_unknown_coprocessors = false;
  table.name = Name("w");
  ASSERT_TRUE(table.Set("hbase.table.sanity.checks", "false").ok());
  EXPECT_TRUE(create().ok());
}

}  // namespace
}  // namespace vaquita::hbase
