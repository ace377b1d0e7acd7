// sql/avatica/testing/service_fixture.h: asks a query server's service as a driver does, for tests. Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "avatica/avatica.pb.h"
#include "base/clock.h"
#include "client/testing/test_cluster.h"
#include "gtest/gtest.h"
#include "sql/avatica/service.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {

class ServiceFixture : public client::testing::TestCluster {
 protected:
  static constexpr std::string_view kPackage = "org.apache.calcite.avatica.proto.";

  // Returns a value in short: "5".
  static std::string TextOf(const avatica::TypedValue& value) {
    if (value.null()) return "null";
    switch (value.type()) {
      case avatica::STRING:
      case avatica::BIG_DECIMAL:
        return value.string_value();
      case avatica::BOOLEAN:
        return value.bool_value() ? "true" : "false";
      case avatica::DOUBLE:
        return Concat(value.double_value());
      case avatica::BYTE_STRING:
        return "x" + Hex(value.bytes_value());
      default:
        return Concat(value.number_value());
    }
  }

  static std::vector<std::string> TextsOf(const avatica::Frame& frame) {
    std::vector<std::string> rows;
    for (const std::string& bytes : frame.rows()) {
      avatica::Row row;
      EXPECT_TRUE(row.ParseFromString(bytes));
      std::string text;
      for (const avatica::ColumnValue& value : row.value()) {
        AppendText(&text, text.empty() ? "" : "|", TextOf(value.scalar_value()));
      }
      rows.push_back(std::move(text));
    }
    return rows;
  }

  static avatica::TypedValue Text(const std::string& text) {
    avatica::TypedValue value;
    value.set_type(avatica::STRING);
    value.set_string_value(text);
    return value;
  }

  static avatica::TypedValue Number(int64_t number, avatica::Rep rep = avatica::LONG) {
    avatica::TypedValue value;
    value.set_type(rep);
    value.set_number_value(number);
    return value;
  }

  void SetUp() override {
    TestCluster::SetUp();
    Start({});
    Open("c");
  }

  void Start(ServiceOptions options) {
    options.connect = [this] {
      if (connect_throws_) throw std::length_error("a length");
      ++opened_;
      return absl::StatusOr<std::shared_ptr<client::Connection>>(connection_);
    };
    options.clock = &clock_;
    service_ = Service::Create(std::move(options));
  }

  // Sends a request. The answer must be a Response, or an error, which is left in error_.
  template <typename Response, typename Request>
  Response Ask(const Request& request) {
    const std::string type = request.GetTypeName();
    avatica::WireMessage wire;
    wire.set_name(Concat(kPackage, "Requests$", type.substr(type.rfind('.') + 1)));
    request.SerializeToString(wire.mutable_wrapped_message());
    const ServiceAnswer answer = service_->Handle(wire.SerializeAsString(), gone_);
    Response response;
    error_ = {};
    EXPECT_TRUE(wire.ParseFromString(answer.body));
    if (!answer.ok) {
      EXPECT_EQ(wire.name(), Concat(kPackage, "Responses$ErrorResponse"));
      EXPECT_TRUE(error_.ParseFromString(wire.wrapped_message()));
      return response;
    }
    const std::string name = response.GetTypeName();
    EXPECT_EQ(wire.name(), Concat(kPackage, "Responses$", name.substr(name.rfind('.') + 1)));
    EXPECT_TRUE(response.ParseFromString(wire.wrapped_message()));
    return response;
  }

  void Open(const std::string& id) {
    avatica::OpenConnectionRequest request;
    request.set_connection_id(id);
    Ask<avatica::OpenConnectionResponse>(request);
    avatica::ConnectionSyncRequest sync;
    sync.set_connection_id(id);
    sync.mutable_conn_props()->set_has_auto_commit(true);
    sync.mutable_conn_props()->set_auto_commit(true);
    Ask<avatica::ConnectionSyncResponse>(sync);
  }
  uint32_t MakeStatement() {
    avatica::CreateStatementRequest request;
    request.set_connection_id("c");
    return Ask<avatica::CreateStatementResponse>(request).statement_id();
  }
  avatica::ResultSetResponse Run(const std::string& sql, uint32_t statement, int32_t frame_rows = -1,
                                 int64_t most_rows = -1) {
    avatica::PrepareAndExecuteRequest request;
    request.set_connection_id("c");
    request.set_sql(sql);
    request.set_statement_id(statement);
    request.set_max_rows_total(most_rows);
    request.set_first_frame_max_size(frame_rows);
    const auto response = Ask<avatica::ExecuteResponse>(request);
    missing_ = response.missing_statement();
    return response.results_size() == 1 ? response.results(0) : avatica::ResultSetResponse();
  }
  avatica::ResultSetResponse Run(const std::string& sql) { return Run(sql, MakeStatement()); }
  avatica::FetchResponse Fetch(uint32_t statement, uint64_t offset, int32_t rows) {
    avatica::FetchRequest request;
    request.set_connection_id("c");
    request.set_statement_id(statement);
    request.set_offset(offset);
    request.set_frame_max_size(rows);
    return Ask<avatica::FetchResponse>(request);
  }
  avatica::StatementHandle Prepare(const std::string& sql) {
    avatica::PrepareRequest request;
    request.set_connection_id("c");
    request.set_sql(sql);
    request.set_max_rows_total(-1);
    return Ask<avatica::PrepareResponse>(request).statement();
  }
  avatica::ExecuteResponse Execute(const avatica::StatementHandle& statement,
                                   const std::vector<avatica::TypedValue>& values) {
    avatica::ExecuteRequest request;
    *request.mutable_statement_handle() = statement;
    for (const avatica::TypedValue& value : values) *request.add_parameter_values() = value;
    request.set_has_parameter_values(true);
    request.set_first_frame_max_size(100);
    return Ask<avatica::ExecuteResponse>(request);
  }
  std::string Error() const {
    return error_.error_code() == 0 ? ""
                                    : Concat(error_.error_code(), " ", error_.sql_state(), " ", error_.error_message());
  }

  ManualClock clock_{1'000'000};
  std::unique_ptr<Service> service_;
  ClientGone gone_;  // the next requests'
  avatica::ErrorResponse error_;
  bool missing_ = false;
  int opened_ = 0;
  bool connect_throws_ = false;
};

}  // namespace vaquita::sql
