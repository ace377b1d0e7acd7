// Nulls in sorted rows, the time of a statement, and defaults of rows that are not written yet.
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "client/testing/test_cluster.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_text.h"
#include "sql/engine/session.h"

namespace vaquita::sql {
namespace {

class SortedRowsTest : public client::testing::TestCluster {
 protected:
  void SetUp() override {
    TestCluster::SetUp();
    session_ = std::make_unique<Session>(connection_);
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

// Phoenix has nulls first in both directions, also those of rows that an outer join does not find.
TEST_F(SortedRowsTest, NullsOfOuterJoinsAndUnionsComeFirst) {
  RowsOf("CREATE TABLE L (ID INTEGER PRIMARY KEY)");
  RowsOf("CREATE TABLE R (ID INTEGER PRIMARY KEY, V INTEGER)");
  for (int i = 1; i <= 3; ++i) RowsOf(Concat("UPSERT INTO L VALUES (", i, ")"));
  RowsOf("UPSERT INTO R VALUES (2, 5)");
  EXPECT_EQ(RowsOf("SELECT R.ID FROM L LEFT JOIN R ON L.ID = R.ID ORDER BY R.ID DESC"), "null; null; 2");
  EXPECT_EQ(RowsOf("SELECT R.ID FROM R RIGHT JOIN L ON L.ID = R.ID ORDER BY R.ID DESC"), "null; null; 2");
  EXPECT_EQ(RowsOf("SELECT L.ID FROM L LEFT JOIN R ON L.ID = R.ID ORDER BY L.ID DESC"), "3; 2; 1");
  EXPECT_EQ(RowsOf("SELECT ID FROM R UNION ALL SELECT V FROM R UNION ALL SELECT CAST(NULL AS INTEGER) FROM R"
                   " ORDER BY 1 DESC"),
            "null; 5; 2");
}

TEST_F(SortedRowsTest, AStatementHasOneTime) {
  RowsOf("CREATE TABLE T (ID INTEGER PRIMARY KEY)");
  for (int i = 0; i < 20; ++i) RowsOf(Concat("UPSERT INTO T VALUES (", i, ")"));
  EXPECT_EQ(RowsOf("SELECT COUNT(*), COUNT(DISTINCT NOW()), COUNT(DISTINCT CURRENT_TIME()) FROM T, T U, T V"),
            "8000 1 1");
}

// A row that a statement of the commit makes has its columns' defaults.
TEST_F(SortedRowsTest, OnDuplicateKeyReadsDefaults) {
  RowsOf("CREATE TABLE T (ID VARCHAR PRIMARY KEY, N BIGINT DEFAULT 5)");
  session_->SetAutoCommit(false);
  for (int i = 0; i < 2; ++i) RowsOf("UPSERT INTO T (ID) VALUES ('a') ON DUPLICATE KEY UPDATE N = N + 1");
  ASSERT_TRUE(session_->Commit().ok());
  EXPECT_EQ(RowsOf("SELECT N FROM T"), "6");
}

}  // namespace
}  // namespace vaquita::sql
