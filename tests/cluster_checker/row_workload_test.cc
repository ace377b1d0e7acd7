#include "tests/cluster_checker/row_workload.h"

#include <gtest/gtest.h>

#include "tests/cluster_checker/map_table.h"

namespace vaquita::checker {
namespace {

constexpr int kEnoughGets = 20;

class RowWorkloadTest : public ::testing::Test {
 protected:
  // Returns whether a writer that gets its rows finds `wrong` in an answer.
  bool GetFinds(const std::function<void(client::Result*)>& wrong) {
    int gets = 0;
    table_.on_get = [&](client::Result* result) {
      if (++gets == kEnoughGets) run_.stop.Set();
      wrong(result);
    };
    workload_.RunWriter(table_, 0);
    return run_.failed();
  }
  bool ScanFinds(const std::function<void(std::vector<client::Result>*)>& wrong) {
    GetFinds([](client::Result*) {});
    EXPECT_FALSE(run_.failed());
    table_.on_scan = wrong;
    workload_.ScanAll(table_);
    return run_.failed();
  }

  checker::Run run_{1};
  RowWorkload workload_{&run_, /*most_rows=*/3};
  MapTable table_;
};

TEST_F(RowWorkloadTest, RightAnswersPass) {
  EXPECT_FALSE(ScanFinds([](auto*) {}));
  workload_.ScanAll(table_, /*reversed=*/true);
  EXPECT_FALSE(run_.failed());
}

TEST_F(RowWorkloadTest, AGetOfAnotherRowIsFound) {
  EXPECT_TRUE(GetFinds([](client::Result* result) {
    for (Cell& cell : result->cells) {
      cell.row = "00000000-other";
      cell.value = "value of 00000000-other";
    }
  }));
}

TEST_F(RowWorkloadTest, TwoCellsOfOneFamilyAreFound) {
  EXPECT_TRUE(GetFinds([](client::Result* result) { result->cells[1] = result->cells[0]; }));
}

TEST_F(RowWorkloadTest, FamiliesInTheWrongOrderAreFound) {
  EXPECT_TRUE(GetFinds([](client::Result* result) { std::swap(result->cells[0], result->cells[1]); }));
}

TEST_F(RowWorkloadTest, AnotherQualifierIsFound) {
  EXPECT_TRUE(GetFinds([](client::Result* result) { result->cells[1].qualifier = "other"; }));
}

TEST_F(RowWorkloadTest, AMissingCellIsFound) {
  EXPECT_TRUE(GetFinds([](client::Result* result) { result->cells.pop_back(); }));
}

TEST_F(RowWorkloadTest, AMissingRowIsFound) {
  EXPECT_TRUE(GetFinds([](client::Result* result) { result->cells.clear(); }));
}

TEST_F(RowWorkloadTest, AResultOfAScanWithoutCellsIsFound) {
  EXPECT_TRUE(
      ScanFinds([](std::vector<client::Result>* results) { results->insert(results->begin(), client::Result()); }));
}

}  // namespace
}  // namespace vaquita::checker
