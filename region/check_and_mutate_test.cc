#include "region/check_and_mutate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace vaquita::testing;  // NOLINT

class CheckAndMutateTest : public RegionHarness {
 protected:
  void SetUp() override {
    region_ = OpenRegion(MakeTable({MakeFamily("f", 3)}));
    Apply(region_.get(), MakePut("r", "f:q", "m", 5));
    Apply(region_.get(), MakePut("r", "f:empty", "", 5));
  }

  static CheckAndMutate Check(std::string_view qualifier, CompareOp op, std::string_view value) {
    CheckAndMutate check;
    check.row = "r";
    check.family = "f";
    check.qualifier = qualifier;
    check.op = op;
    if (!value.empty()) check.comparator = ComparatorSpec{.bytes = std::string(value)};
    check.mutations = {MakePut("r", "f:done", "yes")};
    return check;
  }
  bool Holds(const CheckAndMutate& check) {
    auto result = region_->CheckAndMutate(check);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() && result->processed;
  }
  bool Holds(std::string_view qualifier, CompareOp op, std::string_view value) {
    return Holds(Check(qualifier, op, value));
  }

  std::shared_ptr<Region> region_;
};

TEST_F(CheckAndMutateTest, ComparesByTheGivenComparator) {
  CheckAndMutate check = Check("q", CompareOp::kEqual, "^[l-n]$");
  EXPECT_FALSE(Holds(check));
  check.comparator->type = ComparatorSpec::Type::kRegex;
  EXPECT_TRUE(Holds(check));
  check.comparator = {ComparatorSpec::Type::kSubstring, "M"};
  EXPECT_TRUE(Holds(check));
  check.comparator = {ComparatorSpec::Type::kLong, std::string(8, 'm')};
  EXPECT_TRUE(IsError(region_->CheckAndMutate(check).status(), ErrorKind::kDoNotRetryIO)) << "the cell is no number";
  check.comparator = {ComparatorSpec::Type::kRegex, "("};
  EXPECT_TRUE(IsError(region_->CheckAndMutate(check).status(), ErrorKind::kDoNotRetryIO));
}

// Neither "it holds" nor "it does not": the mutations do not run, and the client is told.
TEST_F(CheckAndMutateTest, ARegularExpressionThatDoesNotEndIsAnError) {
  Apply(region_.get(), MakePut("r", "f:q", std::string(28, 'a') + "!a"));
  CheckAndMutate check = Check("q", CompareOp::kNotEqual, "(a+)+$");
  check.comparator->type = ComparatorSpec::Type::kRegex;
  const auto expect_error = [&] {
    const absl::Status error = region_->CheckAndMutate(check).status();
    EXPECT_TRUE(IsError(error, ErrorKind::kDoNotRetryIO)) << error;
    EXPECT_THAT(error.ToString(), HasSubstr("(a+)+$"));
    EXPECT_TRUE(IsError(region_->MutateRows(check.mutations, {&check, 1}).status(), ErrorKind::kDoNotRetryIO));
    EXPECT_THAT(GetTexts(region_.get(), "r"), ::testing::Not(::testing::Contains(HasSubstr("f:done"))));
  };
  expect_error();
  check.filter = FilterSpec{CompareFilterSpec{
      .what = CompareFilterSpec::What::kValue, .op = CompareOp::kNotEqual, .comparator = *check.comparator}};
  check.comparator.reset();
  expect_error();
}

// The given value stands on the left: "l" is less than the cell's "m".
TEST_F(CheckAndMutateTest, TheGivenValueIsComparedWithTheCells) {
  struct Row {
    CompareOp op;
    bool l, m, n;
  };
  for (const Row& row :
       {Row{CompareOp::kLess, true, false, false}, Row{CompareOp::kLessOrEqual, true, true, false},
        Row{CompareOp::kEqual, false, true, false}, Row{CompareOp::kNotEqual, true, false, true},
        Row{CompareOp::kGreaterOrEqual, false, true, true}, Row{CompareOp::kGreater, false, false, true}}) {
    EXPECT_EQ(Holds("q", row.op, "l"), row.l) << static_cast<int>(row.op);
    EXPECT_EQ(Holds("q", row.op, "m"), row.m) << static_cast<int>(row.op);
    EXPECT_EQ(Holds("q", row.op, "n"), row.n) << static_cast<int>(row.op);
    EXPECT_FALSE(Holds("absent", row.op, "m")) << "a value never matches an absent cell";
  }
}

TEST_F(CheckAndMutateTest, NoValueMeansAbsentOrEmpty) {
  for (CompareOp op : {CompareOp::kEqual, CompareOp::kLess, CompareOp::kGreaterOrEqual}) {
    EXPECT_TRUE(Holds("absent", op, ""));
    EXPECT_TRUE(Holds("empty", op, ""));
    EXPECT_FALSE(Holds("q", op, ""));
  }
  EXPECT_FALSE(Holds("absent", CompareOp::kNotEqual, ""));
  EXPECT_FALSE(Holds("empty", CompareOp::kNotEqual, ""));
  EXPECT_TRUE(Holds("q", CompareOp::kNotEqual, ""));
}

TEST_F(CheckAndMutateTest, NothingIsWrittenUnlessTheConditionHolds) {
  EXPECT_FALSE(Holds("q", CompareOp::kEqual, "other"));
  Get get;
  get.row = "r";
  get.columns["f"] = {"done"};
  EXPECT_THAT(GetTexts(region_.get(), get), ElementsAre());
  EXPECT_TRUE(Holds("q", CompareOp::kEqual, "m"));
  EXPECT_THAT(GetTexts(region_.get(), get), ElementsAre("r f:done @1000 yes"));
}

TEST_F(CheckAndMutateTest, APutIsNotHiddenByTheCellThatWasCompared) {
  Apply(region_.get(), MakePut("r", "f:q", "future", 9000));
  CheckAndMutate check = Check("q", CompareOp::kEqual, "future");
  check.mutations = {MakePut("r", "f:q", "new")};
  EXPECT_TRUE(Holds(check));
  Get get;
  get.row = "r";
  get.columns["f"] = {"q"};
  EXPECT_THAT(GetTexts(region_.get(), get), ElementsAre("r f:q @9000 new"));
}

TEST_F(CheckAndMutateTest, TheTimeRangeSaysWhichVersionIsCompared) {
  Apply(region_.get(), MakePut("r", "f:q", "later", 8));
  CheckAndMutate check = Check("q", CompareOp::kEqual, "m");
  EXPECT_FALSE(Holds(check));
  check.time_range = {0, 6};
  EXPECT_TRUE(Holds(check));
}

TEST_F(CheckAndMutateTest, AFilterMatchesIfItLetsACellThrough) {
  CheckAndMutate check = Check("", CompareOp::kEqual, "");
  check.filter = FilterSpec{SingleColumnValueFilterSpec{.family = "f",
                                                        .qualifier = "q",
                                                        .op = CompareOp::kEqual,
                                                        .comparator = {.bytes = "m"},
                                                        .filter_if_missing = true}};
  EXPECT_TRUE(Holds(check));
  std::get<SingleColumnValueFilterSpec>(check.filter->kind).comparator.bytes = "other";
  EXPECT_FALSE(Holds(check));
}

TEST_F(CheckAndMutateTest, AnyMutationsMayFollow) {
  CheckAndMutate check = Check("q", CompareOp::kEqual, "m");
  check.mutations = {MakeDelete("r", "f:q", CellType::kDeleteColumn),
                     MakeMutation(MutationType::kIncrement, "r", {MakeCell("f:n", LongBytes(3))}),
                     MakeMutation(MutationType::kAppend, "r", {MakeCell("f:s", "x")})};
  auto result = region_->CheckAndMutate(check);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->processed);
  EXPECT_THAT(Texts(result->cells), ElementsAre("r f:n @1000 " + ToStringBinary(LongBytes(3)), "r f:s @1000 x"));
  EXPECT_FALSE(Holds(check)) << "f:q is gone";
}

TEST_F(CheckAndMutateTest, BadRequestsAreRefused) {
  CheckAndMutate check = Check("q", CompareOp::kEqual, "m");
  check.family = "x";
  EXPECT_TRUE(IsError(region_->CheckAndMutate(check).status(), ErrorKind::kNoSuchColumnFamily));
  check = Check("q", CompareOp::kEqual, "m");
  check.mutations[0].cells[0].family = "x";
  EXPECT_TRUE(IsError(region_->CheckAndMutate(check).status(), ErrorKind::kNoSuchColumnFamily));
  check.op = CompareOp::kNotEqual;
  EXPECT_FALSE(Holds(check)) << "as HBase: what is not done is not checked";
  check = Check("q", CompareOp::kEqual, "m");
  check.mutations[0].row = "other";
  EXPECT_THAT(region_->CheckAndMutate(check).status().ToString(), HasSubstr("Action's getRow must match"));
  EXPECT_THAT(region_->CheckAndMutate(Check("q", CompareOp::kNoOp, "m")).status().ToString(),
              HasSubstr("Unknown Compare op NO_OP"));
  check.mutations.clear();
  EXPECT_TRUE(Holds(check)) << "as HBase: nothing to do is done";
}

TEST_F(CheckAndMutateTest, ConditionsOfSeveralRowsAreOnRows) {
  CheckAndMutate check = Check("q", CompareOp::kEqual, "m");
  check.row = "";
  const auto refusal = [&] { return region_->MutateRows(check.mutations, {&check, 1}).status(); };
  EXPECT_TRUE(IsError(refusal(), ErrorKind::kIllegalArgument)) << refusal();
  EXPECT_THAT(refusal().ToString(), HasSubstr("Row length is 0"));
  check.row = std::string(kMaxRowLength + 1, 'r');
  EXPECT_THAT(refusal().ToString(), HasSubstr("Row length 32768 is > 32767"));
  EXPECT_THAT(GetTexts(region_.get(), "r"), ElementsAre("r f:empty @5 ", "r f:q @5 m"));
}

}  // namespace
}  // namespace vaquita
