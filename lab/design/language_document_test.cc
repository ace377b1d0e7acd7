// docs/lab.md's tables of operations, generators and examples say what the program does.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "lab/design/example.h"
#include "lab/design/key_operation.h"
#include "lab/design/testing/sample_record.h"
#include "lab/records/record_generator.h"

namespace vaquita::lab {
namespace {

struct DocumentRow {
  std::string first;  // a row is `first` | `second` | ...
  std::string second;
};

// The rows of the tables below the heading `heading`, up to the next of its level, whose first two cells are code.
std::vector<DocumentRow> RowsBelow(const std::string& heading) {
  std::ifstream file(VAQUITA_DOCS "/lab.md");
  EXPECT_TRUE(file.is_open());
  std::vector<DocumentRow> rows;
  const std::string level = heading.substr(0, heading.find(' ') + 1);
  bool below = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(level)) below = line == heading;
    if (!below || !line.starts_with("| `")) continue;
    const size_t first_end = line.find("` | `");
    const size_t second_end = line.find("` |", first_end + 5);
    if (first_end == std::string::npos || second_end == std::string::npos) continue;
    rows.push_back({line.substr(3, first_end - 3), line.substr(first_end + 5, second_end - first_end - 5)});
  }
  return rows;
}

TEST(LanguageDocument, EachDesignMakesTheKeyBesideIt) {
  const std::vector<DocumentRow> rows = RowsBelow("## Designs");
  EXPECT_GT(rows.size(), 50u);
  for (const DocumentRow& row : rows) EXPECT_EQ(SampleKey(row.first), row.second) << row.first;
}

TEST(LanguageDocument, EachOperationIsShown) {
  std::string shown;
  for (const DocumentRow& row : RowsBelow("## Designs")) shown += " " + row.first;
  for (const KeyOperation& operation : KeyOperations()) {
    EXPECT_NE(shown.find(std::string(operation.name) + "("), std::string::npos) << operation.name;
  }
}

std::string FirstValues(const std::string& generator, size_t count) {
  const auto parsed = RecordGenerator::Parse(generator);
  if (!parsed.ok()) return std::string(parsed.status().message());
  const bool is_text = parsed->schema().fields()[0].kind == FieldKind::kText;
  RecordBuffer buffer;
  std::string values;
  for (size_t i = 0; i < count; ++i) {
    const FieldValue& value = parsed->Generate(i, &buffer)[0];
    values += (i == 0 ? "" : ", ") + (is_text ? std::string(value.text) : std::to_string(value.number));
  }
  return values;
}

TEST(LanguageDocument, EachGeneratorMakesTheValuesBesideIt) {
  const std::vector<DocumentRow> rows = RowsBelow("## Records");
  EXPECT_GT(rows.size(), 10u);
  for (const DocumentRow& row : rows) {
    const size_t count = 1 + std::count(row.second.begin(), row.second.end(), ',');
    EXPECT_EQ(FirstValues(row.first, count), row.second) << row.first;
  }
}

TEST(LanguageDocument, EachExampleIsListed) {
  std::vector<std::string> listed, there;
  for (const DocumentRow& row : RowsBelow("## lab examples")) listed.push_back(row.first + ": " + row.second);
  for (const std::string_view name : ExampleNames()) {
    const auto example = FindExample(name);
    ASSERT_TRUE(example.ok());
    std::string designs;
    for (const ExampleDesign& design : example->designs) designs += (designs.empty() ? "" : ", ") + design.name;
    there.push_back(std::string(name) + ": " + designs);
  }
  EXPECT_EQ(listed, there);
}

}  // namespace
}  // namespace vaquita::lab
