#include "client/distribution/row_key_distributor.h"

#include <fstream>
#include <map>
#include <random>
#include <set>

#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/region_info.h"

namespace vaquita::client {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

RowKeyDistributorPtr Parsed(const std::string& text, const KeyHasherParser& hashers = ParseKeyHasher) {
  auto distributor = ParseRowKeyDistributor(text, hashers);
  EXPECT_TRUE(distributor.ok()) << distributor.status();
  return *distributor;
}

struct Vector {
  std::string distributor, original, distributed;
};

std::vector<Vector> Vectors() {
  std::ifstream file(std::string(DISTRIBUTION_TESTDATA) + "/distributed_keys.txt");
  std::vector<Vector> vectors;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    vectors.push_back({line.substr(0, first), FromStringBinary(line.substr(first + 1, second - first - 1)),
                       FromStringBinary(line.substr(second + 1))});
  }
  return vectors;
}

TEST(RowKeyDistributorTest, MakesTheKeysThatAreWrittenDown) {
  std::map<std::string, RowKeyDistributorPtr> distributors;
  const std::vector<Vector> vectors = Vectors();
  ASSERT_THAT(vectors, SizeIs(152));
  for (const Vector& v : vectors) {
    RowKeyDistributorPtr& distributor = distributors[v.distributor];
    if (distributor == nullptr && v.distributor.starts_with("OneBytePrefix(")) {
      distributor = *OneBytePrefixDistributor(std::stoi(v.distributor.substr(14)), /*first=*/0);
    } else if (distributor == nullptr) {
      distributor = Parsed(v.distributor);
    }
    const std::string what = v.distributor + " of " + ToStringBinary(v.original);
    EXPECT_EQ(ToStringBinary(distributor->DistributedKey(v.original)), ToStringBinary(v.distributed)) << what;
    EXPECT_EQ(*distributor->OriginalKey(v.distributed), v.original) << what;
    const std::vector<std::string> all = distributor->AllDistributedKeys(v.original);
    EXPECT_THAT(all, ::testing::Contains(v.distributed)) << what;
    EXPECT_EQ(all.size() == 1, distributor->IsComputable()) << what;
    EXPECT_EQ(distributor->ToText(), v.distributor);
  }
}

TEST(RowKeyDistributorTest, EveryKeyIsInOneOfTheBuckets) {
  std::mt19937 random(1);
  for (const char* text : {"OneBytePrefix(5)", "HashPrefix(OneByteSimpleHash(200))"}) {
    const RowKeyDistributorPtr distributor = Parsed(text);
    std::map<std::string, int> buckets;
    for (int i = 0; i < 20'000; ++i) {
      std::string key(1 + random() % 20, '\0');
      for (char& byte : key) byte = static_cast<char>(random());
      const std::string distributed = distributor->DistributedKey(key);
      ASSERT_THAT(distributor->AllDistributedKeys(key), ::testing::Contains(distributed));
      ++buckets[distributed.substr(0, 1)];
    }
    std::set<std::string> prefixes(distributor->BucketPrefixes().begin(), distributor->BucketPrefixes().end());
    EXPECT_THAT(buckets, SizeIs(prefixes.size())) << text;
    for (const auto& [prefix, count] : buckets) EXPECT_TRUE(prefixes.contains(prefix)) << text;
  }
}

TEST(RowKeyDistributorTest, OneBytePrefixGivesEachBucketItsTurn) {
  const RowKeyDistributorPtr distributor = *OneBytePrefixDistributor(3, /*first=*/2);
  std::vector<std::string> keys;
  for (int i = 0; i < 5; ++i) keys.push_back(distributor->DistributedKey("k"));
  EXPECT_THAT(keys, ElementsAre("\2k", std::string("\0k", 2), "\1k", "\2k", std::string("\0k", 2)));
  EXPECT_THAT(distributor->AllDistributedKeys("k"), ElementsAre(std::string("\0k", 2), "\1k", "\2k"));
}

TEST(RowKeyDistributorTest, ReversedBitsSpreadSequentialIds) {
  const RowKeyDistributorPtr distributor = Parsed("BitReversal()");
  std::set<char> first_bytes;
  for (int id = 0; id < 256; ++id) {
    const std::string key = std::string(7, '\0') + static_cast<char>(id);
    first_bytes.insert(distributor->DistributedKey(key)[0]);
  }
  EXPECT_THAT(first_bytes, SizeIs(256));
  EXPECT_THAT(distributor->BucketPrefixes(), IsEmpty());
}

TEST(RowKeyDistributorTest, AKeyOfAnotherDistributorHasNoOriginal) {
  EXPECT_THAT(Parsed("OneBytePrefix(3)")->OriginalKey("\3k").status().message(),
              HasSubstr("row '\\x03k' was not distributed by OneBytePrefix(3)"));
  EXPECT_FALSE(Parsed("HashPrefix(OneByteSimpleHash(3))")->OriginalKey("").ok());
  EXPECT_EQ(*Parsed("Identity()")->OriginalKey("k"), "k");
}

TEST(RowKeyDistributorTest, WrongTextsSayWhatWouldBeRight) {
  const auto message = [](const std::string& text) {
    const absl::Status status = ParseRowKeyDistributor(text).status();
    EXPECT_TRUE(IsError(status, ErrorKind::kIllegalArgument)) << text;
    return std::string(status.message());
  };
  EXPECT_THAT(message("OneBytePrefix"), HasSubstr("'OneBytePrefix' is not of the form NAME(PARAMETERS)"));
  EXPECT_THAT(message("Salt(4)"), HasSubstr("unknown row key distributor 'Salt(4)': use Identity()"));
  EXPECT_THAT(message("OneBytePrefix(x)"), HasSubstr("'OneBytePrefix(x)': 'x' is not a number of buckets"));
  EXPECT_THAT(message("OneBytePrefix(0)"), HasSubstr("1 to 256 buckets fit in one byte, not 0"));
  EXPECT_THAT(message("OneBytePrefix(257)"), HasSubstr("not 257"));
  EXPECT_THAT(message("HashPrefix(OneByteSimpleHash(-1))"), HasSubstr("not -1"));
  EXPECT_THAT(message("HashPrefix(Md5(3))"), HasSubstr("unknown hasher 'Md5(3)': use OneByteSimpleHash(BUCKETS)"));
  EXPECT_THAT(message("HashPrefix(x)"), HasSubstr("'x' is not of the form"));
}

TEST(RowKeyDistributorTest, TheTableSaysHowItsKeysAreDistributed) {
  TableDescriptor table;
  table.name = *TableName::Parse("t");
  EXPECT_EQ((*LoadDistributor(table))->ToText(), "Identity()");
  StoreDistributor(*Parsed("HashPrefix(OneByteSimpleHash(16))"), &table);
  EXPECT_EQ((*LoadDistributor(table))->ToText(), "HashPrefix(OneByteSimpleHash(16))");
  table.attributes[std::string(kDistributorAttribute)] = "Salt()";
  EXPECT_THAT(LoadDistributor(table).status().message(), HasSubstr("table t: unknown row key distributor 'Salt()'"));
}

// The key's length as two digits.
class LengthHasher : public KeyHasher {
 public:
  explicit LengthHasher(std::vector<std::string> prefixes = {"00", "01", "02"}) : prefixes_(std::move(prefixes)) {}
  std::string PrefixOf(std::string_view key) const override { return prefixes_[key.size() % prefixes_.size()]; }
  std::vector<std::string> AllPrefixes() const override { return prefixes_; }
  std::string ToText() const override { return "Length()"; }

 private:
  std::vector<std::string> prefixes_;
};

TEST(RowKeyDistributorTest, ProgramsBringHashersOfTheirOwn) {
  const KeyHasherParser hashers = [](std::string_view text) -> absl::StatusOr<std::shared_ptr<const KeyHasher>> {
    if (text == "Length()") return std::make_shared<LengthHasher>();
    return ParseKeyHasher(text);
  };
  const RowKeyDistributorPtr distributor = Parsed("HashPrefix(Length())", hashers);
  EXPECT_EQ(distributor->DistributedKey("abcde"), "02abcde");
  EXPECT_EQ(*distributor->OriginalKey("02abcde"), "abcde");
  EXPECT_FALSE(distributor->OriginalKey("03abcde").ok());
  EXPECT_EQ(distributor->ToText(), "HashPrefix(Length())");
  EXPECT_EQ(Parsed("HashPrefix(OneByteSimpleHash(2))", hashers)->BucketPrefixes().size(), 2u);
}

TEST(RowKeyDistributorTest, PrefixesThatCannotBeToldApartAreRefused) {
  for (const std::vector<std::string>& prefixes :
       {std::vector<std::string>{}, {""}, {"a", "ab"}, {"a", "b", "a"}, {"a", ""}}) {
    const auto distributor = HashPrefixDistributor(std::make_shared<LengthHasher>(prefixes));
    EXPECT_TRUE(IsError(distributor.status(), ErrorKind::kIllegalArgument)) << ::testing::PrintToString(prefixes);
  }
}

}  // namespace
}  // namespace vaquita::client
