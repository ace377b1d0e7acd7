// Tests that options of the laboratory's verbs have bounds that keep their arithmetic within its types.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tools/lab/design_input.h"
#include "tools/lab/emulation_input.h"
#include "tools/lab/quantity.h"
#include "tools/lab/read_input.h"
#include "tools/lab/split_input.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

template <typename Value>
std::string ErrorOf(const absl::StatusOr<Value>& value) {
  return std::string(value.status().message());
}

TEST(LabBoundsTest, ARunHasAtMost62BitsOfRecordsAndReads) {
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(ErrorOf(RecordInput::Open({.generate = "id=sequence()", .rows = most})),
            "--rows 18446744073709551615: at most 4611686018427387904");
  EXPECT_TRUE(RecordInput::Open({.generate = "id=sequence()", .rows = kMostRunRows}).ok());
  EXPECT_EQ(ErrorOf(MakeReadLoad({.reads = most}, lab::Schema(), 1)),
            "--reads 18446744073709551615: at most 4611686018427387904");
}

TEST(LabBoundsTest, ATableHasAtMostAMillionRegions) {
  for (const char* method : {"partitions", "UniformSplit", "HexStringSplit", "decimal"}) {
    EXPECT_EQ(ErrorOf(MakeSplits({.method = method, .regions = 2'000'000'000}, nullptr, nullptr)),
              "--regions 2000000000: at most 1000000")
        << method;
  }
  EXPECT_EQ(MakeSplits({.method = "partitions", .regions = 1000}, nullptr, nullptr)->regions(), 1000);
}

TEST(LabBoundsTest, QuantitiesFitIntoWholeNumbers) {
  EXPECT_EQ(*ParseBytes("4000PB"), 4e18);
  EXPECT_THAT(ErrorOf(ParseBytes("99999999999999999999TB")), HasSubstr("is too large; at most 4611686018427387904"));
  EXPECT_THAT(ErrorOf(ParseBytes(std::string(400, '9'))), HasSubstr("is too large"));
  EXPECT_THAT(ErrorOf(ParseDuration("1000000000000000w")), HasSubstr("is too large"));
}

TEST(LabBoundsTest, AnAssignmentHasAValue) {
  EmulationInput input;
  for (const char* assignment : {"hbase.balancer.period=", "hbase.balancer.period", "=1"}) {
    input.assignments = {assignment};
    EXPECT_EQ(ErrorOf(MakeCluster(input)), std::string("-D ") + assignment + ": must be NAME=VALUE");
  }
  input.assignments = {"hbase.balancer.period=1"};
  EXPECT_EQ(MakeCluster(input)->settings.balancer_period_ms, 1);
}

TEST(LabBoundsTest, AFamilysValuesHaveALength) {
  for (const char* family : {"d:5xnan", "d:5xinf", "d:5x-1", "d:5x1e300"}) {
    const EmulationInput input{.families = {family}, .rate = 1};
    const auto load = MakeLoad(input, {}, 1000, 10, nullptr);
    EXPECT_THAT(ErrorOf(load), HasSubstr("is not NAME:COLUMNSxBYTES")) << family;
  }
}

}  // namespace
}  // namespace vaquita
