#include "sql/engine/function_tools.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "sql/engine/exception_guard.h"

namespace vaquita::sql {
namespace {

void Throw(sqlite3_context*, int, sqlite3_value**) { throw std::length_error("a length"); }
void ThrowAtEnd(sqlite3_context*) { throw std::length_error("an end"); }
int ThrowInCallback(sqlite3_vtab*) { throw std::bad_alloc(); }

TEST(FunctionToolsTest, AnExceptionIsAnError) {
  ASSERT_TRUE(CountSqliteMemory().ok());  // later queries of the process need it
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &database), SQLITE_OK);
  absl::Status error;
  FunctionHost host = {&error, [] { return absl::OkStatus(); }};
  ASSERT_EQ(RegisterFunction(database, &host, {"px_throw", 0, Throw}), SQLITE_OK);
  ASSERT_EQ(RegisterAggregate(database, &host, {"px_throw_all", 1, Throw, ThrowAtEnd}), SQLITE_OK);
  const auto run = [&](const char* text) {
    return sqlite3_exec(database, text, nullptr, nullptr, nullptr) == SQLITE_OK ? "" : sqlite3_errmsg(database);
  };
  EXPECT_STREQ(run("SELECT px_throw()"), "a length");
  EXPECT_STREQ(run("SELECT px_throw_all(1) WHERE 0"), "an end");
  EXPECT_STREQ(run("SELECT px_throw_all(1)"), "a length");
  EXPECT_STREQ(run("SELECT 1"), "");
  EXPECT_EQ(Guarded<ThrowInCallback>::Call(nullptr), SQLITE_NOMEM);
  sqlite3_close(database);
}

}  // namespace
}  // namespace vaquita::sql
