// tests/process/query_driver.h: asks a query server as Phoenix's thin driver does, by an HTTP client that is not ours.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "avatica/avatica.pb.h"
#include "httplib.h"

namespace vaquita {

// A driver's connection.
class Driver {
 public:
  // `user` and `password`: as authentication=BASIC sends them; no user: none are sent.
  explicit Driver(const std::string& address, std::string id = "driver", const std::string& user = "",
                  const std::string& password = "")
      : id_(std::move(id)), http_("http://" + address) {
    http_.set_keep_alive(true);
    if (!user.empty()) http_.set_basic_auth(user, password);
    http_.set_read_timeout(std::chrono::minutes(1));  // its 5 seconds are short on a busy machine
    Open();
  }

  void Open() {
    avatica::OpenConnectionRequest open;
    open.set_connection_id(id_);
    Ask<avatica::OpenConnectionResponse>("OpenConnection", open);
  }

  // An error is a test's failure.
  template <typename Response, typename Request>
  Response Ask(const std::string& name, const Request& request) {
    Response response;
    avatica::WireMessage wire;
    const httplib::Result answer = http_.Post("/", MessageOf(name, request), "application/octet-stream");
    EXPECT_TRUE(answer) << name << ": " << httplib::to_string(answer.error());
    if (!answer) return response;
    EXPECT_TRUE(wire.ParseFromString(answer->body));
    EXPECT_EQ(answer->status, 200) << name << ": " << wire.wrapped_message();
    EXPECT_TRUE(answer->status != 200 || response.ParseFromString(wire.wrapped_message()));
    return response;
  }

  // Returns a request's bytes.
  template <typename Request>
  static std::string MessageOf(const std::string& name, const Request& request) {
    avatica::WireMessage wire;
    wire.set_name("org.apache.calcite.avatica.proto.Requests$" + name + "Request");
    wire.set_wrapped_message(request.SerializeAsString());
    return wire.SerializeAsString();
  }
  // Returns the error of a request, which must fail: "code 1, " and its exceptions.
  template <typename Request>
  std::string ErrorOf(const std::string& name, const Request& request) {
    avatica::WireMessage wire;
    avatica::ErrorResponse error;
    const httplib::Result answer = http_.Post("/", MessageOf(name, request), "application/octet-stream");
    EXPECT_TRUE(answer) << name << ": " << httplib::to_string(answer.error());
    if (!answer) return "";
    EXPECT_EQ(answer->status, 500);
    EXPECT_TRUE(wire.ParseFromString(answer->body) && error.ParseFromString(wire.wrapped_message()));
    std::string text = "code " + std::to_string(error.error_code()) + ",";
    for (const std::string& exception : error.exceptions()) text += " " + exception;
    return text;
  }

  void SetAutoCommit(bool on) {
    avatica::ConnectionSyncRequest sync;
    sync.set_connection_id(id_);
    sync.mutable_conn_props()->set_has_auto_commit(true);
    sync.mutable_conn_props()->set_auto_commit(on);
    Ask<avatica::ConnectionSyncResponse>("ConnectionSync", sync);
  }
  // Returns the rows, each as its texts with | between them.
  std::vector<std::string> Run(const std::string& sql) { return Run(sql, MakeStatement()); }
  // Returns the rows of the first frame.
  std::vector<std::string> Run(const std::string& sql, uint32_t statement) {
    avatica::PrepareAndExecuteRequest run;
    run.set_connection_id(id_);
    run.set_statement_id(statement);
    run.set_sql(sql);
    run.set_max_rows_total(-1);
    const auto answer = Ask<avatica::ExecuteResponse>("PrepareAndExecute", run);
    return answer.results_size() == 1 ? RowsOf(answer.results(0).first_frame()) : std::vector<std::string>();
  }
  uint32_t MakeStatement() {
    avatica::CreateStatementRequest create;
    create.set_connection_id(id_);
    return Ask<avatica::CreateStatementResponse>("CreateStatement", create).statement_id();
  }
  avatica::StatementHandle Prepare(const std::string& sql) {
    avatica::PrepareRequest prepare;
    prepare.set_connection_id(id_);
    prepare.set_sql(sql);
    prepare.set_max_rows_total(-1);
    return Ask<avatica::PrepareResponse>("Prepare", prepare).statement();
  }
  // Returns what the driver is told of a statement that fails.
  std::string Fail(const std::string& sql) {
    avatica::CreateStatementRequest create;
    create.set_connection_id(id_);
    avatica::PrepareAndExecuteRequest run;
    run.set_connection_id(id_);
    run.set_statement_id(Ask<avatica::CreateStatementResponse>("CreateStatement", create).statement_id());
    run.set_sql(sql);
    avatica::WireMessage wire;
    wire.set_name("org.apache.calcite.avatica.proto.Requests$PrepareAndExecuteRequest");
    wire.set_wrapped_message(run.SerializeAsString());
    const httplib::Result answer = http_.Post("/", wire.SerializeAsString(), "application/octet-stream");
    EXPECT_TRUE(answer && answer->status == 500) << sql;
    return answer ? answer->body : "";
  }
  // Sends a statement on which the server dies.
  void RunToTheEnd(const std::string& sql) {
    avatica::PrepareAndExecuteRequest run;
    run.set_connection_id(id_);
    run.set_statement_id(MakeStatement());
    run.set_sql(sql);
    EXPECT_FALSE(http_.Post("/", MessageOf("PrepareAndExecute", run), "application/octet-stream")) << sql;
  }
  // Makes a table, and reads the row that it writes.
  void UseTable() {
    SetAutoCommit(true);
    Run("CREATE TABLE T (ID VARCHAR PRIMARY KEY, V VARCHAR)");
    Run("UPSERT INTO T VALUES ('k', 'v')");
    EXPECT_EQ(Run("SELECT ID, V FROM T"), std::vector<std::string>{"k|v"});
  }

  static std::vector<std::string> RowsOf(const avatica::Frame& frame) {
    std::vector<std::string> rows;
    for (const std::string& bytes : frame.rows()) {
      avatica::Row row;
      EXPECT_TRUE(row.ParseFromString(bytes));
      std::string& text = rows.emplace_back();
      for (const avatica::ColumnValue& value : row.value()) {
        text += (text.empty() ? "" : "|") + value.scalar_value().string_value();
      }
    }
    return rows;
  }

 private:
  const std::string id_;
  httplib::Client http_;
};

}  // namespace vaquita
