#include "tests/cluster_checker/row_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vaquita::checker {
namespace {

using ::testing::HasSubstr;

class RowLedgerTest : public ::testing::Test {
 protected:
  void Put(const std::string& row) {
    ledger_.PutBegins(row);
    ledger_.PutEnds(row);
  }
  void Delete(const std::string& row) {
    ledger_.DeleteBegins(row);
    ledger_.DeleteEnds(row);
  }
  // A scan while nothing else happens: "" if it fits.
  std::string Scan(const std::vector<std::string>& rows, const RowRange& range = {}, bool reversed = false) {
    return std::string(RowLedger::Read(&ledger_).Check(range, rows, reversed).message());
  }

  RowLedger ledger_;
};

TEST_F(RowLedgerTest, AcknowledgedRowsMustComeInOrderAndOnce) {
  for (const char* row : {"c", "a", "b"}) Put(row);
  EXPECT_EQ(Scan({"a", "b", "c"}), "");
  EXPECT_EQ(Scan({"c", "b", "a"}, {}, /*reversed=*/true), "");
  EXPECT_EQ(Scan({"b"}, {"b", "c"}), "");
  EXPECT_THAT(Scan({"a", "c"}), HasSubstr("row b is missing"));
  EXPECT_THAT(Scan({"a", "b"}), HasSubstr("row c is missing"));
  EXPECT_THAT(Scan({"a", "b", "b", "c"}), HasSubstr("row b came twice"));
  EXPECT_THAT(Scan({"a", "c", "b"}), HasSubstr("row b came after c"));
  EXPECT_THAT(Scan({"c", "a", "b"}, {}, /*reversed=*/true), HasSubstr("row b came after a"));
  EXPECT_THAT(Scan({"a", "b"}, {"b", "c"}), HasSubstr("row a is outside of the scan"));
}

TEST_F(RowLedgerTest, NothingComesThatNobodyPut) {
  Put("b");
  for (const char* row : {"a", "bb", "c"}) {
    std::vector<std::string> rows = {"b", row};
    std::sort(rows.begin(), rows.end());
    EXPECT_THAT(Scan(rows), HasSubstr(std::string("row ") + row + " came, which nobody put"));
  }
}

TEST_F(RowLedgerTest, DeletedRowsStayGone) {
  Put("a");
  {
    RowLedger::Read during(&ledger_);
    Delete("a");
    EXPECT_TRUE(during.Check({}, {"a"}).ok());
    EXPECT_TRUE(during.Check({}, {}).ok());
    EXPECT_THAT(Scan({"a"}), HasSubstr("row a is deleted, and came"));
  }
  EXPECT_EQ(ledger_.size(), 1u);
  EXPECT_EQ(Scan({}), "");
  EXPECT_EQ(ledger_.size(), 0u) << "forgotten once no read can give it";
  EXPECT_THAT(Scan({"a"}), HasSubstr("row a came, which nobody put, or which was deleted long ago"));
}

TEST_F(RowLedgerTest, AFailedPutMayBeThereButThenStays) {
  ledger_.PutBegins("a");
  EXPECT_EQ(Scan({}), "");
  EXPECT_EQ(Scan({"a"}), "");
  EXPECT_THAT(Scan({}), HasSubstr("row a is missing"));
}

TEST_F(RowLedgerTest, AFailedDeleteMayBeDoneButThenForGood) {
  Put("a");
  ledger_.DeleteBegins("a");
  EXPECT_EQ(Scan({"a"}), "");
  RowLedger::Read keeps(&ledger_);  // a longer read may still return the row, so the ledger keeps it
  EXPECT_EQ(Scan({}), "");
  EXPECT_THAT(Scan({"a"}), HasSubstr("row a is deleted, and came"));
  EXPECT_TRUE(keeps.Check({}, {"a"}).ok());
}

TEST_F(RowLedgerTest, WhatBeginsDuringAReadMayComeOrNot) {
  RowLedger::Read read(&ledger_);
  Put("a");
  EXPECT_TRUE(read.Check({}, {}).ok());
  EXPECT_TRUE(read.Check({}, {"a"}).ok());
  EXPECT_THAT(Scan({}), HasSubstr("row a is missing"));
}

}  // namespace
}  // namespace vaquita::checker
