// sql/engine/testing/rows_fixture.h: runs statements in a session over a small cluster, for tests. Threads: one.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "client/testing/test_cluster.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_text.h"
#include "sql/engine/session.h"

namespace vaquita::sql {

class RowsFixture : public client::testing::TestCluster {
 protected:
  void SetUp() override {
    TestCluster::SetUp();
    session_ = std::make_unique<Session>(connection_);
  }

  // Returns "error 206 22003 the message".
  static std::string ErrorTextOf(const absl::Status& status) {
    const SqlErrorInfo info = ErrorInfoOf(status);
    return Concat("error ", info.code, " ", info.state, " ", StdText(status.message()));
  }

  // Runs a statement. Returns a query's rows: "1 a; 2 null".
  std::string RowsOf(std::string_view text) {
    const auto statement = session_->Prepare(text);
    if (!statement.ok()) return statement.status().ToString();
    const auto count = (*statement)->Execute({});
    if (!count.ok() || !(*statement)->is_query()) return count.status().ToString();
    std::vector<std::string> rows;
    for (;;) {
      const auto row = (*statement)->Next();
      if (!row.ok()) return row.status().ToString();
      if (!row->has_value()) return absl::StrJoin(rows, "; ");
      std::vector<std::string> values;
      for (size_t i = 0; i < (*row)->size(); ++i)
        values.push_back(JavaText((*statement)->columns()[i].type, (**row)[i]));
      rows.push_back(absl::StrJoin(values, " "));
    }
  }

  std::unique_ptr<Session> session_;
};

}  // namespace vaquita::sql
