#include "tools/workshop/table_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "client/testing/test_cluster.h"

namespace vaquita::workshop {
namespace {

using ::testing::HasSubstr;

class ReadTableTest : public client::testing::TestCluster {
 protected:
  std::string Refusal(const TableBounds& most) {
    return std::string(ReadTable(connection_.get(), "t", /*raw=*/false, most).status().message());
  }
};

TEST_F(ReadTableTest, ATableIsNotReadBeyondItsBounds) {
  Fill(*Create("t"), 0, 2);  // of 14 bytes each
  EXPECT_EQ(Refusal({.cells = 2}), "");
  EXPECT_THAT(Refusal({.cells = 1}), HasSubstr("table 't' is too large to check: it has more than 1 cells"));
  EXPECT_THAT(Refusal({.bytes = 20}), HasSubstr("or 20 bytes"));
}

}  // namespace
}  // namespace vaquita::workshop
