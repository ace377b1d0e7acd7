#include "tools/bench/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include "base/testing/temporary_folder.h"
#include "tools/bench/operation_plan.h"
#include "tools/bench/row_keys.h"
#include "tools/bench/row_values.h"

namespace vaquita::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Workload Named(const std::string& name) {
  absl::StatusOr<Workload> workload = FindWorkload(name);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

std::string Refusal(const std::string& property, const std::string& value) {
  Workload workload;
  const absl::Status status = workload.Set(property, value);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << property << "=" << value;
  return std::string(status.message());
}

TEST(WorkloadTest, EveryNamedWorkloadIsWhole) {
  for (const NamedWorkload& named : NamedWorkloads()) {
    EXPECT_TRUE(Named(named.name).Validate().ok()) << named.name;
  }
  EXPECT_EQ(Named("workloada").Share(OperationKind::kUpdate), 0.5);
}

TEST(WorkloadTest, PropertiesAreReadBack) {
  for (const NamedWorkload& named : NamedWorkloads()) {
    const Workload workload = Named(named.name);
    Workload again;
    for (const auto& [name, value] : workload.Properties()) EXPECT_TRUE(again.Set(name, value).ok()) << name;
    EXPECT_EQ(again.Properties(), workload.Properties()) << named.name;
  }
}

TEST(WorkloadTest, NumbersAsTextLoseNoDigits) {
  EXPECT_EQ(ExactText(1'234'567), "1234567");
  EXPECT_EQ(ExactText(0.1), "0.1");
  Workload workload;
  ASSERT_TRUE(workload.Set("target", ExactText(12'345'678.5)).ok());
  EXPECT_EQ(workload.rate, 12'345'678.5);
  EXPECT_THAT(workload.Properties(), ElementsAre(std::pair("target", "12345678.5")));
}

TEST(WorkloadTest, RefusalsNameThePropertyAndWhatWouldBeRight) {
  EXPECT_THAT(Refusal("readpropotion", "1"), HasSubstr("'readpropotion'; did you mean 'readproportion'?"));
  EXPECT_THAT(Refusal("fieldcount", "ten"), HasSubstr("fieldcount=ten: fieldcount must be a whole number from 1"));
  EXPECT_THAT(Refusal("requestdistribution", "hotspot"), HasSubstr("must be uniform, zipfian, latest or sequential"));
  EXPECT_THAT(Refusal("compressible", "1.5"), HasSubstr("must be a number from 0 to 1"));
  EXPECT_THAT(Refusal("durability", "SOMETIMES"), HasSubstr("must be USE_DEFAULT, SKIP_WAL"));
  EXPECT_THAT(Refusal("filter", "NoFilter('a')"), HasSubstr("is not a filter"));
  EXPECT_THAT(Refusal("insertorder", "random"), HasSubstr("must be hashed or ordered"));
  EXPECT_THAT(std::string(FindWorkload("asyncScan").status().message()), HasSubstr("scan with more --threads"));
  EXPECT_THAT(std::string(FindWorkload("randomReed").status().message()), HasSubstr("did you mean 'randomRead'?"));
}

TEST(WorkloadTest, AFileHasPropertiesAndItsErrorsTheirLine) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path() + "/mine";
  std::ofstream(path)
      << "# mine\nworkload=site.ycsb.workloads.CoreWorkload\n\nreadproportion = 0.7\nscanproportion=0.3\n";
  const Workload workload = Named(path);
  EXPECT_EQ(workload.name, "mine");
  EXPECT_THAT(workload.Properties(),
              ElementsAre(std::pair("readproportion", "0.7"), std::pair("scanproportion", "0.3")));
  std::ofstream(path) << "readproportion=1\nfieldcount=0\n";
  EXPECT_THAT(std::string(FindWorkload(path).status().message()), HasSubstr("mine:2: fieldcount=0"));
  std::ofstream(path) << "readproportion\n";
  EXPECT_THAT(std::string(FindWorkload(path).status().message()),
              HasSubstr("mine:1: 'readproportion' is not a property"));
}

TEST(WorkloadTest, ContradictionsAreRefused) {
  Workload workload;
  EXPECT_THAT(std::string(workload.Validate().message()), HasSubstr("no operation"));
  workload = Named("a");
  workload.design = "text(id)";
  EXPECT_THAT(std::string(workload.Validate().message()), HasSubstr("needs records"));
  workload = Named("e");
  workload.scan_by_stop_row = true;
  EXPECT_THAT(std::string(workload.Validate().message()), HasSubstr("insertorder=ordered"));
}

TEST(WorkloadTest, TheDocumentHasEveryPropertyAndWorkload) {
  std::ifstream file(std::string(VAQUITA_DOCS) + "/benchmarking.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const PropertyRow& row : PropertyRows()) EXPECT_THAT(page, HasSubstr("`" + std::string(row.name) + "`"));
  for (const NamedWorkload& named : NamedWorkloads()) EXPECT_THAT(page, HasSubstr("`" + named.name + "`"));
}

TEST(OperationPlanTest, KindsHaveTheirShares) {
  Workload workload = Named("a");
  ASSERT_TRUE(workload.Set("scanproportion", "0.25").ok());
  const OperationPlan plan(&workload, 42);
  std::map<OperationKind, double> counts;
  Operation operation;
  constexpr int kOperations = 100'000;
  for (int i = 0; i < kOperations; ++i) {
    plan.Plan(static_cast<uint64_t>(i), 1000, &operation);
    ++counts[operation.kind];
  }
  double chi_square = 0;
  for (const auto& [kind, share] : {std::pair(OperationKind::kRead, 0.4), std::pair(OperationKind::kUpdate, 0.4),
                                    std::pair(OperationKind::kScan, 0.2)}) {
    const double expected = share * kOperations;
    chi_square += std::pow(counts[kind] - expected, 2) / expected;
  }
  EXPECT_LT(chi_square, 13.8);  // one of 1,000 has more, with 2 degrees of freedom
  EXPECT_EQ(counts.size(), 3);
}

TEST(OperationPlanTest, AnOperationDependsOnItsNumberAndTheSeedAlone) {
  const Workload workload = Named("e");
  const OperationPlan plan(&workload, 42), same(&workload, 42), other(&workload, 43);
  Operation a, b, c;
  int differ = 0;
  for (const uint64_t number : {5, 3, 1000, 0}) {
    plan.Plan(number, 1000, &a);
    same.Plan(number, 1000, &b);
    other.Plan(number, 1000, &c);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.scan_rows, b.scan_rows);
    EXPECT_GE(a.scan_rows, 1);
    EXPECT_LE(a.scan_rows, 100);
    differ += a.rows != c.rows ? 1 : 0;
  }
  EXPECT_GT(differ, 0);
}

TEST(RowCountTest, KnowsRowsWithoutAGap) {
  RowCount rows(10);
  EXPECT_EQ(rows.Take(), 10);
  EXPECT_EQ(rows.Take(), 11);
  EXPECT_EQ(rows.Take(), 12);
  rows.Acknowledge(12);
  rows.Acknowledge(11);
  EXPECT_EQ(rows.known(), 10);
  rows.Acknowledge(10);
  EXPECT_EQ(rows.known(), 13);
}

TEST(RowKeysTest, KeysAreYcsbsPerformanceEvaluationsAndTheLaboratorys) {
  const auto key = [](const Workload& workload, uint64_t row) {
    const absl::StatusOr<RowKeys> keys = RowKeys::Make(workload, 42);
    EXPECT_TRUE(keys.ok()) << keys.status();
    return *KeyMaker(&*keys).KeyOf(row);
  };
  EXPECT_EQ(key(Named("a"), 0), "user6284781860667377211");
  EXPECT_EQ(key(Named("randomRead"), 17), "00000000000000000000000017");
  Workload own = Named("a");
  own.design = "reverse(text(id)) + '!'";
  own.records = "id=sequence(100)";
  EXPECT_EQ(key(own, 23), "321!");
  own.design = "text(name)";
  EXPECT_THAT(std::string(RowKeys::Make(own, 42).status().message()), HasSubstr("name"));
}

TEST(RowKeysTest, SplitKeysDivideTheRowsEvenly) {
  const Workload workload = Named("a");
  const RowKeys keys = *RowKeys::Make(workload, 42);
  const std::vector<std::string> splits = *keys.SplitKeys(10'000, 8);
  ASSERT_EQ(splits.size(), 7);
  std::map<size_t, int> rows;
  KeyMaker maker(&keys);
  for (uint64_t row = 0; row < 10'000; ++row) {
    const std::string key = *maker.KeyOf(row);
    ++rows[static_cast<size_t>(std::upper_bound(splits.begin(), splits.end(), key) - splits.begin())];
  }
  for (const auto& [region, count] : rows) EXPECT_NEAR(count, 1250, 60) << region;
}

TEST(RowValuesTest, AValueDependsOnRowColumnAndTagAndIsAsCompressibleAsAsked) {
  const std::string value = MakeValue("row", 1, 77, 100, 0);
  EXPECT_EQ(value.size(), 100);
  EXPECT_EQ(TagOf(value), 77);
  EXPECT_EQ(MakeValue("row", 1, 77, 100, 0), value);
  EXPECT_NE(MakeValue("row2", 1, 77, 100, 0), value);
  EXPECT_NE(MakeValue("row", 2, 77, 100, 0), value);
  EXPECT_NE(MakeValue("row", 1, 78, 100, 0).substr(8), value.substr(8));
  EXPECT_EQ(MakeValue("row", 1, 77, 100, 0.5).substr(50), std::string(50, 'x'));
  EXPECT_NE(MakeValue("row", 1, 77, 100, 0.5).substr(0, 50).find_first_not_of('x'), std::string::npos);
  EXPECT_EQ(TagOf(MakeValue("row", 1, 0x1234567, 2, 0)), 0x4567);
  EXPECT_EQ(MakeValue("row", 1, 5, 0, 0), "");
}

}  // namespace
}  // namespace vaquita::bench
