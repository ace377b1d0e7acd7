#include "lab/design/readable_keys.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "lab/design/testing/sample_record.h"

namespace vaquita::lab {
namespace {

using ::testing::ElementsAre;

// Returns the readable keys of records whose times are `ms` (number 0, 1, ... of the run), in the order of their keys.
std::vector<std::string> Readable(std::string_view expression, const std::vector<int64_t>& ms, size_t cut = 99) {
  const auto design = KeyDesign::Parse(expression, SampleSchema(), SampleTables());
  EXPECT_TRUE(design.ok()) << design.status();
  std::vector<std::string> keys;
  for (size_t i = 0; i < ms.size(); ++i) {
    auto record = kSampleRecord;
    record[1].number = ms[i];
    EXPECT_TRUE(design->AppendKey(record, i, &keys.emplace_back()).ok());
    keys.back().resize(std::min(cut, keys.back().size()));
  }
  std::sort(keys.begin(), keys.end());
  return design->ReadableKeys(keys);
}

constexpr int64_t kMinute = 60'000, kNewYear = 1'767'225'600'000;  // 2026-01-01
constexpr int64_t kFirst = kNewYear + 69 * kMinute + 15'250, kSecond = kFirst + 70 * kMinute;

TEST(ReadableKeysTest, TimesAreWrittenAsTimes) {
  EXPECT_THAT(Readable("int64(ts)", {kFirst, kSecond}), ElementsAre("2026-01-01 01:09", "2026-01-01 02:19"));
  EXPECT_THAT(Readable("reverse_time(ts)", {kFirst, kSecond}), ElementsAre("2026-01-01 02:19", "2026-01-01 01:09"));
  EXPECT_THAT(Readable("int64(MAX_LONG - ts)", {kFirst, kSecond}), ElementsAre("2026-01-01 02:19", "2026-01-01 01:09"));
  EXPECT_THAT(Readable("int32(seconds(ts))", {kFirst}), ElementsAre("2026-01-01 01:09"));
  EXPECT_THAT(Readable("int64(time_bucket(ts, 1h))", {kFirst}), ElementsAre("2026-01-01 01:00"));
  EXPECT_THAT(Readable("pad(ts, 15)", {kFirst}), ElementsAre("2026-01-01 01:09"));
  EXPECT_THAT(Readable("int64(time(day))", {0}), ElementsAre("2026-01-31 10:30"));
}

TEST(ReadableKeysTest, TimesAreAsExactAsTheirDistances) {
  EXPECT_THAT(Readable("int64(ts)", {kFirst, kFirst + 30 * 1440 * kMinute}), ElementsAre("2026-01-01", "2026-01-31"));
  EXPECT_THAT(Readable("int64(ts)", {kFirst, kFirst + kMinute}),
              ElementsAre("2026-01-01 01:09:15", "2026-01-01 01:10:15"));
  EXPECT_THAT(Readable("int64(ts)", {kFirst, kFirst + 10}),
              ElementsAre("2026-01-01 01:09:15.250", "2026-01-01 01:09:15.260"));
}

TEST(ReadableKeysTest, PartsAreTakenApart) {
  EXPECT_THAT(Readable("round_robin(200) + int64(ts)", {kFirst, kSecond}),
              ElementsAre("0 2026-01-01 01:09", "1 2026-01-01 02:19"));
  EXPECT_THAT(Readable("user + '|' + int64(ts) + '|' + type", {kFirst}), ElementsAre("ann|2026-01-01 01:09|error"));
  EXPECT_THAT(Readable("user + int64(ts)", {kFirst}), ElementsAre("ann 2026-01-01 01:09")) << "from the end";
  EXPECT_THAT(Readable("hash_prefix(md5(user), 2) + user", {kFirst}), ElementsAre("7e0d ann"));
  EXPECT_THAT(Readable("int32(id) + int16(-3)", {0}), ElementsAre("42 -3"));
  EXPECT_THAT(Readable("byte(floor_mod(-1, 250))", {0}), ElementsAre("249")) << "a bucket has no sign";
  EXPECT_THAT(Readable("byte(ts)", {kNewYear + 7}), ElementsAre("7")) << "the last byte of a time is no time";
  EXPECT_THAT(Readable("format_time(ts, 'yyyyMMdd') + user", {kFirst}), ElementsAre("20260101ann")) << "as it is";
}

// A split key ends anywhere, and some are of no design.
TEST(ReadableKeysTest, KeysThatEndEarly) {
  EXPECT_THAT(Readable("round_robin(4) + int64(ts)", {0, 0}, 1), ElementsAre("0", "1"));
  EXPECT_THAT(Readable("int64(ts)", {kFirst}, 5), ElementsAre("2026-01-01 00:40")) << "the smallest with these bytes";
  EXPECT_THAT(Readable("int64(id)", {0}, 7), ElementsAre("\\x00\\x00\\x00\\x00\\x00\\x00\\x00"));
  const auto design = KeyDesign::Parse("int64(ts)", SampleSchema());
  EXPECT_THAT(design->ReadableKeys({"@", std::string(8, '\xFF')}), ElementsAre("@", "1969-12-31 23:59"));
}

}  // namespace
}  // namespace vaquita::lab
