#include "sql/plan/functions.h"

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita::sql {
namespace {

// Returns the names in the table below the heading "Functions" of docs/sql.md.
std::set<std::string> DocumentedFunctions() {
  std::ifstream file(SQL_DOCUMENT);
  std::set<std::string> names;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) inside = line == "## Functions";
    if (!inside || !line.starts_with("| ") || line.starts_with("| of ") || line.starts_with("| --- ")) continue;
    const std::string cell = line.substr(line.find('|', 1));
    const std::vector<std::string> words = absl::StrSplit(cell, absl::ByAnyChar(" ,;|"), absl::SkipEmpty());
    for (const std::string& word : words) {
      const bool is_name =
          word.size() > 1 && word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == word.npos;
      if (is_name) names.insert(word);
    }
  }
  return names;
}

TEST(FunctionsTest, TheDocumentHasAllOfThem) {
  std::set<std::string> names;
  for (const FunctionRow& row : AllFunctions()) names.insert(std::string(row.name));
  EXPECT_EQ(names.size(), AllFunctions().size());
  EXPECT_EQ(DocumentedFunctions(), names);
}

TEST(FunctionsTest, ATypeIsOneNumber) {
  for (SqlType type : {SqlType(TypeId::kNull), SqlType(TypeId::kBinary, 16), SqlType(TypeId::kChar, 300)}) {
    EXPECT_EQ(TypeOfCode(TypeCode(type)), type);
    type.array = true;
    EXPECT_EQ(TypeOfCode(TypeCode(type)), type);
  }
}

TEST(FunctionsTest, ArgumentsHoldAllValuesOfTheirTypes) {
  EXPECT_TRUE(Accepts(ArgumentKind::kInteger, TypeId::kSmallint));
  EXPECT_FALSE(Accepts(ArgumentKind::kInteger, TypeId::kBigint));
  EXPECT_TRUE(Accepts(ArgumentKind::kReal, TypeId::kDecimal));
  EXPECT_FALSE(Accepts(ArgumentKind::kDate, TypeId::kTimestamp));
  EXPECT_TRUE(Accepts(ArgumentKind::kMoment, TypeId::kUnsignedTime));
  EXPECT_FALSE(Accepts(ArgumentKind::kArray, TypeId::kVarchar));
  EXPECT_TRUE(Accepts(ArgumentKind::kText, SqlType()));  // NULL
}

}  // namespace
}  // namespace vaquita::sql
